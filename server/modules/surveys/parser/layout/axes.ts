import { isBandS } from '../../../reference-systems/band-s.ts'
import type { Crs } from '../../../reference-systems/crs.ts'
import { inArea } from '../../../reference-systems/in-area.ts'
import type { InZone } from './layout.ts'

/** Two numbers of a row as they stand, whichever is the northing. */
export type Pair = readonly [first: number, second: number]

/** What the sample says of the order of two columns: how many rows can be where they lead, either way. */
export type AxesCount = { asIs: number; swapped: number; of: number }

/** Counts the rows whose first number can be the easting (or longitude) and whose second the northing, and the other way. */
export function countAxes(pairs: readonly Pair[], crs: Crs | undefined, inZone: InZone | undefined): AxesCount {
  const fits = (east: number, north: number): boolean => {
    const place = crs ? crs.toWgs84(east, north) : { longitude: east, latitude: north }
    if (!place) return false
    const { longitude, latitude } = place
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return false
    if (crs?.area && (!inArea(crs.area, longitude, latitude) || isBandS(latitude, crs))) return false
    return !inZone || inZone(latitude, longitude)
  }
  return {
    asIs: pairs.filter(([a, b]) => fits(a, b)).length,
    swapped: pairs.filter(([a, b]) => fits(b, a)).length,
    of: pairs.length,
  }
}

/** Whether the first number is the northing: one reading fits all rows, or the other none; undefined if neither does. */
export function northingFirst({ asIs, swapped, of }: AxesCount): boolean | undefined {
  const all = [asIs, swapped].filter((count) => count === of).length
  const some = [asIs, swapped].filter((count) => count > 0).length
  return of === 0 || (all !== 1 && some !== 1) ? undefined : swapped > asIs
}

/** The earth's centre is so far from any point on its ground, in metres. */
const EARTH = { least: 6_330_000, most: 6_400_000 }

/** Whether x, y and z are counted from the earth's centre (ECEF): only then do they lie on its ground. */
export const isGeocentric = (rows: readonly (readonly (number | undefined)[])[]): boolean =>
  rows.length > 0 &&
  rows.every((row) => {
    const radius = Math.hypot(...row.map((value) => value ?? Number.NaN))
    return radius >= EARTH.least && radius <= EARTH.most
  })

/** Systems in wide use besides UTM: of Europe's countries, New Zealand, Israel, Korea and Hong Kong. */
const nationalCodes = [
  2056, 21781, 2154, 28992, 31370, 3812, 3006, 3067, 2180, 2176, 2177, 2178, 2179, 5514, 31287, 31254, 31255, 31256,
  3763, 23700, 31700, 3765, 3794, 3301, 3059, 3346, 2157, 2193, 2039, 5186, 2326,
]

/** Degrees from one zone of UTM to the next, and the zone that stands for all. */
const ZONE_DEGREES = 6
const ANY_ZONE = 31

/** The systems, UTM first, in which all of some points would lie in their zone, as codes: to propose, never to take. */
export function fittingSystems(pairs: readonly Pair[], find: (text: string) => Crs | string, inZone: InZone): string[] {
  const national = nationalCodes
    .map((code) => `EPSG:${code}`)
    .filter((text) => {
      const crs = find(text)
      if (typeof crs === 'string') return false
      const { asIs, swapped, of } = countAxes(pairs, crs, inZone)
      return of > 0 && (asIs === of || swapped === of)
    })
  return [...fittingZones(pairs, find, inZone), ...national]
}

/** The zones of UTM differ by their meridian alone: where a pair lies in one tells where it lies in all of them. */
function fittingZones(pairs: readonly Pair[], find: (text: string) => Crs | string, inZone: InZone): string[] {
  const zones = Array.from({ length: 60 }, (_, i) => i + 1)
  return [32600, 32700].flatMap((hemisphere) => {
    const crs = find(`EPSG:${hemisphere + ANY_ZONE}`)
    if (typeof crs === 'string' || pairs.length === 0) return []
    const placed = (swap: boolean) =>
      pairs.map(([a, b]) => {
        const place = swap ? crs.toWgs84(b, a) : crs.toWgs84(a, b)
        return place && inArea(crs.area!, place.longitude, place.latitude) ? place : undefined
      })
    const ways = [placed(false), placed(true)].filter((places) => places.every((place) => place !== undefined))
    const lies = (zone: number) =>
      ways.some((places) =>
        places.every(({ latitude, longitude }) => {
          const shifted = longitude + (zone - ANY_ZONE) * ZONE_DEGREES
          return inZone(latitude, ((((shifted + 180) % 360) + 360) % 360) - 180)
        }),
      )
    return zones.filter(lies).map((zone) => `EPSG:${hemisphere + zone}`)
  })
}
