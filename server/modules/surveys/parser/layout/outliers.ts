import type { Pair } from './axes.ts'

/** Maximum distance of a point from the centre of a survey, in degrees. */
const NEAR_DEGREES = 2

/**
 * A sample without its outliers: at most one row in five, or one of three rows or more. An outlier is an error of its
 * row, not a different layout. If more rows differ, all are kept.
 */
export function withoutOutliers<Row>(rows: readonly Row[], isUsual: (row: Row) => boolean): readonly Row[] {
  const usual = rows.filter(isUsual)
  const slips = rows.length - usual.length
  return slips <= rows.length / 5 || (slips === 1 && rows.length > 2) ? usual : rows
}

/** Pairs that may be degrees, without outliers. Metres are returned unchanged. */
export function pairsWithoutOutliers(pairs: readonly Pair[]): readonly Pair[] {
  const known = withoutOutliers(pairs, (pair) => pair.every(Number.isFinite))
  const middle = [0, 1].map((i) => median(known.map((pair) => pair[i]!)))
  if (middle.some((value) => !(Math.abs(value) <= 180))) return known
  return withoutOutliers(known, (pair) =>
    pair.every((value, i) => Math.abs(value) <= 180 && apart(value, middle[i]!) <= NEAR_DEGREES),
  )
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Degrees between two values, the short way around. */
const apart = (one: number, other: number): number => {
  const away = Math.abs(one - other)
  return Math.min(away, 360 - away)
}
