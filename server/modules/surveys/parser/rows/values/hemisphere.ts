/** Words for the hemispheres in the languages of headers, without accents. */
const words = {
  N: /^(?:n|north|northern|nord|norte|noord|norr|polnoc|n(?:o|oe)rdliche|сш|пнш|lu)$/,
  S: /^(?:s|south|southern|sud|sued|sur|sor|sul|syd|zuid|poludnie|s(?:u|ue)dliche|юш|пдш|ls)$/,
  E: /^(?:e|east|eastern|est|este|leste|ost|oost|wschod|(?:o|oe)stliche|вд|схд|bt)$/,
  W: /^(?:w|west|western|ouest|oeste|ovest|vast|vest|zachod|westliche|зд|зхд|bb)$/,
  O: /^o$/,
} as const

/** Whether a cell beside an angle has a sign in place of a letter: which side is north or east is not known. */
export const isSideSign = (cell: string): boolean => /^(?:[+−–-]|[+−–-]?[01])$/.test(cell)

/** The letter of the hemisphere that a cell beside an angle names. Undefined for other texts. */
export function hemisphereIn(cell: string): keyof typeof words | undefined {
  if (cell.length > 20) return undefined
  const word = cell
    .trim()
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replace(/[\p{M}. ]/gu, '')
  return (Object.keys(words) as (keyof typeof words)[]).find((letter) => words[letter].test(word))
}
