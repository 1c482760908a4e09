import { inverseOf } from './linear.ts'
import type { CameraPose } from './three-points.ts'
import { cross, dot, sum, times, transposed, type Vector } from './vectors.ts'

/** Where something is seen: x and y at a distance of 1 along z. */
type Seen = readonly [number, number]

/** A surveyed point that a camera sees, at the centre of its tag. */
export type Sighting = {
  /** In metres: east, north, up. */
  point: Vector
  seen: Seen
  /** Standard deviations of the point in metres: east and north, up. */
  horizontal: number
  vertical: number
  /** Standard deviation of where it is seen, at a distance of 1. */
  angular: number
  /** The corners of its tag, if their places are known: they count instead of the centre. */
  square?: Square | undefined
}

/** The corners of a tag whose size and orientation are known. */
export type Square = {
  /** From the point, in metres: bottom left, bottom right, top right, top left. */
  offsets: readonly Vector[]
  seen: readonly Seen[]
  /** Standard deviations: of its orientation about each axis in radians, and of its size as a share of it. */
  turned: number
  scaled: number
}

/** A tag in a photo, and the surveyed points that carry it: several if the tag is used in several places. */
export type SeenTag = {
  sightings: readonly Sighting[]
  /** Its longest side, at a distance of 1. */
  side: number
}

const partsOf = ({ point, seen, square }: Sighting): { at: Vector; offset: Vector; seen: Seen }[] =>
  square
    ? square.offsets.map((offset, at) => ({ at: sum(point, offset), offset, seen: square.seen[at]! }))
    : [{ at: point, offset: [0, 0, 0], seen }]

/**
 * How far a sighting is from where a pose expects it: the differences, two for each point; for each, the point in front of the
 * camera and the derivative by its place; and the inverse of their covariance, from that of the pixels, the survey, and the
 * orientation and size of the tag. Undefined if a point is behind the camera.
 */
export function comparedAt({ rotation, translation }: CameraPose, sighting: Sighting) {
  const columns = transposed(rotation)
  const rows: { difference: number; inFront: Vector; across: Vector; inWorld: Vector; offset: Vector }[] = []
  for (const { at, offset, seen } of partsOf(sighting)) {
    const inFront = sum(times(rotation, at), translation)
    const [x, y, z] = inFront
    if (z <= 0) return undefined
    const both: readonly [Vector, Vector] = [
      [1 / z, 0, -x / (z * z)],
      [0, 1 / z, -y / (z * z)],
    ]
    const expected = [x / z, y / z] as const
    for (const [axis, across] of both.entries())
      rows.push({
        difference: seen[axis]! - expected[axis]!,
        inFront,
        across,
        inWorld: times(columns, across),
        offset,
      })
  }
  const { horizontal, vertical, angular, square } = sighting
  const along = rows.map(({ inWorld, offset }) => ({
    // Of the rotation of the tag: a · (ω × o) = ω · (o × a).
    turning: cross(offset, inWorld),
    growing: dot(offset, inWorld),
  }))
  const covariance = rows.map(({ inWorld: a }, i) =>
    rows.map(({ inWorld: b }, j) => {
      const surveyed = horizontal ** 2 * (a[0] * b[0] + a[1] * b[1]) + vertical ** 2 * a[2] * b[2]
      const seen = i === j ? angular ** 2 : 0
      if (!square) return surveyed + seen
      const turned = square.turned ** 2 * dot(along[i]!.turning, along[j]!.turning)
      return surveyed + seen + turned + square.scaled ** 2 * along[i]!.growing * along[j]!.growing
    }),
  )
  const weight = rows.length === 2 ? inverseOfTwo(covariance) : inverseOf(covariance)
  return weight && { rows, weight }
}

function inverseOfTwo(matrix: number[][]): number[][] {
  const [[xx, xy], [, yy]] = matrix as [[number, number], [number, number]]
  const determinant = xx * yy - xy * xy
  return [
    [yy / determinant, -xy / determinant],
    [-xy / determinant, xx / determinant],
  ]
}

/** Of the corners of a tag, eight numbers, the square may be larger by this for the same probability as that of a centre. */
const EIGHT = Math.sqrt(24.2 / 12.25)

/** The distance between where a tag is seen and where it should be, in standard deviations; infinite behind the camera. */
export function deviationOf(pose: CameraPose, sighting: Sighting): number {
  const compared = comparedAt(pose, sighting)
  if (!compared) return Number.POSITIVE_INFINITY
  const { rows, weight } = compared
  let square = 0
  for (const [i, a] of rows.entries())
    for (const [j, b] of rows.entries()) square += a.difference * weight[i]![j]! * b.difference
  return Math.sqrt(Math.max(0, square)) / (rows.length > 2 ? EIGHT : 1)
}
