import type { Zone } from '@cairn/sdk'

type Position = number[]
type Ring = Position[]
type Boundary = NonNullable<Zone['boundary']>

/** Where the name of a zone is drawn: the centroid of its largest area or, if that is outside it or in a hole, the middle of the widest stretch of the area at the latitude of the centroid. */
export function labelPointOf({ type, coordinates }: Boundary): Position {
  const areas = (type === 'Polygon' ? [coordinates] : coordinates) as Ring[][]
  const [largest] = areas.toSorted((a, b) => Math.abs(areaOf(b[0]!)) - Math.abs(areaOf(a[0]!)))
  const [outer] = largest!
  const [x, y] = centroidOf(outer!)
  const stretches = stretchesAt(largest!, y)
  if (stretches.length === 0 || stretches.some(([from, to]) => from <= x && x <= to)) return [x, y]
  const [[from, to]] = stretches.toSorted((a, b) => b[1] - b[0] - (a[1] - a[0])) as [[number, number]]
  return [(from + to) / 2, y]
}

/** Twice the signed area of each edge with the first corner, which keeps numbers small. */
const crossOf = (ring: Ring, i: number): number => {
  const [[x0, y0], [x1, y1], [x2, y2]] = [ring[0], ring[i], ring[i + 1]] as [[number, number], Position, Position]
  return (x1! - x0) * (y2! - y0) - (x2! - x0) * (y1! - y0)
}

const areaOf = (ring: Ring): number => ring.slice(0, -1).reduce((sum, _, i) => sum + crossOf(ring, i) / 2, 0)

function centroidOf(ring: Ring): [number, number] {
  const [x0, y0] = ring[0] as [number, number]
  const area = areaOf(ring)
  if (area === 0) return [x0, y0]
  const sums = ring.slice(0, -1).map((at, i) => {
    const [next, cross] = [ring[i + 1]!, crossOf(ring, i)]
    return [(at[0]! + next[0]! - 2 * x0) * cross, (at[1]! + next[1]! - 2 * y0) * cross]
  })
  const mean = (part: 0 | 1) => sums.reduce((sum, one) => sum + one[part]!, 0) / (6 * area)
  return [x0 + mean(0), y0 + mean(1)]
}

/** The stretches of an area with holes along a latitude, west to east. */
function stretchesAt(rings: Ring[], y: number): [number, number][] {
  const crossings = rings
    .flatMap((ring) =>
      ring.slice(0, -1).flatMap((at, i) => {
        const [[x1, y1], [x2, y2]] = [at, ring[i + 1]] as [[number, number], [number, number]]
        return y1 > y === y2 > y ? [] : [x1 + ((y - y1) * (x2 - x1)) / (y2 - y1)]
      }),
    )
    .sort((a, b) => a - b)
  return crossings.flatMap((from, i): [number, number][] => (i % 2 === 0 ? [[from, crossings[i + 1]!]] : []))
}
