/** Invisible characters, such as joiners and soft hyphens: names that differ only by them look the same. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu

/**
 * The key under which a name is unique: Unicode's NFKC case folding (The Unicode Standard §3.13, D148) of the trimmed
 * name, so that "Straße", "STRASSE" and "STRAẞE", or full-width and plain letters, are one name. Empty if the name has
 * no visible character.
 */
export const foldName = (name: string) =>
  name.normalize('NFKC').replace(UNSEEN, '').trim().toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')
