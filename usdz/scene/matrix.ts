/**
 * 16 numbers in column-major order, as in glTF. Read in row-major order it is the matrix for USD, which uses row
 * vectors.
 */
export type Matrix = readonly number[]

export const identity: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

export const isIdentity = (m: Matrix) => m.every((value, index) => value === identity[index])

/** Multiplies two matrices; b is applied first. */
export function multiply(a: Matrix, b: Matrix): Matrix {
  const product: number[] = []
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0
      for (let k = 0; k < 4; k++) sum += a[k * 4 + row]! * b[column * 4 + k]!
      product.push(sum)
    }
  }
  return product
}

/** Composes a matrix from a translation, a unit quaternion (x y z w) and a scale: T · R · S. */
export function compose(translation: readonly number[], rotation: readonly number[], scale: readonly number[]): Matrix {
  const [x = 0, y = 0, z = 0, w = 1] = rotation
  const [sx = 1, sy = 1, sz = 1] = scale
  const [tx = 0, ty = 0, tz = 0] = translation
  return [
    (1 - 2 * (y * y + z * z)) * sx,
    2 * (x * y + z * w) * sx,
    2 * (x * z - y * w) * sx,
    0,
    2 * (x * y - z * w) * sy,
    (1 - 2 * (x * x + z * z)) * sy,
    2 * (y * z + x * w) * sy,
    0,
    2 * (x * z + y * w) * sz,
    2 * (y * z - x * w) * sz,
    (1 - 2 * (x * x + y * y)) * sz,
    0,
    tx,
    ty,
    tz,
    1,
  ]
}

/** Negative when the matrix mirrors. */
export const determinant = (m: Matrix) =>
  m[0]! * (m[5]! * m[10]! - m[9]! * m[6]!) -
  m[4]! * (m[1]! * m[10]! - m[9]! * m[2]!) +
  m[8]! * (m[1]! * m[6]! - m[5]! * m[2]!)
