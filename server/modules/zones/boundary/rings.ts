import { orient2d } from 'robust-predicates'
import type { Boundary, Ring } from '../schema.ts'

/** Longitude, latitude; further elements are ignored. */
export type Point = readonly number[]

/** A fault of a boundary, and its place in `coordinates`. */
export type ShapeFault = { message: string; path: (string | number)[] }

/** Each polygon of a boundary with its place in `coordinates`. */
export function polygons(boundary: Boundary): { rings: Ring[]; path: number[] }[] {
  if (boundary.type === 'Polygon') return [{ rings: boundary.coordinates, path: [] }]
  return boundary.coordinates.map((rings, i) => ({ rings, path: [i] }))
}

/** The number of positions of a boundary. */
export const positionsOf = (boundary: Boundary): number =>
  polygons(boundary).reduce((sum, { rings }) => sum + rings.reduce((all, ring) => all + ring.length, 0), 0)

export const isSame = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1]

/**
 * Positive if a, b, c turn left (north up), 0 if they are collinear; exact for the given numbers (Shewchuk's
 * predicates).
 */
export const turn = (a: Point, b: Point, c: Point): number => -orient2d(a[0]!, a[1]!, b[0]!, b[1]!, c[0]!, c[1]!)

/**
 * How a side from a to b relates to the ray that goes east from a point: it crosses the ray, contains the point itself,
 * or neither. Of the ends of a side the southern one counts. Uses an exact predicate, so that rounding never decides
 * about a point on a slanting side.
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

/** The position of a point relative to a closed ring: 1 inside, 0 on it, −1 outside. */
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

/** The bounding box of some positions. */
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

/** Whether one box contains the other. */
export const holds = (outer: Box, inner: Box): boolean =>
  inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
