import { invalid } from '../../../platform/errors.ts'
import { type DegreeBox, partsOf } from '../../places/degree-boxes.ts'
import type { Condition } from './properties.ts'

/** What a bbox asks for: parts of the map, and heights in metres above the ellipsoid. */
export type Bbox = {
  parts: DegreeBox[]
  heights: { lowest: number; highest: number } | undefined
  /** What places must also be in, if the edges are not straight in degrees. */
  outline?: Condition
  /** Leaves out features without a geometry, which match otherwise (17-069r4, 7.15.3). */
  placedOnly?: true
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
const fault = (message: string) => invalid([{ code: 'custom', message, path: ['bbox'] }])

/** The four or six numbers of a bbox. @throws 400 */
export function readNumbers(text: string): number[] {
  const cells = text.split(',').map((cell) => cell.trim())
  if (cells.length !== 4 && cells.length !== 6)
    throw fault(`bbox has ${cells.length} numbers: write west,south,east,north`)
  const wrong = cells.find((cell) => !NUMBER.test(cell) || !Number.isFinite(Number(cell)))
  if (wrong !== undefined) throw fault(`"${wrong.slice(0, 60)}" in bbox is not a number`)
  return cells.map(Number)
}

/**
 * Reads a bbox as OGC API Features has it (17-069r4, 7.15.3). What a map shows beyond 180° or a pole is taken for what
 * lies there: longitudes go round, latitudes end. @throws 400
 */
export function readBbox(text: string): Bbox {
  const numbers = readNumbers(text)
  const [west, south, lowest, east, north, highest] =
    numbers.length === 6 ? numbers : [numbers[0], numbers[1], undefined, numbers[2], numbers[3], undefined]
  if (south! > north!) throw fault('the second number of bbox is its southern edge and may not lie north of the other')
  if (lowest !== undefined && lowest > highest!) throw fault('the lowest height of bbox lies above the highest')
  const heights = lowest === undefined ? undefined : { lowest, highest: highest! }
  if (south! > 90 || north! < -90) return { parts: [], heights }
  const latitudes = { south: Math.max(south!, -90), north: Math.min(north!, 90) }
  const isRound = east! - west! >= 360
  const longitudes = isRound ? { west: -180, east: 180 } : { west: round(west!), east: round(east!) }
  return { parts: partsOf({ ...longitudes, ...latitudes }), heights }
}

const round = (longitude: number): number =>
  Math.abs(longitude) <= 180 ? longitude : ((((longitude + 180) % 360) + 360) % 360) - 180
