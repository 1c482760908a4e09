import { readAngle } from './angles.ts'
import { type Decimal, readNumber } from './numbers.ts'

/**
 * Both coordinates of a cell: `x` is the longitude or easting, `y` the latitude or northing. `srid` is the code of the
 * reference system in EWKT.
 */
export type CellPair = { x: number; y: number; z: number | undefined; srid?: number }

/** Maximum length of such a cell. */
const MAX_CHARACTERS = 200

/**
 * `POINT`, the letters of its dimensions, and its numbers (OGC Simple Features 1.2.1, 7; PostGIS for SRID and three
 * plain numbers).
 */
const WKT_POINT = /^(?:SRID ?= ?(\d{1,6}) ?; ?)?POINT ?(ZM|Z|M)? ?\(([^()]*)\)$/i

/** The third number of a point is its height, except with the letter M alone, a measure. */
function readWkt(text: string): CellPair | 'unread' | undefined {
  const [, srid, dimensions = '', inside] = WKT_POINT.exec(text.replace(/\s+/g, ' ')) ?? []
  if (inside === undefined) return undefined
  const values = inside
    .trim()
    .split(' ')
    .map((part) => readNumber(part, '.'))
  const [x, y, third] = values
  if (x === undefined || y === undefined || values.length > 4 || values.includes(undefined)) return 'unread'
  const z = dimensions.toUpperCase() === 'M' ? undefined : third
  return { x, y, z, ...(srid !== undefined && { srid: Number(srid) }) }
}

/**
 * Parses a cell with both coordinates: WKT and EWKT (`POINT Z (13.4 52.5 34)`, x before y), otherwise latitude and
 * longitude separated by a comma, semicolon, slash or space: `52.5, 13.4`, `52°31'12"N 13°24'18"E`, `N 52° 31.2' E 13° 24.3'`,
 * `(52.5; 13.4; 34)`.
 * `lonFirst` reverses the order of the latter.
 */
export function readPair(cell: string, decimal: Decimal, lonFirst: boolean): CellPair | undefined {
  const text = cell.trim()
  if (text.length > MAX_CHARACTERS) return undefined
  const wkt = readWkt(text)
  if (wkt) return wkt === 'unread' ? undefined : wkt
  const plain = text.replace(/^[([]|[)\]]$/g, '')
  for (const separator of [
    /;/,
    decimal === ',' ? /, / : /,/,
    /\//,
    /(?<=[NSEWO])[ ,]+(?=\S)/i,
    /[ ,]+(?=[NSEWO] ?\d)/i,
    /\s+/,
  ]) {
    const parts = plain.split(separator).map((part) => part.trim())
    if (parts.length < 2 || parts.length > 3) continue
    const [first, second] = [readAngle(parts[0]!, decimal), readAngle(parts[1]!, decimal)]
    if (!first || !second) continue
    const z = parts[2] === undefined ? undefined : readNumber(parts[2], decimal)
    const turned = lonFirst || (first.hemisphere !== undefined && 'EW'.includes(first.hemisphere))
    const [x, y] = turned ? [first.degrees, second.degrees] : [second.degrees, first.degrees]
    return { x, y, z }
  }
  return undefined
}
