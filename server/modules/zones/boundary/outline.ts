import { orient2d } from 'robust-predicates'
import type { Boundary } from '../schema.ts'
import { type Box, crossesEastOf, polygons } from './rings.ts'

/** Sides per block: a test checks the block's box first. */
export const SIDES_A_BLOCK = 64

/**
 * A boundary prepared for tests of points and boxes: its rings in sequence as longitude, latitude, longitude …, each
 * followed by NaN NaN, and the box of every SIDES_A_BLOCK sides. `box` is the box of the whole. `chains`: for each
 * block, the last position of the ring that it begins in, and the first of the ring that it ends in.
 */
export type Outline = { positions: Float64Array; blocks: Float64Array; chains: Int32Array; box: Box }

/** Bytes of a position and its share of a block's box. */
export const BYTES_A_POSITION = 16 + 40 / SIDES_A_BLOCK

/** @param bytes as boundary_positions returns them (0017_zones.sql). What has its memory alone is changed and kept. */
export function outlineOf(bytes: Uint8Array): Outline {
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
  Buffer.from(own.buffer).swap64()
  const positions = new Float64Array(own.buffer)
  const blocks = boxesOf(positions)
  let [west, south, east, north] = EMPTY
  for (let at = 0; at < blocks.length; at += 4) {
    west = Math.min(west, blocks[at]!)
    south = Math.min(south, blocks[at + 1]!)
    east = Math.max(east, blocks[at + 2]!)
    north = Math.max(north, blocks[at + 3]!)
  }
  return { positions, blocks, chains: chainsOf(positions, blocks.length / 4), box: [west, south, east, north] }
}

/** Encodes a boundary as boundary_positions does, for outlineOf. */
export function outlineBytes(boundary: Boundary): Buffer {
  const rings = polygons(boundary).flatMap((polygon) => polygon.rings)
  const positions = new Float64Array(2 * rings.reduce((sum, ring) => sum + ring.length + 1, 0))
  let at = 0
  for (const ring of rings) {
    for (const [longitude, latitude] of [...ring, BETWEEN_RINGS]) {
      positions[at++] = longitude!
      positions[at++] = latitude!
    }
  }
  return Buffer.from(positions.buffer).swap64()
}

const BETWEEN_RINGS = [Number.NaN, Number.NaN]

const EMPTY: Box = [
  Number.POSITIVE_INFINITY,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
]

/** The box of each block: its positions and the next one, where its last side ends. */
function boxesOf(positions: Float64Array): Float64Array {
  const count = positions.length / 2
  const boxes = new Float64Array(4 * Math.ceil(count / SIDES_A_BLOCK))
  for (let block = 0; block * SIDES_A_BLOCK < count; block++) {
    let [west, south, east, north] = EMPTY
    const end = Math.min(count, (block + 1) * SIDES_A_BLOCK + 1)
    for (let i = block * SIDES_A_BLOCK; i < end; i++) {
      const x = positions[2 * i]!
      const y = positions[2 * i + 1]!
      if (x < west) west = x
      if (x > east) east = x
      if (y < south) south = y
      if (y > north) north = y
    }
    boxes.set([west, south, east, north], 4 * block)
  }
  return boxes
}

/** See `Outline.chains`; a block that begins or ends between two rings has that position itself. */
function chainsOf(positions: Float64Array, blocks: number): Int32Array {
  const chains = new Int32Array(2 * blocks)
  const last = positions.length / 2 - 1
  for (let block = 0; block < blocks; block++) {
    const start = block * SIDES_A_BLOCK
    const end = Math.min(last, start + SIDES_A_BLOCK)
    let leading = start
    if (!isGap(positions, start)) while (leading < end && !isGap(positions, leading + 1)) leading++
    let trailing = end
    // Without a gap, as in most blocks, all positions are of one chain.
    if (leading === end) trailing = start
    else if (!isGap(positions, end)) while (trailing > start && !isGap(positions, trailing - 1)) trailing--
    chains[2 * block] = leading
    chains[2 * block + 1] = trailing
  }
  return chains
}

const isGap = (positions: Float64Array, position: number): boolean => Number.isNaN(positions[2 * position]!)

/**
 * Whether an odd number of the sides of a block crosses a latitude. A chain of sides does if its ends lie on different
 * sides of it, and a whole ring never does.
 */
function crossesOddly({ positions, chains }: Outline, block: number, y: number): boolean {
  const isAbove = (position: number) => positions[2 * position + 1]! > y
  const start = block * SIDES_A_BLOCK
  const end = Math.min(positions.length / 2 - 1, start + SIDES_A_BLOCK)
  const leading = chains[2 * block]!
  const crosses = isAbove(start) !== isAbove(leading)
  return leading === end ? crosses : crosses !== (isAbove(chains[2 * block + 1]!) !== isAbove(end))
}

/**
 * Whether a point is inside the rings of an outline or on one. As they do not cross, it is inside if an odd number of
 * their sides lies east of it.
 */
function holdsPoint(outline: Outline, x: number, y: number): boolean {
  const { positions, blocks } = outline
  const count = positions.length / 2
  let inside = false
  for (let block = 0; 4 * block < blocks.length; block++) {
    const at = 4 * block
    if (blocks[at + 2]! < x || blocks[at + 1]! > y || blocks[at + 3]! < y) continue
    // Wholly east of the point.
    if (blocks[at]! > x) {
      if (crossesOddly(outline, block, y)) inside = !inside
      continue
    }
    const end = Math.min(count - 1, (block + 1) * SIDES_A_BLOCK)
    for (let i = 2 * block * SIDES_A_BLOCK; i < 2 * end; i += 2) {
      const ax = positions[i]!
      const bx = positions[i + 2]!
      // There is no side between rings.
      if (Number.isNaN(ax) || Number.isNaN(bx)) continue
      const found = crossesEastOf(x, y, ax, positions[i + 1]!, bx, positions[i + 3]!)
      if (found === 'holds') return true
      if (found === 'crosses') inside = !inside
    }
  }
  return inside
}

/**
 * Whether a point, in degrees, is inside a zone: planar in longitude and latitude, as in GeoJSON (RFC 7946 §3.1.1); the
 * boundary itself is inside, a hole is outside. Exact for the given numbers. 180 and −180 are the same meridian, and a
 * pole is one point: it is inside if the boundary reaches it anywhere.
 */
export function isInside(outline: Outline, latitude: number, longitude: number): boolean {
  const [, south, , north] = outline.box
  if (Math.abs(latitude) === 90) return latitude === south || latitude === north
  return (
    holdsPoint(outline, longitude, latitude) ||
    (Math.abs(longitude) === 180 && holdsPoint(outline, -longitude, latitude))
  )
}

/** Whether an outline and a box intersect: planar in degrees, as in GeoJSON, exact for the given numbers. */
export function touches(outline: Outline, [west, south, east, north]: Box): boolean {
  const { positions, blocks } = outline
  const count = positions.length / 2
  for (let block = 0; 4 * block < blocks.length; block++) {
    const at = 4 * block
    if (blocks[at + 2]! < west || blocks[at]! > east || blocks[at + 3]! < south || blocks[at + 1]! > north) continue
    const end = Math.min(count - 1, (block + 1) * SIDES_A_BLOCK)
    for (let i = 2 * block * SIDES_A_BLOCK; i < 2 * end; i += 2) {
      const [ax, ay, bx, by] = [positions[i]!, positions[i + 1]!, positions[i + 2]!, positions[i + 3]!]
      if (Number.isNaN(ax) || Number.isNaN(bx)) continue
      if ((ax < west && bx < west) || (ax > east && bx > east)) continue
      if ((ay < south && by < south) || (ay > north && by > north)) continue
      // The boxes of both overlap: they intersect unless the box lies on one side of the line.
      const sides = [
        orient2d(ax, ay, bx, by, west, south),
        orient2d(ax, ay, bx, by, east, south),
        orient2d(ax, ay, bx, by, east, north),
        orient2d(ax, ay, bx, by, west, north),
      ]
      if (!sides.every((side) => side > 0) && !sides.every((side) => side < 0)) return true
    }
  }
  // No side intersects the box: it is wholly inside or outside.
  return holdsPoint(outline, west, south)
}
