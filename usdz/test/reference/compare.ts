/**
 * The distance between two readings of the same meshes: matches each mesh of one with the nearest of the other, with the best
 * order of corners for each triangle. Meshes of different size never match.
 * @returns the largest distance of two corners relative to the diagonal of the first reading; Infinity if the meshes do
 * not match one to one.
 */
export function largestDistance(one: readonly Float64Array[], other: readonly Float64Array[]): number {
  return matched(
    one.map((corners) => [corners]),
    other.map((corners) => [corners]),
  ).worst
}

/** A mesh over time: its corners at each moment, x y z each, triangle by triangle. */
export type Moments = readonly Float64Array[]
export type Match = {
  /** Relative to the diagonal of the largest moment of the first reading. */
  worst: number
  /** The mesh of the first reading, and the moment. */
  mesh: number
  moment: number
}

/**
 * The same over time: meshes match over all moments, and distances are relative to the diagonal of the largest moment.
 * @param mayHaveMore whether the other reading may have unmatched meshes.
 */
export function matched(one: readonly Moments[], other: readonly Moments[], mayHaveMore = false): Match {
  const size = diagonalOf(one)
  const open = new Set(other.keys())
  const fits = mayHaveMore ? one.length <= other.length : one.length === other.length
  let match: Match = { worst: fits ? 0 : Infinity, mesh: -1, moment: -1 }
  for (const [mesh, moments] of one.entries()) {
    let best: { at: number; far: number; moment: number } = { at: -1, far: Infinity, moment: -1 }
    for (const at of open) {
      const found = farthest(moments, other[at]!, best.far)
      if (found.far < best.far) best = { at, ...found }
      if (best.far <= 1e-9 * size) break
    }
    open.delete(best.at)
    const worst = best.far === 0 ? 0 : best.far / size
    if (worst > match.worst) match = { worst, mesh, moment: best.moment }
  }
  return match
}

/** The largest distance of corners over all moments; stops once it exceeds `limit`. */
function farthest(one: Moments, other: Moments, limit: number): { far: number; moment: number } {
  let worst = { far: 0, moment: 0 }
  if (one.length !== other.length) return { far: Infinity, moment: 0 }
  for (const [moment, corners] of one.entries()) {
    const others = other[moment]!
    if (corners.length !== others.length) return { far: Infinity, moment }
    for (let triangle = 0; triangle < corners.length; triangle += 9) {
      const far = Math.sqrt(triangleDistance(corners, others, triangle))
      // Written so that NaN counts as the largest distance.
      if (!(far <= worst.far)) worst = { far: Number.isNaN(far) ? Infinity : far, moment }
      if (worst.far > limit) return worst
    }
  }
  return worst
}

const orders = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
] as const

/** The square of the largest distance of corresponding corners, in the best order of corners. */
function triangleDistance(one: Float64Array, other: Float64Array, start: number): number {
  let least = Infinity
  for (const order of orders) {
    let far = 0
    for (let corner = 0; corner < 3; corner++) {
      const [a, b] = [start + corner * 3, start + order[corner]! * 3]
      const square =
        (one[a]! - other[b]!) ** 2 + (one[a + 1]! - other[b + 1]!) ** 2 + (one[a + 2]! - other[b + 2]!) ** 2
      if (!(square <= far)) far = square
    }
    if (Number.isNaN(far)) return Number.NaN
    if (far < least) least = far
    if (least === 0) return 0
  }
  return least
}

/** The longest diagonal of the box around everything at one moment. */
function diagonalOf(meshes: readonly Moments[]): number {
  let longest = 0
  for (let moment = 0; moment < (meshes[0]?.length ?? 0); moment++) {
    const [low, high] = [
      [Infinity, Infinity, Infinity],
      [-Infinity, -Infinity, -Infinity],
    ]
    for (const mesh of meshes) {
      const corners = mesh[moment]!
      for (let i = 0; i < corners.length; i++) {
        low[i % 3] = Math.min(low[i % 3]!, corners[i]!)
        high[i % 3] = Math.max(high[i % 3]!, corners[i]!)
      }
    }
    longest = Math.max(longest, Math.hypot(...high.map((value, axis) => value - low[axis]!)))
  }
  return longest
}
