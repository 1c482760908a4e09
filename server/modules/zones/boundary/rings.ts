import { orient2d } from 'robust-predicates'
import type { Boundary, Ring } from '../schema.ts'

/** Longitude, latitude; what follows is not looked at. */
export type Point = readonly number[]

/** What is wrong with a boundary, and where in its `coordinates`. */
export type ShapeFault = { message: string; path: (string | number)[] }

/** Each polygon of a boundary with its place in `coordinates`. */
export function polygons(boundary: Boundary): { rings: Ring[]; path: number[] }[] {
  if (boundary.type === 'Polygon') return [{ rings: boundary.coordinates, path: [] }]
  return boundary.coordinates.map((rings, i) => ({ rings, path: [i] }))
}

/** How many positions a boundary has. */
export const positionsOf = (boundary: Boundary): number =>
  polygons(boundary).reduce((sum, { rings }) => sum + rings.reduce((all, ring) => all + ring.length, 0), 0)

export const isSame = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1]

/** Positive when a, b, c turn to the left (north being up), 0 when they are on one line: exact for the numbers given (Shewchuk's predicates). */
export const turn = (a: Point, b: Point, c: Point): number => -orient2d(a[0]!, a[1]!, b[0]!, b[1]!, c[0]!, c[1]!)

/**
 * How a side from a to b lies to the line that goes east from a point: it crosses that line, it holds the point itself,
 * or neither. Of the ends of a side the southern one counts. By an exact predicate on the numbers as given, so that a
 * point on a slanting side is neither in nor out by rounding.
 */
export function crossesEastOf(
  x: number,
  y: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
): 'crosses' | 'holds' | 'neither' {
  if (ay > y === by > y) {
    const isOn = (ax === x && ay === y) || (bx === x && by === y) || (ay === y && by === y && ax > x !== bx > x)
    return isOn ? 'holds' : 'neither'
  }
  if (ax < x && bx < x) return 'neither'
  if (ax > x && bx > x) return 'crosses'
  const side = -orient2d(ax, ay, bx, by, x, y)
  if (side === 0) return 'holds'
  return side > 0 === by > ay ? 'crosses' : 'neither'
}

/** Where a point is to a closed ring: 1 inside, 0 on its line, −1 outside. */
export function sideOf(point: Point, ring: readonly Point[]): -1 | 0 | 1 {
  const x = point[0]!
  const y = point[1]!
  let inside = false
  for (let i = 1; i < ring.length; i++) {
    const [a, b] = [ring[i - 1]!, ring[i]!]
    const found = crossesEastOf(x, y, a[0]!, a[1]!, b[0]!, b[1]!)
    if (found === 'holds') return 0
    if (found === 'crosses') inside = !inside
  }
  return inside ? 1 : -1
}

/** West, south, east and north of some positions. */
export type Box = readonly [west: number, south: number, east: number, north: number]

export function boxOf(points: readonly Point[]): Box {
  let west = Number.POSITIVE_INFINITY
  let south = Number.POSITIVE_INFINITY
  let east = Number.NEGATIVE_INFINITY
  let north = Number.NEGATIVE_INFINITY
  for (const point of points) {
    const x = point[0]!
    const y = point[1]!
    if (x < west) west = x
    if (x > east) east = x
    if (y < south) south = y
    if (y > north) north = y
  }
  return [west, south, east, north]
}

/** Whether the one box holds all of the other. */
export const holds = (outer: Box, inner: Box): boolean =>
  inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
