import type { Feature, FeatureCollection, Point } from 'geojson'
import { fromUtm, toUtm, utmZone } from './utm.ts'

type View = { west: number; south: number; east: number; north: number }
type Grid = { lines: FeatureCollection; labels: FeatureCollection }

/** Minimum distance between lines, in pixels. */
const CLOSEST = 90
const STEPS = [10, 100, 1000, 10_000, 100_000]
const MAX_LINES = 60
/** The height of the buttons over the upper edge of a map, in pixels. */
export const BUTTONS_HEIGHT = 56
const METRES_PER_DEGREE = 111_320
/** Transverse Mercator is not useful beyond this latitude. */
const HIGHEST = 84
const BENDS = 6

/** A UTM grid whose step fits the scale, with a major line every ten lines and labels along the left and top edges. @param pixel metres per pixel @param covered how far buttons reach along the upper edge, in pixels */
export function gridOf({ west, south, east, north }: View, pixel: number, covered: number): Grid {
  const step = STEPS.find((metres) => metres / pixel >= CLOSEST)
  if (!step || north > HIGHEST || south < -HIGHEST || east - west > 40) return { lines: of([]), labels: of([]) }
  const zone = utmZone((west + east) / 2)
  const corners = [west, (west + east) / 2, east].flatMap((lon) => [south, north].map((lat) => toUtm(zone, lat, lon)))
  const easts = between(
    corners.map((corner) => corner.east),
    step,
  )
  const norths = between(
    corners.map((corner) => corner.north),
    step,
  )
  const [low, high] = [norths[0]! - step, norths.at(-1)! + step]
  const [left, right] = [easts[0]! - step, easts.at(-1)! + step]
  const at = (from: number, to: number, part: number) => from + ((to - from) * part) / BENDS
  const line = (value: number, pointAt: (part: number) => [number, number]): Feature => ({
    type: 'Feature',
    geometry: { type: 'LineString', coordinates: Array.from({ length: BENDS + 1 }, (_, part) => pointAt(part)) },
    properties: { isMain: value % (10 * step) === 0 },
  })
  const isClear = ({ geometry }: LabelFeature) => {
    const [lon, lat] = geometry.coordinates as [number, number]
    const right = (lon - west) * METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180)
    const down = (north - lat) * METRES_PER_DEGREE
    return right > covered * pixel || down > BUTTONS_HEIGHT * pixel
  }
  return {
    lines: of([
      ...easts.map((value) => line(value, (part) => fromUtm(zone, value, at(low, high, part)))),
      ...norths.map((value) => line(value, (part) => fromUtm(zone, at(left, right, part), value))),
    ]),
    labels: of(
      [
        ...easts.map((value) => {
          const [lon] = fromUtm(zone, value, high - step)
          const point = fromUtm(zone, value, toUtm(zone, north, lon).north)
          return label(point, `${kilometres(value, step)} km E`, 'top-left', [0.3, 0.5])
        }),
        ...norths.map((value) => {
          const [, lat] = fromUtm(zone, left + step, value)
          const point = fromUtm(zone, toUtm(zone, lat, west).east, value)
          return label(
            point,
            `${kilometres(Math.abs(value), step)} km ${value < 0 ? 'S' : 'N'}`,
            'bottom-left',
            [0.5, 0],
          )
        }),
      ].filter(isClear),
    ),
  }
}

const of = (features: Feature[]): FeatureCollection => ({ type: 'FeatureCollection', features })

/** The multiples of `step` within the range of `values`, plus one on either side. */
function between(values: number[], step: number): number[] {
  const first = Math.floor(Math.min(...values) / step)
  const count = Math.min(MAX_LINES, Math.ceil(Math.max(...values) / step) - first + 1)
  return Array.from({ length: count }, (_, i) => (first + i) * step)
}

const kilometres = (metres: number, step: number) => (metres / 1000).toFixed(step >= 1000 ? 0 : step === 100 ? 1 : 2)

type LabelFeature = Feature<Point>

const label = (
  coordinates: [number, number],
  text: string,
  anchor: string,
  offset: [number, number],
): LabelFeature => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties: { label: text, anchor, offset },
})
