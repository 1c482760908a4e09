import { isDistantDatum } from '../../../../../reference-systems/distant-datums.ts'

/** The name of a datum before or after a word: `GDA2020 Lat`, `Lat_NAD27`. */
const BEFORE = /^(\p{L}{2,7}[ -]?\d{2,4})[\s_]+(\p{L}{3,12}\b.*)$/u
const AFTER = /^(\p{L}{3,12})[\s_]+(\p{L}{2,7}[ -]?\d{2,4})$/u

/** Datums of satellites, near WGS 84. */
const NEAR =
  /^(?:wgs ?84|etr[sf] ?\d+|euref ?89|itrf ?\d+|ig[sb] ?\d+|gda ?(?:94|2020)|nad ?83|sirgas ?2000|posgar ?\d+|nzgd ?2000|jgd ?20\d\d|cgcs ?2000|kgd ?2002|twd ?97|rgf ?93|htrs ?96|sweref ?99)$/i
const isDatum = (name: string): boolean => NEAR.test(name.replace('-', ' ')) || isDistantDatum(name)

/** The header of an angle with the datum beside it in brackets, as in `Lat (NAD27)`, and that datum; else the header. */
export function withDatumInBrackets(
  header: string,
  isAngle: (word: string) => boolean,
): { text: string; datum?: string } {
  const name = header.trim()
  const [, before, rest] = BEFORE.exec(name) ?? []
  if (before !== undefined && isDatum(before) && isAngle(rest!.replace(/[([].*$/, '')))
    return { text: `${rest} (${before})`, datum: before }
  const [, word, after] = AFTER.exec(name) ?? []
  if (after !== undefined && isDatum(after) && isAngle(word!)) return { text: `${word} (${after})`, datum: after }
  return { text: header }
}
