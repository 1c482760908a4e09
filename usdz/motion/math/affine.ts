import { identity, type Matrix } from '../../scene/matrix.ts'
import { type Quaternion, quaternionFromColumns } from './quaternion.ts'

/** The upper left 3 × 3 part of a matrix, column by column. */
export type Linear = readonly number[]

export const linearPart = (m: Matrix): Linear => [m[0]!, m[1]!, m[2]!, m[4]!, m[5]!, m[6]!, m[8]!, m[9]!, m[10]!]
export const translationPart = (m: Matrix): readonly number[] => [m[12]!, m[13]!, m[14]!]

export function affineMatrix(l: Linear, t: readonly number[] = [0, 0, 0]): Matrix {
  return [l[0]!, l[1]!, l[2]!, 0, l[3]!, l[4]!, l[5]!, 0, l[6]!, l[7]!, l[8]!, 0, t[0]!, t[1]!, t[2]!, 1]
}

/** Applies a matrix to a point (w = 1) or a direction (w = 0). */
export const transform = (m: Matrix, p: ArrayLike<number>, w: 0 | 1): [number, number, number] => [
  m[0]! * p[0]! + m[4]! * p[1]! + m[8]! * p[2]! + m[12]! * w,
  m[1]! * p[0]! + m[5]! * p[1]! + m[9]! * p[2]! + m[13]! * w,
  m[2]! * p[0]! + m[6]! * p[1]! + m[10]! * p[2]! + m[14]! * w,
]

/** Inverts an affine matrix; undefined when it is singular or nearly singular. */
export function inverse(m: Matrix): Matrix | undefined {
  const [a, b, c, d, e, f, g, h, i] = linearPart(m) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const [A, B, C] = [e * i - f * h, f * g - d * i, d * h - e * g]
  const determinant = a * A + b * B + c * C
  const size = Math.hypot(a, b, c) * Math.hypot(d, e, f) * Math.hypot(g, h, i)
  if (!(Math.abs(determinant) > 1e-12 * size)) return undefined
  const l = [A, c * h - b * i, b * f - c * e, B, a * i - c * g, c * d - a * f, C, b * g - a * h, a * e - b * d]
  const inverted = affineMatrix(l.map((value) => value / determinant))
  if (!inverted.every(Number.isFinite)) return undefined
  const t = transform(inverted, translationPart(m), 0)
  return affineMatrix(linearPart(inverted), [-t[0], -t[1], -t[2]])
}

/**
 * Splits a linear map into a uniform scale and a rotation; a mirroring map has a negative scale.
 * @returns undefined for non-uniform scales and shears.
 */
export function uniformScaleAndRotation(l: Linear): { scale: number; rotation: Quaternion } | undefined {
  const lengths = [0, 3, 6].map((k) => Math.hypot(l[k]!, l[k + 1]!, l[k + 2]!))
  const size = Math.max(...lengths)
  if (!(size > 0)) return undefined
  const skew = [
    [0, 3],
    [0, 6],
    [3, 6],
  ].map(([p, q]) => [0, 1, 2].reduce((sum, k) => sum + l[p! + k]! * l[q! + k]!, 0))
  // Rotations are stored as single-precision floats: columns are orthogonal to seven digits only.
  const isEven =
    lengths.every((length) => size - length <= 2e-6 * size) && skew.every((s) => Math.abs(s) <= 2e-6 * size ** 2)
  if (!isEven) return undefined
  const mean = (lengths[0]! + lengths[1]! + lengths[2]!) / 3
  const scale = linearDeterminant(l) < 0 ? -mean : mean
  return { scale, rotation: quaternionFromColumns(l.map((value) => value / scale)) }
}

export const linearDeterminant = (l: Linear) =>
  l[0]! * (l[4]! * l[8]! - l[5]! * l[7]!) -
  l[3]! * (l[1]! * l[8]! - l[2]! * l[7]!) +
  l[6]! * (l[1]! * l[5]! - l[2]! * l[4]!)

export const isIdentityWithin = (m: Matrix, linear: number, translation: number) =>
  m.every((value, k) => Math.abs(value - identity[k]!) <= (k < 12 ? linear : translation))
