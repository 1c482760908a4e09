import { isBandS } from '../../../reference-systems/band-s.ts'
import type { Crs } from '../../../reference-systems/crs.ts'
import { inArea } from '../../../reference-systems/in-area.ts'
import type { InZone } from './layout.ts'

/** Two numbers of a row, in file order. */
export type Pair = readonly [first: number, second: number]

/** Evidence for the order of two columns: how many rows are possible in either order. */
export type AxesCount = { asIs: number; swapped: number; of: number }

/** Counts the rows whose first number can be the easting (or longitude) and the second the northing, and vice versa. */
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

/** Whether the first number is the northing: one reading fits all rows, or the other none; undefined if undecided. */
export function northingFirst({ asIs, swapped, of }: AxesCount): boolean | undefined {
  const all = [asIs, swapped].filter((count) => count === of).length
  const some = [asIs, swapped].filter((count) => count > 0).length
  return of === 0 || (all !== 1 && some !== 1) ? undefined : swapped > asIs
}

/** Distance range of points on the ground from the earth's centre, in metres. */
const EARTH = { least: 6_330_000, most: 6_400_000 }

/** Whether a name was found, and its system has a grid. */
export const isProjected = (found: Crs | string): boolean => typeof found === 'object' && found.kind === 'projected'

/** Whether x, y and z are geocentric (ECEF): they are near the earth's surface. */
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

/** Width of a UTM zone in degrees, and the zone that represents all. */
const ZONE_DEGREES = 6
const ANY_ZONE = 31

/** The share of the points that must be in their zone: the axes of some rows may be exchanged. */
const MOST = 2 / 3

/** Whether most pairs can be coordinates of a system, in either order. */
export function areMostlyIn(pairs: readonly Pair[], crs: Crs, inZone: InZone | undefined): boolean {
  const { asIs, swapped, of } = countAxes(pairs, crs, inZone)
  return of > 0 && Math.max(asIs, swapped) >= of * MOST
}

/**
 * Codes of systems, UTM first, in which most points are in their zone. For proposals only.
 * @param usual the systems to try instead, of a format whose eastings come first
 */
export function fittingSystems(
  pairs: readonly Pair[],
  find: (text: string) => Crs | string,
  inZone: InZone,
  usual?: readonly string[],
): string[] {
  const national = (usual ?? nationalCodes.map((code) => `EPSG:${code}`)).filter((text) => {
    const crs = find(text)
    if (typeof crs === 'string') return false
    const { asIs, swapped, of } = countAxes(pairs, crs, inZone)
    return of > 0 && (asIs >= of * MOST || (!usual && swapped >= of * MOST))
  })
  return usual ? national : [...fittingZones(pairs, find, inZone), ...national]
}

/** UTM zones differ only by their meridian: one projection gives the candidates of all. */
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
    const ways = [placed(false), placed(true)]
    const lies = (zone: number) =>
      ways.some((places) => {
        const within = places.filter((place) => {
          if (place === undefined) return false
          const shifted = place.longitude + (zone - ANY_ZONE) * ZONE_DEGREES
          return inZone(place.latitude, ((((shifted + 180) % 360) + 360) % 360) - 180)
        })
        return within.length >= places.length * MOST
      })
    return zones.filter(lies).map((zone) => `EPSG:${hemisphere + zone}`)
  })
}
