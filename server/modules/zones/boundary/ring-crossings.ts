import type { Boundary } from '../schema.ts'
import { createYielder, yieldToEventLoop } from '../yield-loop.ts'
import { boxOverlaps } from './box-overlaps.ts'
import { type Touches, touchFault } from './ring-touches.ts'
import { isSame, type Point, polygons, type ShapeFault, turn } from './rings.ts'

/** A ring without repeated positions and without its closing one; `at` has the index of each in the ring as given. */
type CleanRing = { points: Point[]; at: number[]; polygon: number; path: number[] }
/** From `points[k]` to the next one of its ring. */
type Side = { ring: number; k: number; a: Point; b: Point }
/** Pairs of sides whose boxes overlap. A normal outline has a few per side; two hundred per side is hardly one. */
const MAX_COMPARED = 2_000_000
const entangled = ({ at, path }: CleanRing, k: number): ShapeFault => ({
  message:
    'too many lines of this boundary are close to each other to check it: remove positions, or split it into several zones',
  path: [...path, at[k]!],
})

type Meeting = 'apart' | 'cross' | 'overlap' | { touch: Point }

/**
 * Returns the first place where lines of a boundary cross or overlap, or where a ring touches itself: every two sides
 * whose boxes overlap are compared by exact predicates. As in Simple Features, rings may touch in single points, but
 * not pass through each other or split an interior.
 */
export async function crossingFault(boundary: Boundary): Promise<ShapeFault | undefined> {
  // Each step before the comparison takes some milliseconds for ten thousand positions: yield in between.
  await yieldToEventLoop()
  const rings = cleanRings(boundary)
  for (const ring of rings) {
    const spike = spikeFault(ring)
    if (spike) return spike
  }
  const sides = rings.flatMap(({ points }, ring) =>
    points.map((a, k): Side => ({ ring, k, a, b: points[(k + 1) % points.length]! })),
  )
  const overlapping = boxOverlaps(boxesOf(sides))
  await yieldToEventLoop()
  const touches: Touches = { places: undefined, at: new Map() }
  const pace = createYielder()
  let compared = 0
  for (const [i, side] of sides.entries()) {
    const rest = pace()
    if (rest) await rest
    let fault: ShapeFault | undefined
    overlapping(i, (j) => {
      if (++compared > MAX_COMPARED) return false
      fault = faultBetween(side, sides[j]!, rings, touches)
      return !fault
    })
    if (fault) return fault
    if (compared > MAX_COMPARED) return entangled(rings[side.ring]!, side.k)
  }
  return touchFault(touches, rings)
}

function cleanRings(boundary: Boundary): CleanRing[] {
  return polygons(boundary).flatMap(({ rings, path }, polygon) =>
    rings.map((ring, i) => {
      const at = ring.flatMap((point, k) => (k > 0 && isSame(point, ring[k - 1]!) ? [] : [k]))
      at.pop()
      return { points: at.map((k) => ring[k]!), at, polygon, path: [...path, i] }
    }),
  )
}

function boxesOf(sides: readonly Side[]): Float64Array {
  const boxes = new Float64Array(4 * sides.length)
  for (const [i, { a, b }] of sides.entries())
    for (const axis of [0, 1]) {
      boxes[4 * i + axis] = Math.min(a[axis]!, b[axis]!)
      boxes[4 * i + 2 + axis] = Math.max(a[axis]!, b[axis]!)
    }
  return boxes
}

/** A corner at which a ring turns straight back, so that it encloses nothing there. */
function spikeFault(ring: CleanRing): ShapeFault | undefined {
  const { points, at, path } = ring
  for (const [k, corner] of points.entries()) {
    const before = points.at(k - 1)!
    const after = points[(k + 1) % points.length]!
    if (turn(before, corner, after) !== 0 || !turnsBack(before, corner, after)) continue
    const message = `the ring turns straight back at position ${at[k]}, so that two lines overlap: remove that position`
    return { message, path: [...path, at[k]!] }
  }
  return undefined
}

/** For three collinear positions: whether both others lie on the same side of the middle one. */
const turnsBack = (before: Point, corner: Point, after: Point): boolean => {
  const axis = before[0] === corner[0] ? 1 : 0
  return before[axis]! < corner[axis]! === after[axis]! < corner[axis]!
}

/** The fault of how two sides meet that are not neighbours; a touch of two rings is recorded. */
function faultBetween(one: Side, two: Side, rings: CleanRing[], touches: Touches): ShapeFault | undefined {
  const [first, second] = [rings[one.ring]!, rings[two.ring]!]
  const sameRing = first === second
  if (sameRing && (two.k - one.k === 1 || two.k - one.k === first.points.length - 1)) return undefined
  const meeting = meetingOf(one, two)
  if (meeting === 'apart') return undefined
  if (typeof meeting === 'object' && !sameRing) {
    touches.places ??= placesOf(rings)
    const place = touches.places.get(meeting.touch)!
    for (const side of [one, two]) noteTouch(touches, place, meeting.touch, side, rings[side.ring]!.points)
    return undefined
  }
  const [from, to] = [first.at[one.k]!, second.at[two.k]!]
  const other = sameRing ? `after position ${from}` : `after position ${from} of ring ${first.path.join(', ')}`
  const how = meeting === 'cross' ? 'cross' : meeting === 'overlap' ? 'overlap' : 'touch'
  const message = `the line after position ${to} and the one ${other} ${how}: ${fixFor(first, second)}`
  return { message, path: [...second.path, to] }
}

function fixFor(one: CleanRing, two: CleanRing): string {
  if (one === two)
    return 'a ring must not touch itself: order its positions along the edge, or split it into two polygons'
  return one.polygon === two.polygon
    ? 'a hole must not leave its polygon or overlap another ring'
    : 'polygons of a boundary must not overlap or share an edge: merge them'
}

/** How two sides meet that are not neighbours in a ring. */
function meetingOf({ a, b }: Side, { a: c, b: d }: Side): Meeting {
  const [ofC, ofD] = [turn(a, b, c), turn(a, b, d)]
  if ((ofC > 0 && ofD > 0) || (ofC < 0 && ofD < 0)) return 'apart'
  const [ofA, ofB] = [turn(c, d, a), turn(c, d, b)]
  if ((ofA > 0 && ofB > 0) || (ofA < 0 && ofB < 0)) return 'apart'
  if (ofC === 0 && ofD === 0) return meetingOnLine(a, b, c, d)
  if (ofC === 0) return { touch: c }
  if (ofD === 0) return { touch: d }
  if (ofA === 0) return { touch: a }
  return ofB === 0 ? { touch: b } : 'cross'
}

/** What two collinear sides have in common. */
function meetingOnLine(a: Point, b: Point, c: Point, d: Point): Meeting {
  const axis = a[0] === b[0] ? 1 : 0
  const [low, high] = [a, b].sort((p, q) => p[axis]! - q[axis]!) as [Point, Point]
  const [start, end] = [c, d].sort((p, q) => p[axis]! - q[axis]!) as [Point, Point]
  const from = Math.max(low[axis]!, start[axis]!)
  const to = Math.min(high[axis]!, end[axis]!)
  if (from > to) return 'apart'
  return from < to ? 'overlap' : { touch: from === low[axis] ? low : start }
}

/** Numbers positions, equal ones alike: comparing coordinates takes long where thousands meet in one. */
function placesOf(rings: CleanRing[]): Map<Point, number> {
  const numbers = new Map<string, number>()
  const places = new Map<Point, number>()
  for (const point of rings.flatMap(({ points }) => points)) {
    const key = `${point[0]! + 0} ${point[1]! + 0}`
    const place = numbers.get(key) ?? numbers.size
    numbers.set(key, place)
    places.set(point, place)
  }
  return places
}

/** Records how a ring runs through a point where another touches it: where it comes from and goes to. */
function noteTouch({ at }: Touches, place: number, point: Point, { ring, k, a, b }: Side, points: Point[]): void {
  const there = at.get(place) ?? { point, passes: new Map() }
  at.set(place, there)
  if (there.passes.has(ring)) return
  const count = points.length
  if (isSame(point, a)) there.passes.set(ring, [points[(k + count - 1) % count]!, b])
  else if (isSame(point, b)) there.passes.set(ring, [a, points[(k + 2) % count]!])
  else there.passes.set(ring, [a, b])
}
