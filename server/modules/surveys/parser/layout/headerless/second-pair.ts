import { type Decimal, readGrouped } from '../../rows/values/numbers.ts'

/** Metres of a degree. */
const DEGREE = 111_320
/** The units of one pair in those of the other: both in metres, or one in degrees. */
const SCALES = [1, DEGREE, 1 / DEGREE]
/** A degree of longitude is shorter than one of latitude, and grids are turned against each other. */
const TOLERANCE = 4
/** Decimals that heights and accuracies do not have. */
const DEGREES = /^\s*[+-]?\d{1,3}[.,]\d{5,}\s*$/

/**
 * Whether two columns are the same positions in another system, and no height with its accuracy: they spread as far as
 * the pair at `first`, or, in a file of one row, have the decimals of degrees.
 */
export function isSecondPair(rows: readonly string[][], first: number, at: number, decimal: Decimal): boolean {
  if (rows.length === 1) return [at, at + 1].every((index) => DEGREES.test(rows[0]![index] ?? ''))
  const spread = (index: number) => {
    const values = rows.flatMap((fields) => readGrouped(fields[index] ?? '', decimal) ?? [])
    return Math.max(...values) - Math.min(...values)
  }
  const [one, two, third, fourth] = [first, first + 1, at, at + 1].map(spread) as [number, number, number, number]
  const isAlike = (a: number, b: number) => a > 0 && b > 0 && Math.max(a / b, b / a) <= TOLERANCE
  const areAlike = (a: number, b: number) => SCALES.some((scale) => isAlike(one, a * scale) && isAlike(two, b * scale))
  return areAlike(third, fourth) || areAlike(fourth, third)
}
