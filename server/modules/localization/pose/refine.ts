import { inverseOf, solve } from './linear.ts'
import { comparedAt, type Sighting } from './sighting.ts'
import type { CameraPose } from './three-points.ts'
import { cross, difference, dot, product, rotationBy, scaled, sum, times, transposed, type Vector } from './vectors.ts'

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
function equationsAt(pose: CameraPose, sightings: readonly Sighting[]) {
  const normal = Array.from({ length: 6 }, () => new Array<number>(6).fill(0))
  const gradient = new Array<number>(6).fill(0)
  let error = 0
  for (const sighting of sightings) {
    const compared = comparedAt(pose, sighting)
    if (!compared) return undefined
    const { rows, weight } = compared
    // Translation, and rotation: the derivative of ω × p is −[p]×.
    const derivatives = rows.map(({ across: v, inFront }) => [...v, ...cross(inFront, v)])
    for (const [i, a] of derivatives.entries())
      for (const [j, b] of derivatives.entries()) {
        const w = weight[i]![j]!
        const weighted = w * rows[j]!.difference
        error += rows[i]!.difference * weighted
        for (let m = 0; m < 6; m++) {
          gradient[m]! += a[m]! * weighted
          for (let n = 0; n < 6; n++) normal[m]![n]! += a[m]! * w * b[n]!
        }
      }
  }
  return { normal, gradient, error }
}

/** Where the camera is, in metres: east, north, up. */
export const centreOf = ({ rotation, translation }: CameraPose): Vector =>
  scaled(times(transposed(rotation), translation), -1)

/** Whether two poses are of one place, by a share of the distance to the points. */
export const isNear = (a: CameraPose, b: CameraPose, metres: number): boolean =>
  dot(difference(centreOf(a), centreOf(b)), difference(centreOf(a), centreOf(b))) < metres * metres
