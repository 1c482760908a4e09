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

/**
 * Composes a matrix from a translation, a quaternion (x y z w) and a scale: T · R · S. The quaternion is normalised: rounded
 * ones, as of quantized instances, would scale the model.
 */
export function compose(translation: readonly number[], rotation: readonly number[], scale: readonly number[]): Matrix {
  const [x = 0, y = 0, z = 0, w = 1] = rotation
  const [sx = 1, sy = 1, sz = 1] = scale
  const [tx = 0, ty = 0, tz = 0] = translation
  const square = x * x + y * y + z * z + w * w
  const two = square === 0 ? 0 : 2 / square
  return [
    (1 - two * (y * y + z * z)) * sx,
    two * (x * y + z * w) * sx,
    two * (x * z - y * w) * sx,
    0,
    two * (x * y - z * w) * sy,
    (1 - two * (x * x + z * z)) * sy,
    two * (y * z + x * w) * sy,
    0,
    two * (x * z + y * w) * sz,
    two * (y * z - x * w) * sz,
    (1 - two * (x * x + y * y)) * sz,
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
