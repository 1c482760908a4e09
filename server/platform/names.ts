/** The key under which a name is unique: trimmed, NFKC, case-folded, so that "Straße" and "STRASSE", or full-width and plain letters, are one name. */
export const foldName = (name: string) => name.trim().normalize('NFKC').toUpperCase().toLowerCase()
