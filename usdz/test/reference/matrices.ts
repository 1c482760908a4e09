/** A 4 × 4 matrix in column-major order, as in glTF: it multiplies column vectors from the left. */
export type Matrix = readonly number[]

export const identity: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

/** The product: `second` is applied first. */
export function times(first: Matrix, second: Matrix): Matrix {
  return Array.from({ length: 16 }, (_, at) => {
    const [row, column] = [at % 4, at - (at % 4)]
    let sum = 0
    for (let k = 0; k < 4; k++) sum += first[row + 4 * k]! * second[column + k]!
    return sum
  })
}

/** Scale, then rotation (by the quaternion x y z w), then translation: glTF 2.0 §3.5.3. */
export function placed(translation: readonly number[], rotation: readonly number[], scale: readonly number[]): Matrix {
  const [x, y, z, w] = unit(rotation) as [number, number, number, number]
  const turn = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ]
  return [...turn.flatMap((axis, i) => [...axis.map((value) => value * scale[i]!), 0]), ...translation.slice(0, 3), 1]
}

/** The inverse of an affine matrix whose 3 × 3 part is invertible. */
export function inverseOf(m: Matrix): Matrix {
  const at = (row: number, column: number) => m[(row % 3) + 4 * (column % 3)]!
  const minor = (row: number, column: number) =>
    at(row + 1, column + 1) * at(row + 2, column + 2) - at(row + 1, column + 2) * at(row + 2, column + 1)
  const determinant = at(0, 0) * minor(0, 0) + at(0, 1) * minor(0, 1) + at(0, 2) * minor(0, 2)
  const out = [...identity]
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) out[row + 4 * column] = minor(column, row) / determinant
  }
  for (let row = 0; row < 3; row++) {
    out[12 + row] = -(out[row]! * m[12]! + out[row + 4]! * m[13]! + out[row + 8]! * m[14]!)
  }
  return out
}

/** Normalizes a vector. */
export function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector)
  return vector.map((value) => (length > 0 ? value / length : value))
}

/** Slerp of unit quaternions along the shorter arc (glTF 2.0, appendix C.4). */
export function slerp(from: readonly number[], to: readonly number[], part: number): number[] {
  const dot = from.reduce((sum, value, i) => sum + value * to[i]!, 0)
  const angle = Math.acos(Math.min(1, Math.abs(dot)))
  const sign = dot < 0 ? -1 : 1
  if (angle < 1e-6) return unit(from.map((value, i) => value + (sign * to[i]! - value) * part))
  const [a, b] = [Math.sin((1 - part) * angle) / Math.sin(angle), (sign * Math.sin(part * angle)) / Math.sin(angle)]
  return from.map((value, i) => a * value + b * to[i]!)
}
