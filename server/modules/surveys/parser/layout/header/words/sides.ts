import { hemisphereIn } from '../../../rows/values/hemisphere.ts'

/** A letter or a word of the hemisphere in brackets: `Longitude (W)`. */
const BRACKET = /[([] ?(\p{L}{1,12}) ?[)\]]/u
/** A letter at the end: `Lat S`, `Lon_W`, `Lon °W`. */
const LETTER = /^(.*?)[\s_]*[ °_]([NSEWO])$/i

/** The header of an angle without the hemisphere at either end, and its text: `Latitud Sur`, `South Latitude`, `Lat S`. */
function partsOf(header: string): { rest: string; side: string } | undefined {
  const name = header.trim()
  const [, before, letter] = LETTER.exec(name) ?? []
  if (letter !== undefined) return { rest: before!, side: letter }
  const words = name.split(/[\s_]+/)
  const at = [0, words.length - 1].find((i) => words[i]!.length > 2 && hemisphereIn(words[i]!) !== undefined)
  return at === undefined || words.length < 2 ? undefined : { rest: words.toSpliced(at, 1).join(' '), side: words[at]! }
}

/** The text of the hemisphere in the header of an angle, such as `W` or `Oeste`; empty without one. */
export function sideIn(header: string): string {
  const inside = BRACKET.exec(header)?.[1]
  if (inside !== undefined && hemisphereIn(inside) !== undefined) return inside
  return partsOf(header)?.side ?? ''
}

/** The header of an angle without the hemisphere at either end, and whether that is north or south; else undefined. */
export function withoutSideText(header: string): { rest: string; isNorthSouth: boolean } | undefined {
  const found = partsOf(header)
  return found && { rest: found.rest, isNorthSouth: 'NS'.includes(hemisphereIn(found.side) ?? '-') }
}
