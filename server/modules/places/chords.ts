import { CHORD_MARGIN_METRES as MARGIN } from './geodesy.ts'

/** Minimum and maximum radius of curvature of WGS84, in metres: b²/a at the equator to the north, a²/b at the poles. */
export const MIN_RADIUS = 6_335_439
const GREATEST_RADIUS = 6_399_594
/** Beyond this distance, SQL's metres_between is not exact enough for comparison. */
const NEARLY_ANTIPODAL = 19_000_000

/** The minimum chord of two places at least `metres` apart (the most curved arc of the ellipsoid). */
export function minChord(metres: number): number {
  if (metres >= NEARLY_ANTIPODAL) return 2 * MIN_RADIUS * Math.sin(NEARLY_ANTIPODAL / 2 / MIN_RADIUS) - MARGIN
  return Math.max(0, 2 * MIN_RADIUS * Math.sin(metres / 2 / MIN_RADIUS) - MARGIN)
}

/** The maximum chord of two places at most `metres` apart (the least curved arc of the ellipsoid). */
export function greatestChord(metres: number): number {
  if (metres >= NEARLY_ANTIPODAL) return 2 * GREATEST_RADIUS
  return 2 * GREATEST_RADIUS * Math.sin(metres / 2 / GREATEST_RADIUS) + MARGIN
}

/** The same as SQL expression. */
export const greatestChordSql = (metres: string): string =>
  `case when ${metres} >= ${NEARLY_ANTIPODAL} then ${2 * GREATEST_RADIUS}
    else ${2 * GREATEST_RADIUS} * sin(${metres} / ${2 * GREATEST_RADIUS}) + ${MARGIN} end`
