import { inverseOf } from '../../../modules/localization/pose/linear.ts'
import { dot, type Matrix, times, type Vector } from '../../../modules/localization/pose/vectors.ts'

/** The quantile of 95 % of the chi-squared distribution with three degrees of freedom. */
export const QUANTILE_95 = 7.815

/** The square of an error of a place in units of its covariance, of which the first three rows and columns count. */
export function squareOf(error: Vector, covariance: readonly (readonly number[])[]): number {
  const inverse = inverseOf(covariance.slice(0, 3).map((row) => row.slice(0, 3))) as unknown as Matrix
  return dot(error, times(inverse, error))
}
