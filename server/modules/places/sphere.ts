import { type Ecef, CHORD_MARGIN_METRES as MARGIN, toEcef } from './geodesy.ts'

/** West, south, east, north in degrees. West greater than east: across 180°. */
export type LonLatBox = readonly [west: number, south: number, east: number, north: number]

/** The box in space that holds every place of a box in longitude and latitude. */
export function spaceOf([west, south, east, north]: LonLatBox): { low: Ecef; high: Ecef } {
  const widest = south > 0 ? south : north < 0 ? north : 0
  const narrowest = Math.abs(south) > Math.abs(north) ? south : north
  const [far, near] = [toEcef(widest, 0)[0], toEcef(narrowest, 0)[0]]
  const to = west > east ? east + 360 : east
  /** Whether the box has this meridian. */
  const has = (meridian: number) => [meridian, meridian + 360].some((one) => west <= one && one <= to)
  const [cosines, sines] = [Math.cos, Math.sin].map((of) =>
    [west, east].map((degrees) => of((degrees * Math.PI) / 180)),
  )
  const x = [has(-180) ? -1 : Math.min(...cosines!), has(0) ? 1 : Math.max(...cosines!)]
  const y = [has(-90) ? -1 : Math.min(...sines!), has(90) ? 1 : Math.max(...sines!)]
  /** The smallest and largest of radius × factor. */
  const low = (factor: number) => factor * (factor < 0 ? far : near) - MARGIN
  const high = (factor: number) => factor * (factor > 0 ? far : near) + MARGIN
  return {
    low: [low(x[0]!), low(y[0]!), toEcef(south, 0)[2] - MARGIN],
    high: [high(x[1]!), high(y[1]!), toEcef(north, 0)[2] + MARGIN],
  }
}

/** The least and the greatest radius of curvature of WGS84, in metres: b²/a at the equator to the north, a²/b at the poles. */
const LEAST_RADIUS = 6_335_439
const GREATEST_RADIUS = 6_399_594
/** From here on the figure in SQL (metres_between) is not exact enough to be compared by. */
const NEARLY_ANTIPODAL = 19_000_000

/** A chord that no two places `metres` or more apart are nearer than (an arc bent as much as the most bent part of the ellipsoid). */
export function leastChord(metres: number): number {
  if (metres >= NEARLY_ANTIPODAL) return 2 * LEAST_RADIUS * Math.sin(NEARLY_ANTIPODAL / 2 / LEAST_RADIUS) - MARGIN
  return Math.max(0, 2 * LEAST_RADIUS * Math.sin(metres / 2 / LEAST_RADIUS) - MARGIN)
}

/** A chord that no two places `metres` or less apart exceed (an arc bent as little as the least bent part of the ellipsoid). */
export function greatestChord(metres: number): number {
  if (metres >= NEARLY_ANTIPODAL) return 2 * GREATEST_RADIUS
  return 2 * GREATEST_RADIUS * Math.sin(metres / 2 / GREATEST_RADIUS) + MARGIN
}

/** The same in SQL, of an expression. */
export const greatestChordSql = (metres: string): string =>
  `case when ${metres} >= ${NEARLY_ANTIPODAL} then ${2 * GREATEST_RADIUS}
    else ${2 * GREATEST_RADIUS} * sin(${metres} / ${2 * GREATEST_RADIUS}) + ${MARGIN} end`
