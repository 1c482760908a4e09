import { readAngle } from './angles.ts'
import { type Decimal, readNumber } from './numbers.ts'

/** Both coordinates of a cell: `x` is the longitude or easting, `y` the latitude or northing. */
export type CellPair = { x: number; y: number; z: number | undefined }

/** No such cell is longer. */
const MAX_CHARACTERS = 200

/**
 * A cell with both coordinates: WKT and EWKT (`POINT Z (13.4 52.5 34)`, x before y), else latitude and longitude, with a
 * comma, semicolon, slash or gap between: `52.5, 13.4`, `52°31'12"N 13°24'18"E`, `(52.5; 13.4; 34)`. `lonFirst` turns
 * the order of the latter.
 */
export function readPair(cell: string, decimal: Decimal, lonFirst: boolean): CellPair | undefined {
  const text = cell.trim()
  if (text.length > MAX_CHARACTERS) return undefined
  const wkt = /^(?:SRID=\d+;)?POINT ?(?:Z|M|ZM)? ?\(([^()]*)\)$/i.exec(text.replace(/\s+/g, ' '))
  if (wkt) {
    const [x, y, z] = wkt[1]!
      .trim()
      .split(' ')
      .map((part) => readNumber(part, '.'))
    return x === undefined || y === undefined ? undefined : { x, y, z }
  }
  const plain = text.replace(/^[([]|[)\]]$/g, '')
  for (const separator of [/;/, decimal === ',' ? /, / : /,/, /\//, /(?<=[NSEWO])[ ,]+(?=\S)/i, /\s+/]) {
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
