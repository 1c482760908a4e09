import { type Point, type ShapeFault, turn } from './rings.ts'

/** The points at which rings touch, by number, with the neighbours of the point in each ring. */
export type Touches = {
  /** The number of every position, once something touches. */
  places: ReadonlyMap<Point, number> | undefined
  at: Map<number, { point: Point; passes: Map<number, [from: Point, to: Point]> }>
}
/** The polygon of a ring, and its place in `coordinates`. */
type RingPlace = { polygon: number; path: number[] }

/**
 * Returns the first point at which a ring passes through another one, or that closes off a part of a polygon's
 * interior.
 */
export function touchFault({ at }: Touches, rings: readonly RingPlace[]): ShapeFault | undefined {
  const parts = createParts()
  for (const [place, { point, passes }] of at) {
    const [x, y] = point
    const through = passingThrough(point, passes)
    if (through !== undefined) {
      const message = `the ring crosses another one at ${x}, ${y}: rings can touch in a point, but must not pass through each other`
      return { message, path: rings[through]!.path }
    }
    for (const ring of passes.keys()) {
      const { polygon, path } = rings[ring]!
      const closes = !parts.join(`ring ${ring}`, `place ${place} in ${polygon}`)
      if (!closes) continue
      const message = `with the touch at ${x}, ${y} the rings of this polygon cut its area into pieces: make a polygon of each piece`
      return { message, path }
    }
  }
  return undefined
}

/**
 * Rings that only touch nest around their common point like brackets: going round it, the last one opened closes first.
 * @returns a ring that does not
 */
function passingThrough(at: Point, passes: Map<number, [Point, Point]>): number | undefined {
  const ends = [...passes].flatMap(([ring, way]) => way.map((to) => ({ ring, to })))
  ends.sort((p, q) => half(at, p.to) - half(at, q.to) || -turn(at, p.to, q.to))
  const open: number[] = []
  const started = new Set<number>()
  for (const { ring } of ends) {
    if (open.at(-1) === ring) open.pop()
    else if (started.has(ring)) return Math.max(ring, open.at(-1)!)
    else open.push(ring)
    started.add(ring)
  }
  return undefined
}

/**
 * 0 for directions north of a point or due east of it, 1 for the others: within each half they can be ordered by
 * orientation.
 */
const half = (at: Point, to: Point): 0 | 1 => (to[1]! > at[1]! || (to[1] === at[1] && to[0]! > at[0]!) ? 0 : 1)

/**
 * Connected sets (union-find). `join` returns false if both already were connected: joining them then closes a cycle.
 */
function createParts() {
  const above = new Map<string, string>()
  const top = (part: string): string => {
    let at = part
    for (let next = above.get(at); next !== undefined; next = above.get(at)) {
      const beyond = above.get(next)
      if (beyond !== undefined) above.set(at, beyond)
      at = next
    }
    return at
  }
  return {
    join(one: string, other: string): boolean {
      const [a, b] = [top(one), top(other)]
      if (a === b) return false
      above.set(a, b)
      return true
    },
  }
}
