/** Beginnings of words in Czech, Slovak, Slovenian, Croatian, Bosnian and Serbian, where S is sever or sjever. */
const NORTH =
  /^(?:sirk|sirin|delk|dlzk|dolzin|duzin|vysk|visin|cisl|nazev|nazov|naziv|tock|tack|sourad|surad|sever|sjever|nadmor|zemep|zemljep|geografsk|poznam|popis|opomb|napomen|stevil|broj|oznac|oznak|(?:bod|bodu|body|jmeno|meno|ime)$)/
/** Beginnings of words in Polish, where W is wschód. */
const EAST = /^(?:nazw|szerok|dlugo|wysok|wspolrz|numer$|punktu$|uwagi$|opis$|rzedn)/

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
