/** Words of headers in German and Dutch, where O is Ost or oost. */
const EAST =
  /^(?:(?:geogr[a-z]*\W*)?l(?:ä|ae?)nge|(?:geogr[a-z]*\W*)?breite|lengte|breedte|h(?:ö|oe)he|hoogte|punkt|bezeichnung|bemerkung)/i
/** Words of headers in French, Spanish, Italian and Portuguese, where O is ouest, oeste or ovest. */
const WEST =
  /ouest|oeste|ovest|^(?:longitud|latitud|altitud)(?:ine)?(?![a-z])|^(?:hauteur|cota|quota|altura|elevaci|nom|nombre|nome|punto|ponto|v[eé]rtice|marco|altitude (?:geom|ortom)|descri[pcz]+i|commentaire|remarque|observa)(?!enclature)/i

/**
 * What the letter O beside an angle means, by the language of a file's headers: east in German and Dutch, west in Romance
 * languages. Undefined if the headers do not say it.
 */
export function meaningOfO(headers: string[]): 'E' | 'W' | undefined {
  const [isEast, isWest] = [EAST, WEST].map((words) => headers.some((name) => words.test(name.trim())))
  return isEast === isWest ? undefined : isEast ? 'E' : 'W'
}
