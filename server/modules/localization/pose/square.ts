import type { CameraPose } from './three-points.ts'
import { cross, difference, type Matrix, product, times, transposed, unit, type Vector } from './vectors.ts'

type Seen = readonly [number, number]

/**
 * The two poses in which a camera sees a square in a plane, from the derivative of the projection at its centre: T. Collins and
 * A. Bartoli, Infinitesimal Plane-Based Pose Estimation, 2014. The tilt of a small or distant square may be either way.
 * @param offsets its corners from its centre, in order around it @param seen where they are seen
 */
export function posesOfSquare(centre: Vector, offsets: readonly Vector[], seen: readonly Seen[]): CameraPose[] {
  const [a, b, , d] = offsets as [Vector, Vector, Vector, Vector]
  const [right, up] = [unit(difference(b, a)), unit(difference(d, a))]
  const plane: Matrix = [right, up, cross(right, up)]
  const projected = centreOfSquare(seen, Math.hypot(...difference(b, a)))
  if (!projected) return []
  const { at, derivative } = projected
  return orientationsOf(at, derivative).map(({ rotation, depth }) => {
    // From the world to the plane of the square, and on to the camera.
    const turned = product(rotation, plane)
    const [x, y, z] = times(turned, centre)
    return { rotation: turned, translation: [at[0] * depth - x, at[1] * depth - y, depth - z] }
  })
}

/**
 * Where the centre of a square is seen, where its diagonals meet, and the derivative there by metres along its sides
 * (P. Heckbert, 1989, 2.2.3). @param seen its corners in order around it, without distortion
 */
export function centreOfSquare(seen: readonly Seen[], side = 1) {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = seen as [Seen, Seen, Seen, Seen]
  const [dx1, dx2, sx] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3]
  const [dy1, dy2, sy] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3]
  const determinant = dx1 * dy2 - dx2 * dy1
  const [g, h] = [(sx * dy2 - dx2 * sy) / determinant, (dx1 * sy - sx * dy1) / determinant]
  const [a, b, d, e] = [x1 - x0 + g * x1, x3 - x0 + h * x3, y1 - y0 + g * y1, y3 - y0 + h * y3]
  const w = (g + h) / 2 + 1
  const at: Seen = [((a + b) / 2 + x0) / w, ((d + e) / 2 + y0) / w]
  const per = w * side
  const derivative = [
    [(a - at[0] * g) / per, (b - at[0] * h) / per],
    [(d - at[1] * g) / per, (e - at[1] * h) / per],
  ] as const
  return derivative.flat().every(Number.isFinite) ? { at, derivative } : undefined
}

/** From the plane to the camera, and the depth of the centre: equations 20 to 33 of the article. */
function orientationsOf([p, q]: Seen, [[j00, j01], [j10, j11]]: readonly [Seen, Seen]) {
  const towards = towardsOf(p, q)
  // The derivative by the place in the plane, seen along the line to the centre.
  const [b00, b01, b10, b11] = [
    towards[0][0] - p * towards[2][0],
    towards[0][1] - p * towards[2][1],
    towards[1][0] - q * towards[2][0],
    towards[1][1] - q * towards[2][1],
  ]
  const determinant = b00 * b11 - b01 * b10
  const [a00, a01] = [(b11 * j00 - b01 * j10) / determinant, (b11 * j01 - b01 * j11) / determinant]
  const [a10, a11] = [(b00 * j10 - b10 * j00) / determinant, (b00 * j11 - b10 * j01) / determinant]
  const [xx, xy, yy] = [a00 * a00 + a01 * a01, a00 * a10 + a01 * a11, a10 * a10 + a11 * a11]
  const scale = Math.sqrt((xx + yy + Math.hypot(xx - yy, 2 * xy)) / 2)
  if (!(scale > 0)) return []
  const [r00, r01, r10, r11] = [a00 / scale, a01 / scale, a10 / scale, a11 / scale]
  const first = Math.sqrt(Math.max(0, 1 - r00 * r00 - r10 * r10))
  const other = Math.sqrt(Math.max(0, 1 - r01 * r01 - r11 * r11)) * (r00 * r01 + r10 * r11 > 0 ? -1 : 1)
  return [1, -1].map((sign) => {
    const [x, y]: [Vector, Vector] = [
      [r00, r10, sign * first],
      [r01, r11, sign * other],
    ]
    return { rotation: product(towards, transposed([x, y, cross(x, y)])), depth: 1 / scale }
  })
}

/** The rotation that brings the axis of the camera to the line of sight of a point (O. Rodrigues, 1840). */
function towardsOf(p: number, q: number): Matrix {
  const length = Math.hypot(p, q, 1)
  const [x, y, z] = [p / length, q / length, 1 / length]
  const k = 1 / (1 + z)
  return [
    [1 - k * x * x, -k * x * y, x],
    [-k * x * y, 1 - k * y * y, y],
    [-x, -y, z],
  ]
}
