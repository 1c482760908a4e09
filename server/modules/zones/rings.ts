import { orient2d } from 'robust-predicates'
import type { Boundary, Ring } from './schema.ts'

/** Longitude, latitude; what follows is not looked at. */
export type Point = readonly number[]

/** What is wrong with a boundary, and where in its `coordinates`. */
export type ShapeFault = { message: string; path: (string | number)[] }

/** Each polygon of a boundary with its place in `coordinates`. */
export function polygons(boundary: Boundary): { rings: Ring[]; path: number[] }[] {
  if (boundary.type === 'Polygon') return [{ rings: boundary.coordinates, path: [] }]
  return boundary.coordinates.map((rings, i) => ({ rings, path: [i] }))
}

export const isSame = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1]

/** Positive when a, b, c turn to the left (north being up), 0 when they are on one line: exact for the numbers given (Shewchuk's predicates). */
export const turn = (a: Point, b: Point, c: Point): number => -orient2d(a[0]!, a[1]!, b[0]!, b[1]!, c[0]!, c[1]!)

/**
 * Where a point is to a closed ring: 1 inside, 0 on its line, −1 outside. Counts the sides east of the point, each by
 * an exact predicate on the numbers as given, so that a point on a slanting side is neither in nor out by rounding.
 */
export function sideOf(point: Point, ring: readonly Point[]): -1 | 0 | 1 {
  const [x, y] = point as [number, number]
  let inside = false
  for (let i = 1; i < ring.length; i++) {
    const a = ring[i - 1]!
    const b = ring[i]!
    const [ax, ay, bx, by] = [a[0]!, a[1]!, b[0]!, b[1]!]
    if (ay > y === by > y) {
      if (ax === x && ay === y) return 0
      if (ay === y && by === y && ax > x !== bx > x) return 0
    } else if (ax > x && bx > x) inside = !inside
    else if (ax >= x || bx >= x) {
      const side = turn(a, b, point)
      if (side === 0) return 0
      if (side > 0 === by > ay) inside = !inside
    }
  }
  return inside ? 1 : -1
}

/** West, south, east and north of some positions. */
export type Box = readonly [west: number, south: number, east: number, north: number]

export function boxOf(points: readonly Point[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points as [number, number][]) {
    west = Math.min(west, x)
    south = Math.min(south, y)
    east = Math.max(east, x)
    north = Math.max(north, y)
  }
  return [west, south, east, north]
}

/** Whether the one box holds all of the other. */
export const holds = (outer: Box, inner: Box): boolean =>
  inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
