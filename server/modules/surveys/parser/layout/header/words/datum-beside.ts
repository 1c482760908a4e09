import { isDistantDatum, namesSatelliteDatum } from '../../../../../reference-systems/distant-datums.ts'

/** The name of a datum before or after a word: `GDA2020 Lat`, `Lat_NAD27`. */
const BEFORE = /^(\p{L}{2,7}[ -]?\d{2,4})[\s_]+(\p{L}{3,12}\b.*)$/u
const AFTER = /^(\p{L}{3,12})[\s_]+(\p{L}{2,7}[ -]?\d{2,4})$/u

const isDatum = (name: string): boolean => namesSatelliteDatum(name.replace('-', ' ')) || isDistantDatum(name)

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
