import Flatbush from 'flatbush'
import type { Boundary, Ring } from '../schema.ts'
import { createYielder } from '../yield-loop.ts'
import { type Box, boxOf, holds, type Point, polygons, type ShapeFault, sideOf } from './rings.ts'

type BoxedRing = { ring: Ring; box: Box; path: number[] }
type Area = { outer: BoxedRing; holes: BoxedRing[] }

/**
 * Returns the first misplaced ring, given rings that do not cross: a hole outside its outer ring or inside another
 * hole, or a polygon inside another one but not in a hole of it.
 */
export async function nestingFault(boundary: Boundary): Promise<ShapeFault | undefined> {
  const pace = createYielder()
  const areas = polygons(boundary).map(({ rings, path }): Area => {
    const [outer, ...holes] = rings.map((ring, i) => ({ ring, box: boxOf(ring), path: [...path, i] }))
    return { outer: outer!, holes }
  })
  for (const { outer, holes } of areas) {
    for (const hole of holes) {
      await pace()
      if (!isInside(hole, outer))
        return {
          message: 'a hole must lie inside the first ring of its polygon, which is the outer one',
          path: hole.path,
        }
    }
    for (const [hole, around] of await nested(holes)) {
      if (around)
        return { message: `a hole must not lie inside another one (ring ${around.path.join(', ')})`, path: hole.path }
    }
  }
  const outers = areas.map(({ outer }) => outer)
  for (const [outer, around] of await nested(outers, (inner, i) =>
    areas[i]!.holes.some((hole) => isInside(inner, hole)),
  )) {
    if (!around) continue
    const message = `polygons must not overlap: this one lies inside polygon ${around.path[0]}, not in a hole of it`
    return { message, path: outer.path.slice(0, -1) }
  }
  return undefined
}

/** Yields each ring with the first other one that it lies inside, unless `allowed` permits it. */
async function nested(
  rings: BoxedRing[],
  allowed: (inner: BoxedRing, around: number) => boolean = () => false,
): Promise<[BoxedRing, BoxedRing | undefined][]> {
  if (rings.length < 2) return []
  const pace = createYielder()
  const index = new Flatbush(rings.length)
  for (const { box } of rings) index.add(...box)
  index.finish()
  const found: [BoxedRing, BoxedRing | undefined][] = []
  for (const inner of rings) {
    await pace()
    const around = index
      .search(...inner.box)
      .find((i) => rings[i] !== inner && isInside(inner, rings[i]!) && !allowed(inner, i))
    found.push([inner, around === undefined ? undefined : rings[around]])
    if (around !== undefined) return found
  }
  return found
}

/**
 * Whether a ring lies inside another one that it does not cross: decided by the first of its positions that is not on
 * the other ring, otherwise by the middle of its first side.
 */
function isInside(inner: BoxedRing, outer: BoxedRing): boolean {
  if (!holds(outer.box, inner.box)) return false
  for (const point of inner.ring) {
    const side = sideOf(point, outer.ring)
    if (side !== 0) return side > 0
  }
  return sideOf(middle(inner.ring[0]!, inner.ring[1]!), outer.ring) >= 0
}

const middle = (a: Point, b: Point): Point => [(a[0]! + b[0]!) / 2, (a[1]! + b[1]!) / 2]
