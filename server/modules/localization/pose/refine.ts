import { inverseOf, solve } from './linear.ts'
import type { CameraPose } from './three-points.ts'
import {
  difference,
  dot,
  type Matrix,
  product,
  rotationBy,
  scaled,
  sum,
  times,
  transposed,
  type Vector,
} from './vectors.ts'

/** A surveyed point that a camera sees. */
export type Sighting = {
  /** In metres: east, north, up. */
  point: Vector
  /** Where it is seen: x and y at a distance of 1 along z. */
  seen: readonly [number, number]
  /** Standard deviations of the point in metres: east and north, up. */
  horizontal: number
  vertical: number
  /** Standard deviation of where it is seen, at a distance of 1. */
  angular: number
}

const STEPS = 30

/**
 * Moves a pose to where the weighted sum of the squares of the errors is least: K. Levenberg's (1944) and D. Marquardt's (1963)
 * method on rotations and translations (J. Solà et al., A micro Lie theory, 2018). @returns the pose, the sum, and the
 * covariance of small motions of the camera in its own axes, translation before rotation; undefined if it does not settle
 */
export function refined(start: CameraPose, sightings: readonly Sighting[]) {
  let pose = start
  let state = equationsAt(pose, sightings)
  let damping = 1e-4
  for (let step = 0; step < STEPS && state; step++) {
    const { normal, gradient, error } = state
    const damped = normal.map((row, i) => row.map((value, j) => (i === j ? value * (1 + damping) : value)))
    const motion = solve(damped, gradient)
    if (!motion) return undefined
    const moved = movedBy(pose, motion)
    const next = equationsAt(moved, sightings)
    if (next && next.error <= error) {
      const isSettled = error - next.error <= 1e-12 * (1 + error)
      ;[pose, state, damping] = [moved, next, damping / 10]
      if (isSettled) break
    } else damping *= 10
    if (damping > 1e10) break
  }
  const covariance = state && inverseOf(state.normal)
  return state && covariance && { pose, error: state.error, covariance }
}

function movedBy({ rotation, translation }: CameraPose, motion: readonly number[]): CameraPose {
  const turn = rotationBy(motion.slice(3) as unknown as Vector)
  return {
    rotation: product(turn, rotation),
    translation: sum(times(turn, translation), motion.slice(0, 3) as unknown as Vector),
  }
}

/** The normal equations; undefined if a point is behind the camera. */
function equationsAt({ rotation, translation }: CameraPose, sightings: readonly Sighting[]) {
  const normal = Array.from({ length: 6 }, () => new Array<number>(6).fill(0))
  const gradient = new Array<number>(6).fill(0)
  let error = 0
  for (const sighting of sightings) {
    const [x, y, z] = sum(times(rotation, sighting.point), translation)
    if (z <= 0) return undefined
    const across: readonly [Vector, Vector] = [
      [1 / z, 0, -x / (z * z)],
      [0, 1 / z, -y / (z * z)],
    ]
    const residual = [sighting.seen[0] - x / z, sighting.seen[1] - y / z] as const
    const weight = weightOf(sighting, across, rotation)
    // Translation, and rotation: the derivative of ω × p is −[p]×.
    const rows = across.map((v) => [...v, v[2] * y - v[1] * z, v[0] * z - v[2] * x, v[1] * x - v[0] * y])
    for (const [i, a] of rows.entries())
      for (const [j, b] of rows.entries()) {
        const w = weight[i]![j]!
        error += residual[i]! * w * residual[j]!
        for (let m = 0; m < 6; m++) {
          gradient[m]! += a[m]! * w * residual[j]!
          for (let n = 0; n < 6; n++) normal[m]![n]! += a[m]! * w * b[n]!
        }
      }
  }
  return { normal, gradient, error }
}

/** The inverse covariance of where a point is seen, from that of the pixel and that of the survey. */
function weightOf({ horizontal, vertical, angular }: Sighting, across: readonly [Vector, Vector], rotation: Matrix) {
  const columns = transposed(rotation)
  const [a, b] = across.map((v) => times(columns, v)) as [Vector, Vector]
  const surveyed = (v: Vector, w: Vector) => horizontal ** 2 * (v[0] * w[0] + v[1] * w[1]) + vertical ** 2 * v[2] * w[2]
  const [xx, xy, yy] = [surveyed(a, a) + angular ** 2, surveyed(a, b), surveyed(b, b) + angular ** 2]
  const determinant = xx * yy - xy * xy
  return [
    [yy / determinant, -xy / determinant],
    [-xy / determinant, xx / determinant],
  ]
}

/** Where the camera is, in metres: east, north, up. */
export const centreOf = ({ rotation, translation }: CameraPose): Vector =>
  scaled(times(transposed(rotation), translation), -1)

/** The distance between where a point is seen and where it should be, in standard deviations; infinite behind the camera. */
export function deviationOf({ rotation, translation }: CameraPose, sighting: Sighting): number {
  const [x, y, z] = sum(times(rotation, sighting.point), translation)
  if (z <= 0) return Number.POSITIVE_INFINITY
  const across: readonly [Vector, Vector] = [
    [1 / z, 0, -x / (z * z)],
    [0, 1 / z, -y / (z * z)],
  ]
  const [[xx, xy], [, yy]] = weightOf(sighting, across, rotation) as [[number, number], [number, number]]
  const [u, v] = [sighting.seen[0] - x / z, sighting.seen[1] - y / z]
  return Math.sqrt(u * u * xx + 2 * u * v * xy + v * v * yy)
}

/** Whether two poses are of one place, by a share of the distance to the points. */
export const isNear = (a: CameraPose, b: CameraPose, metres: number): boolean =>
  dot(difference(centreOf(a), centreOf(b)), difference(centreOf(a), centreOf(b))) < metres * metres
