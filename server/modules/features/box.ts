import { invalid } from '../../platform/errors.ts'
import type { DegreeBox } from '../places/degree-boxes.ts'
import { type EarthBox, earthBox } from '../places/earth-box.ts'

/** What a bbox asks for: parts of the map, each with the box in space that holds it, and heights in metres above the ellipsoid. */
export type Bbox = {
  parts: (DegreeBox & { space: EarthBox })[]
  heights: { lowest: number; highest: number } | undefined
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
const fault = (message: string) => invalid([{ code: 'custom', message, path: ['bbox'] }])

/**
 * Reads a bbox as OGC API Features has it (17-069r4, 7.15.3). What a map shows beyond 180° or a pole is taken for what
 * lies there: longitudes go round, latitudes end. @throws 400
 */
export function readBbox(text: string): Bbox {
  const cells = text.split(',').map((cell) => cell.trim())
  if (cells.length !== 4 && cells.length !== 6)
    throw fault(`bbox has ${cells.length} numbers: write west,south,east,north`)
  const wrong = cells.find((cell) => !NUMBER.test(cell) || !Number.isFinite(Number(cell)))
  if (wrong !== undefined) throw fault(`"${wrong.slice(0, 60)}" in bbox is not a number`)
  const numbers = cells.map(Number)
  const [west, south, lowest, east, north, highest] =
    numbers.length === 6 ? numbers : [numbers[0], numbers[1], undefined, numbers[2], numbers[3], undefined]
  if (south! > north!) throw fault('the second number of bbox is its southern edge and may not lie north of the other')
  if (lowest !== undefined && lowest > highest!) throw fault('the lowest height of bbox lies above the highest')
  const heights = lowest === undefined ? undefined : { lowest, highest: highest! }
  if (south! > 90 || north! < -90) return { parts: [], heights }
  const [bottom, top] = [Math.max(south!, -90), Math.min(north!, 90)]
  const parts = ranges(west!, east!).map(([from, to]) => ({
    west: from,
    south: bottom,
    east: to,
    north: top,
    space: earthBox(from, bottom, to, top),
  }))
  return { parts, heights }
}

/** The longitudes from west to east, as ranges within −180..180. Both writings of the meridian at 180° are in, if one is. */
function ranges(west: number, east: number): [number, number][] {
  if (east - west >= 360) return [[-180, 180]]
  const [from, to] = [round(west), round(east)]
  const whole: [number, number][] =
    from <= to
      ? [[from, to]]
      : [
          [from, 180],
          [-180, to],
        ]
  const same: [number, number][] = []
  if (whole.some(([start]) => start === -180) && !whole.some(([, end]) => end === 180)) same.push([180, 180])
  if (whole.some(([, end]) => end === 180) && !whole.some(([start]) => start === -180)) same.push([-180, -180])
  return [...whole, ...same]
}

const round = (longitude: number): number =>
  Math.abs(longitude) <= 180 ? longitude : ((((longitude + 180) % 360) + 360) % 360) - 180
