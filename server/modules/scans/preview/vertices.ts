import type { Camera } from './camera.ts'
import type { Canvas } from './canvas.ts'

/** Points in camera space, and the matrix for their normals. */
export type Seen = {
  /** Column and row in samples, and the inverse distance (0: too near to be drawn). */
  screen: Float32Array
  /** Rows of the normal matrix; results are not of unit length. */
  normal: Float64Array
  /** Whether the transformation mirrors. */
  isMirrored: boolean
}

type Place = readonly number[]

/** Rows of the matrix from an instance to camera space: right, up, backwards. */
export function viewOf({ right, up, away, eye }: Camera, place: Place): Float64Array {
  const view = new Float64Array(12)
  for (const [row, axis] of [right, up, away].entries()) {
    for (let column = 0; column < 4; column++) {
      let sum = 0
      // Subtract the eye first: far from the origin, only differences are exact.
      for (let k = 0; k < 3; k++) sum += axis[k]! * (place[column * 4 + k]! - (column === 3 ? eye[k]! : 0))
      view[row * 4 + column] = sum
    }
  }
  return view
}

/** @param out has room for three numbers a point, and is reused */
export function seen(
  points: Float32Array,
  place: Place,
  camera: Camera,
  { width, height }: Canvas,
  out: Float32Array,
): Seen {
  const m = viewOf(camera, place)
  const focal = (camera.focal * height) / 480
  const [cx, cy] = [width / 2, height / 2]
  const [a, b, c, d, e, f, g, h, i, j, k, l] = m as unknown as number[] as [
    number,
    number,
    number,
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
  for (let at = 0; at < points.length; at += 3) {
    const x = points[at]!
    const y = points[at + 1]!
    const z = points[at + 2]!
    const depth = i * x + j * y + k * z + l
    const nearness = depth > camera.near ? 1 / depth : 0
    out[at] = cx + focal * (a * x + b * y + c * z + d) * nearness
    out[at + 1] = cy - focal * (e * x + f * y + g * z + h) * nearness
    out[at + 2] = nearness
  }
  return { screen: out, ...normalsOf(m) }
}

/** The cofactors of the linear part transform normals; a mirror reverses them. */
function normalsOf(m: Float64Array): Pick<Seen, 'normal' | 'isMirrored'> {
  const at = (row: number, column: number) => m[(row % 3) * 4 + (column % 3)]!
  const cofactor = (row: number, column: number) =>
    at(row + 1, column + 1) * at(row + 2, column + 2) - at(row + 1, column + 2) * at(row + 2, column + 1)
  const determinant = at(0, 0) * cofactor(0, 0) + at(0, 1) * cofactor(0, 1) + at(0, 2) * cofactor(0, 2)
  // Right, up and backwards are a left-handed space.
  const isMirrored = determinant > 0
  const normal = new Float64Array(9)
  for (let row = 0; row < 3; row++) {
    // Normals point toward the camera.
    const sign = (isMirrored ? 1 : -1) * (row === 2 ? -1 : 1)
    for (let column = 0; column < 3; column++) normal[row * 3 + column] = sign * cofactor(row, column)
  }
  return { normal, isMirrored }
}
