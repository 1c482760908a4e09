import { heightDatumIn } from './datum-aliases.ts'
import type { Heights } from './heights.ts'

const MAX_NAME = 200
/** Names of heights above no sea. */
const LOCAL = /\b(?:local|assumed|arbitrary|site|none|unknown|undefined)\b/i

/** Lines above a table that name a vertical datum: the first always, others only if they name a known one. */
const VERTICAL =
  /^[^\p{L}]{0,20}(?:vertical (?:datum|reference(?: system)?|crs|system)|(?:height|elevation) (?:datum|reference|system)|höhen(?:bezugs?|system|bezugssystem|datum))[ "]{0,9}[:=,;\t]\s{0,9}(.{1,80})$/iu
const HEIGHTS =
  /^[^\p{L}]{0,20}(?:vertical|geoid(?: model)?|heights?|elevations?|altitudes?|höhen?)[ "]{0,9}[:=,;\t]\s{0,9}(.{1,80})$/iu
const MAX_LINE = 200

/** The height datum in a line such as `Vertical datum: WGS84 ellipsoid`; `unknown` if it names one that is not known. */
export function datumAbove(heights: Pick<Heights, 'find'>, lines: readonly string[]): string | undefined {
  const short = lines.filter(({ length }) => length <= MAX_LINE)
  const nameIn = (line: string, label: RegExp) => label.exec(line)?.[1]?.replace(/[\s"',;]+$/, '')
  for (const line of short) {
    const name = nameIn(line, VERTICAL) ?? nameIn(line, HEIGHTS)
    const datum = name && datumNamed(heights, name)
    if (datum) return datum
  }
  return short.some((line) => VERTICAL.test(line)) ? 'unknown' : undefined
}

/**
 * The height datum that a file names in a field of its own, in words that `Heights.find` accepts: by its code, its name
 * in the register, or that of its geoid, also beside others, as in `NAVD88 (Geoid18)`.
 */
export function datumNamed(heights: Pick<Heights, 'find'>, name: string): string | undefined {
  if (name.length > MAX_NAME) return undefined
  const isEllipsoid = /ellips|(?:^|[^a-z])hae(?:[^a-z]|$)/i.test(name)
  const known = (text: string | undefined): boolean => {
    const datum = text?.trim() ? heights.find(text) : undefined
    // WGS84 may be the name of the plane's datum.
    return typeof datum === 'object' && datum.name !== 'unknown' && (datum.name !== 'ellipsoid' || isEllipsoid)
  }
  if (known(name)) return name
  if (LOCAL.test(name)) return undefined
  if (isEllipsoid) return 'ellipsoid'
  return [heightDatumIn(name), name.replace(/\([^()]*\)/g, ''), /\(([^()]*)\)/.exec(name)?.[1]].find(known)
}
