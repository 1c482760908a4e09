import { distance } from '../../../../places/geodesy.ts'
import type { Crs, CrsTable } from '../../../../reference-systems/crs.ts'
import { hasProjection } from '../../../../reference-systems/crs-choices.ts'
import { crsNameOf, crsTextOf, MAX_LINE } from '../../../../reference-systems/crs-text.ts'
import { isSameDatum } from '../../../../reference-systems/horizontal-datum.ts'
import { truncate } from '../../truncate.ts'

const CODE = /EPSG ?[:=]{0,2} ?(\d{4,6})(?!\d)/gi
/** Codes that are looked up: further ones are a list, not the systems of a table. */
const MAX_CODES = 10
/** A name that more systems may mean says too little. */
const MAX_MEANT = 30
/** `Source CRS: ETRS89 / UTM zone 32N`: the name after other words than labels. */
const AFTER_LABEL = /^.{0,40}\b(?:crs|system) ?[:=] ?/i
/** What a name without a label has, so that the register is not searched for every remark. */
export const IS_NAME = /\p{L} \/ \p{L}|\d \/ \p{L}|\butm\b/iu
/** Systems that place a point of one of them nearer than this are the same for a survey. */
const SAME_METRES = 1

/** The codes of EPSG in lines of a file, without those of remarks too long to be one. */
export function codesIn(lines: readonly string[]): string[] {
  const short = lines.filter(({ length }) => length <= MAX_LINE)
  const codes = short.flatMap((line) => [...line.matchAll(CODE)].map(([, code]) => `EPSG:${Number(code)}`))
  return [...new Set(codes)].slice(0, MAX_CODES)
}

/** The kind of the system of a text, whether it can be used or not. */
export function kindOf(text: string, table: CrsTable): Crs['kind'] | undefined {
  const found = table.find(text)
  return typeof found === 'string' ? table.refusedKind(text) : found.kind
}

/** The system that a line names, if it is projected and not the same as `crs`. */
export function otherProjected(line: string, crs: Crs, table: CrsTable): string | undefined {
  return namedOtherwise(line, table, (text) => kindOf(text, table) === 'projected' && !isSame(crs, table.find(text)))
}

/**
 * The system that a line inside a table names, if points in it would be elsewhere than in `crs`.
 * @param isZone whether another zone of UTM with the same datum is not other: rows may name theirs
 */
export function otherSystem(line: string, crs: Crs, table: CrsTable, isZone = false): string | undefined {
  return namedOtherwise(line, table, (text) => {
    const kind = kindOf(text, table)
    // Degrees are in no projected system.
    if (kind === undefined || (crs.kind === 'geographic' && kind !== 'geographic')) return false
    const found = table.find(text)
    // A line below a grid may name its datum.
    if ((kind === 'geographic' && crs.kind !== 'geographic') || (isZone && typeof found === 'object' && found.utmZone))
      return typeof found === 'string' || !isSameDatum(crs.datum(), found.datum())
    return !isSame(crs, found)
  })
}

/** Whether a line names a system of the same kind as another. */
export const namesSystemLike = (line: string, crs: Crs, table: CrsTable): boolean =>
  namedOtherwise(line, table, (text) => kindOf(text, table) === crs.kind) !== undefined

/** The system that a line names, if `isOther` is true of it, or of all those that its name may mean. */
function namedOtherwise(line: string, table: CrsTable, isOther: (text: string) => boolean): string | undefined {
  const text = crsTextOf(line)
  if (line.length > MAX_LINE) return text !== undefined && isOther(text) ? truncate(text, 60) : undefined
  const exact = [...(text === undefined ? [] : [text]), ...codesIn([line])].find(isOther)
  if (exact !== undefined || text !== undefined) return exact === undefined ? undefined : truncate(exact, 60)
  const named = crsNameOf(line)
  const name = named?.labelled ? named.name : line.replace(AFTER_LABEL, '')
  const isMarked = named?.labelled || name !== line
  if (!named || !(isMarked || IS_NAME.test(name))) return undefined
  const found = table.namedIn(named.labelled ? line : `CRS: ${name}`)
  if (found !== undefined) return isOther(found) ? `${found} (${truncate(name, 60)})` : undefined
  // The name of a datum alone is that of many systems.
  if (!/\d/.test(name) || /datum/i.test(line) || !(isMarked || hasProjection(name))) return undefined
  const meant = table.projectedLike(name).map(([code]) => code)
  return meant.length > 0 && meant.length <= MAX_MEANT && meant.every(isOther) ? `"${truncate(name, 60)}"` : undefined
}

/** The datum that a line such as `Datum: NAD27 CONUS` names, if it is not that of `crs`. */
export function otherDatum(line: string, crs: Crs, table: CrsTable): string | undefined {
  const named = crsNameOf(line)
  if (!named?.labelled) return undefined
  const words = named.name.split(/[ (,;]+/)
  const texts = [named.name, words.slice(0, 2).join(' '), words[0]!]
  for (const text of texts) {
    const code = table.namedIn(`Datum: ${text}`)
    const found = code === undefined ? undefined : table.find(code)
    if (typeof found === 'object' && found.kind === 'geographic')
      return isSameDatum(crs.datum(), found.datum()) ? undefined : text
  }
  return undefined
}

/** Whether two systems place points alike; a vertical system that only the first has does not count. */
function isSame(crs: Crs, other: Crs | string): boolean {
  if (typeof other === 'string') return false
  if (crs.name === other.name) return true
  if (crs.kind !== other.kind || crs.kind === 'geocentric') return false
  if (other.vertical !== undefined && other.vertical !== crs.vertical) return false
  const [area] = [crs.area, other.area].flatMap((one) => (one ? [one] : [])).sort((a, b) => widthOf(a) - widthOf(b))
  if (!area) return false
  const [west, south, , north] = area as [number, number, number, number]
  const middle = { longitude: ((west + widthOf(area) / 2 + 540) % 360) - 180, latitude: (south + north) / 2 }
  const there = crs.fromWgs84(middle.longitude, middle.latitude)
  const again = there && other.toWgs84(there.x, there.y)
  return again !== undefined && distance(middle, again) < SAME_METRES
}

/** Degrees from the west to the east of an area, which may cross the antimeridian. */
const widthOf = ([west, , east]: readonly number[]): number => {
  const width = east! - west!
  return width < 0 ? width + 360 : width
}
