import { MIN_RADIUS } from '../../places/chords.ts'
import { type Ecef, toEcef } from '../../places/geodesy.ts'
import { metresBetween } from '../../places/metres-between.ts'
import { isInside, type Outline, SIDES_A_BLOCK } from './outline.ts'

const DEGREES_A_RADIAN = 180 / Math.PI
/** Widens the window around the point, so that rounding excludes no side. */
const MARGIN_DEGREES = 1e-8
/** Beyond this latitude, sides of any longitude may be near. */
const POLAR = 85
/** A stretch of a side this long, in degrees of longitude, has only one place that is nearest to a point. */
const STRETCH_DEGREES = 30
/** Narrows a stretch to less than a micrometre. */
const STEPS = 60

/**
 * Whether a point, in degrees, is inside a zone or at most some metres outside: by the length of the WGS84 geodesic to the
 * boundary, whose sides are straight in longitude and latitude (RFC 7946 §3.1.1).
 */
export function isWithin(outline: Outline, latitude: number, longitude: number, metres: number): boolean {
  if (isInside(outline, latitude, longitude)) return true
  const rise = (metres / MIN_RADIUS) * DEGREES_A_RADIAN + MARGIN_DEGREES
  const farthest = Math.abs(latitude) + rise
  const run = farthest > POLAR ? 360 : rise / Math.cos(farthest / DEGREES_A_RADIAN)
  const point = toEcef(latitude, longitude)
  return [0, 360, -360].some((turn) => {
    const x = longitude + turn
    const window = { west: x - run, east: x + run, south: latitude - rise, north: latitude + rise }
    for (const side of sidesIn(outline, window)) if (isNear(point, side, metres)) return true
    return false
  })
}

type Window = { west: number; east: number; south: number; north: number }
/** From longitude and latitude to longitude and latitude. */
type Side = [number, number, number, number]

/** The parts of sides inside a window. */
function* sidesIn({ positions, blocks }: Outline, window: Window): Generator<Side> {
  for (let block = 0; 4 * block < blocks.length; block++) {
    const at = 4 * block
    if (blocks[at]! > window.east || blocks[at + 1]! > window.north) continue
    if (blocks[at + 2]! < window.west || blocks[at + 3]! < window.south) continue
    const end = Math.min(positions.length - 2, 2 * (block + 1) * SIDES_A_BLOCK)
    for (let i = 2 * block * SIDES_A_BLOCK; i < end; i += 2) {
      const part = clipped(positions[i]!, positions[i + 1]!, positions[i + 2]!, positions[i + 3]!, window)
      if (part) yield part
    }
  }
}

/** The part of a side inside a window, by the algorithm of Liang and Barsky (1984); undefined if there is none. */
function clipped(ax: number, ay: number, bx: number, by: number, window: Window): Side | undefined {
  if (Number.isNaN(ax) || Number.isNaN(bx)) return undefined
  const [dx, dy] = [bx - ax, by - ay]
  let [from, to] = [0, 1]
  for (const [step, room] of [
    [-dx, ax - window.west],
    [dx, window.east - ax],
    [-dy, ay - window.south],
    [dy, window.north - ay],
  ] as const) {
    if (step === 0) {
      if (room < 0) return undefined
      continue
    }
    if (step < 0) from = Math.max(from, room / step)
    else to = Math.min(to, room / step)
  }
  return from > to ? undefined : [ax + from * dx, ay + from * dy, ax + to * dx, ay + to * dy]
}

/** Whether a place of a side is within a distance. Its ends decide nearly always; otherwise the nearest place is searched. */
function isNear([x, y, z]: Ecef, [ax, ay, bx, by]: Side, metres: number): boolean {
  const at = (part: number) => metresBetween(x, y, z, toEcef(ay + part * (by - ay), ax + part * (bx - ax)))
  const [first, last] = [at(0), at(1)]
  if (first <= metres || last <= metres) return true
  const stretches = Math.ceil(Math.abs(bx - ax) / STRETCH_DEGREES)
  // No place of a short side is nearer than its ends by more than half of its length.
  if (stretches <= 1 && Math.min(first, last) - metresBetween(...toEcef(ay, ax), toEcef(by, bx)) > metres) return false
  for (let stretch = 0; stretch < Math.max(1, stretches); stretch++) {
    let [from, to] = [stretch / Math.max(1, stretches), (stretch + 1) / Math.max(1, stretches)]
    for (let step = 0; step < STEPS && to - from > 1e-12; step++) {
      const [near, far] = [from + (to - from) / 3, to - (to - from) / 3]
      const [one, two] = [at(near), at(far)]
      if (Math.min(one, two) <= metres) return true
      if (one <= two) to = far
      else from = near
    }
  }
  return false
}
