/**
 * Words for coordinates, heights and names of points in Czech, Slovak, Slovenian, Croatian, Bosnian and Serbian, without
 * their accents. S is sever or sjever. Each is whole and unlike words of other languages, as Severity and Body are.
 */
const NORTH =
  /^(?:sirk[aouy]|sirin[aeu]|delk[aouy]|dlzk[auy]|dolzin[aeo]|duzin[aeu]|vysk[aouy]|visin[aeou]|nadmorsk[aeo]|sever(?:ni|na|no)?|sjever(?:na|no)?|zemepisn[aey]|zemljepisn[aei]|geografsk[aei]|s[ou]+radnic[ae]|bodu|cislo|tock[aei]|tack[aei]|nazev|nazov|naziv|jmeno|stevilk[ae]|broj|oznak[ae]|oznaceni[ae]?)$/
/** Whole words in Polish, where W is wschód. */
const EAST =
  /^(?:nazw[aye]|szerokosc|dlugosc|wysokosc|wspolrzedn[aey]|polnocn[aey]|wschodni[ae]|wschod|rzedn[aey]|punktu|geograficzn[aey])$/

const says = (headers: readonly string[], words: RegExp): boolean =>
  headers.some((name) =>
    name
      .slice(0, 255)
      .toLowerCase()
      .replaceAll('ł', 'l')
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .split(/[^a-z]+/)
      .some((word) => words.test(word)),
  )

/**
 * The letters beside angles that mean the opposite in the language of the headers: S the north in Czech, Slovak and
 * South Slavic languages, W the east in Polish.
 */
export function unclearLetters(headers: readonly string[]): { S: boolean; W: boolean } {
  return { S: says(headers, NORTH), W: says(headers, EAST) }
}

/** Whether a cell has a letter by itself. */
export const hasLetter = (cell: string, letter: 'S' | 'W'): boolean =>
  new RegExp(`(?<!\\p{L})${letter}(?!\\p{L})`, 'iu').test(cell.slice(0, 255))

/** The message for a coordinate with such a letter. */
export const unclearLetter = (shown: string, letter: 'S' | 'W'): string =>
  letter === 'S'
    ? `${shown} has the letter S, which is north in Czech and other Slavic languages: write N, or a minus sign for the south`
    : `${shown} has the letter W, which is east in Polish: write E, or a minus sign for the west`
