import { MIN_RADIUS } from '../../places/chords.ts'
import { type Ecef, toEcef } from '../../places/geodesy.ts'
import { metresBetween } from '../../places/metres-between.ts'
import { isInside, type Outline } from './outline.ts'

const DEGREES_A_RADIAN = 180 / Math.PI
/** Widens the window around the point, so that rounding excludes no side. */
const MARGIN_DEGREES = 1e-8
/** Beyond this latitude, sides of any longitude may be near. */
const POLAR = 85
/** A stretch of a side this long, in degrees of longitude, has only one place that is nearest to a point. */
const STRETCH_DEGREES = 30
/** Halves a stretch to less than a micrometre. */
const STEPS = 60

/**
 * How far a point, in degrees, is from a zone: 0 inside; otherwise the length in metres of the WGS84 geodesic to the
 * nearest place of the boundary, whose sides are straight in longitude and latitude (RFC 7946 §3.1.1); Infinity beyond
 * `limit` metres.
 */
export function metresOutside(outline: Outline, latitude: number, longitude: number, limit: number): number {
  if (isInside(outline, latitude, longitude)) return 0
  const rise = (limit / MIN_RADIUS) * DEGREES_A_RADIAN + MARGIN_DEGREES
  const farthest = Math.abs(latitude) + rise
  const run = farthest > POLAR ? 360 : rise / Math.cos(farthest / DEGREES_A_RADIAN)
  const point = toEcef(latitude, longitude)
  let nearest = Number.POSITIVE_INFINITY
  for (const turn of [0, 360, -360]) {
    const x = longitude + turn
    const window = { west: x - run, east: x + run, south: latitude - rise, north: latitude + rise }
    for (const side of sidesIn(outline, window)) nearest = Math.min(nearest, metresToSide(point, side))
  }
  return nearest <= limit ? nearest : Number.POSITIVE_INFINITY
}

type Window = { west: number; east: number; south: number; north: number }
/** From longitude and latitude to longitude and latitude. */
type Side = [number, number, number, number]

/** The parts of sides inside a window. */
function* sidesIn({ positions, box }: Outline, window: Window): Generator<Side> {
  const [west, south, east, north] = box
  if (west > window.east || east < window.west || south > window.north || north < window.south) return
  for (let i = 0; i + 3 < positions.length; i += 2) {
    const part = clipped(positions[i]!, positions[i + 1]!, positions[i + 2]!, positions[i + 3]!, window)
    if (part) yield part
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

/** The distance to the nearest place of a side, which is searched in each of its stretches. */
function metresToSide([x, y, z]: Ecef, [ax, ay, bx, by]: Side): number {
  const at = (part: number) => metresBetween(x, y, z, toEcef(ay + part * (by - ay), ax + part * (bx - ax)))
  const stretches = Math.max(1, Math.ceil(Math.abs(bx - ax) / STRETCH_DEGREES))
  let nearest = Number.POSITIVE_INFINITY
  for (let stretch = 0; stretch < stretches; stretch++) {
    let [from, to] = [stretch / stretches, (stretch + 1) / stretches]
    for (let step = 0; step < STEPS && to - from > 1e-12; step++) {
      const [near, far] = [from + (to - from) / 3, to - (to - from) / 3]
      if (at(near) <= at(far)) to = far
      else from = near
    }
    nearest = Math.min(nearest, at((from + to) / 2))
  }
  return nearest
}
