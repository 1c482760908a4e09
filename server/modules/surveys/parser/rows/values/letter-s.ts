/** Words of headers in Czech, Slovak, Slovenian, Croatian, Bosnian and Serbian, where S is sever or sjever. */
const NORTH =
  /^(?:(?:zem|geogr)[a-z]*\W*)?(?:sirk|sirin|delk|dlzk|dolzin|duzin|vysk|visin|cislo|nazev|tock|tack|bod(?![a-z])|sourad|surad)/

/** Whether the headers are in a language in which the letter S beside an angle is the north. */
export const mayBeNorth = (headers: readonly string[]): boolean =>
  headers.some((name) => NORTH.test(name.trim().slice(0, 60).toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')))
