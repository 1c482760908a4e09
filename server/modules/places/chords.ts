import { CHORD_MARGIN_METRES as MARGIN } from './geodesy.ts'

/** The least and the greatest radius of curvature of WGS84, in metres: b²/a at the equator to the north, a²/b at the poles. */
export const MIN_RADIUS = 6_335_439
const GREATEST_RADIUS = 6_399_594
/** From here on the figure in SQL (metres_between) is not exact enough to be compared by. */
const NEARLY_ANTIPODAL = 19_000_000

/** A chord that no two places `metres` or more apart are nearer than (an arc bent as much as the most bent part of the ellipsoid). */
export function minChord(metres: number): number {
  if (metres >= NEARLY_ANTIPODAL) return 2 * MIN_RADIUS * Math.sin(NEARLY_ANTIPODAL / 2 / MIN_RADIUS) - MARGIN
  return Math.max(0, 2 * MIN_RADIUS * Math.sin(metres / 2 / MIN_RADIUS) - MARGIN)
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
