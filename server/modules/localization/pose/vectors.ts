export type Vector = readonly [x: number, y: number, z: number]
/** Rows. */
export type Matrix = readonly [Vector, Vector, Vector]

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const sum = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
export const difference = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
export const scaled = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by]
export const length = (a: Vector): number => Math.hypot(...a)
export const unit = (a: Vector): Vector => scaled(a, 1 / length(a))
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
export const times = (m: Matrix, v: Vector): Vector => [dot(m[0], v), dot(m[1], v), dot(m[2], v)]
export const transposed = ([a, b, c]: Matrix): Matrix => [
  [a[0], b[0], c[0]],
  [a[1], b[1], c[1]],
  [a[2], b[2], c[2]],
]
export const product = (a: Matrix, b: Matrix): Matrix => {
  const columns = transposed(b)
  const row = (v: Vector): Vector => [dot(v, columns[0]), dot(v, columns[1]), dot(v, columns[2])]
  return [row(a[0]), row(a[1]), row(a[2])]
}

/** The rotation by a vector: its direction is the axis, its length the angle (O. Rodrigues, 1840). */
export function rotationBy(by: Vector): Matrix {
  const angle = length(by)
  const [s, c] = angle < 1e-9 ? [1, 0.5] : [Math.sin(angle) / angle, (1 - Math.cos(angle)) / (angle * angle)]
  const [x, y, z] = by
  return [
    [1 - c * (y * y + z * z), c * x * y - s * z, c * x * z + s * y],
    [c * x * y + s * z, 1 - c * (x * x + z * z), c * y * z - s * x],
    [c * x * z - s * y, c * y * z + s * x, 1 - c * (x * x + y * y)],
  ]
}
