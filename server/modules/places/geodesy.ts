/** Degrees on WGS84. */
export type Position = { latitude: number; longitude: number }

/** Earth-centred, earth-fixed metres on WGS84: x through 0° E on the equator, z through the north pole. */
export type Ecef = readonly [x: number, y: number, z: number]

/** Semi-major axis in metres and flattening of WGS84 (NGA.STND.0036, table 3.1). */
const A = 6_378_137
const F = 1 / 298.257223563
const E2 = F * (2 - F)

const RADIANS = Math.PI / 180

/**
 * Added to a radius when the database selects candidates by chord. A chord is never longer than its arc, so this covers
 * rounding on both sides and the centimetre around each pin in the index.
 */
export const CHORD_MARGIN_METRES = 0.05

/** The position of a point in space. `h` is metres above the ellipsoid. 180 and −180 are the same meridian. */
export function toEcef(latitude: number, longitude: number, h = 0): Ecef {
  const phi = orZero(latitude) * RADIANS
  const lambda = orZero(longitude === -180 ? 180 : longitude) * RADIANS
  const sin = Math.sin(phi)
  const cos = Math.cos(phi)
  const n = A / Math.sqrt(1 - E2 * sin * sin)
  return [(n + h) * cos * Math.cos(lambda), (n + h) * cos * Math.sin(lambda), (n * (1 - E2) + h) * sin]
}

/** Treats tiny degrees as 0, like the database: the square of their sine would underflow. */
const orZero = (degrees: number) => (Math.abs(degrees) < 1e-12 ? 0 : degrees)

/**
 * The WGS84 geodesic between two points in metres, without heights: correct to a thousandth of a millimetre within 100 km,
 * also at the poles and across the antimeridian. Rounded to a micrometre, so that equal points have distance 0 however
 * their longitude is written.
 */
export function distance(a: Position, b: Position): number {
  return distanceFrom(toEcef(a.latitude, a.longitude), b)
}

/** Like `distance`, from one point to many. */
export function distanceFrom(from: Ecef, to: Position): number {
  const end = toEcef(to.latitude, to.longitude)
  const dx = end[0] - from[0]
  const dy = end[1] - from[1]
  const dz = end[2] - from[2]
  const chord = Math.hypot(dx, dy, dz)
  if (chord === 0) return 0
  const mx = (from[0] + end[0]) / 2
  const my = (from[1] + end[1]) / 2
  const mz = (from[2] + end[2]) / 2
  const r = radiusAlong(mx, my, mz, dx / chord, dy / chord, dz / chord)
  return Math.round(2 * r * Math.asin(Math.min(1, chord / (2 * r))) * 1e6) / 1e6
}

/**
 * The radius of curvature of the ellipsoid below (mx, my, mz) in the direction of the unit vector (ux, uy, uz), by Euler's
 * theorem on normal sections: 1/R = cos²α/M + sin²α/N, with M and N of the meridian and the prime vertical.
 */
function radiusAlong(mx: number, my: number, mz: number, ux: number, uy: number, uz: number): number {
  const p = Math.hypot(mx, my)
  const t = mz / (1 - E2)
  const length = Math.hypot(p, t)
  const sin = t / length
  const cos = p / length
  const [cosL, sinL] = p === 0 ? [1, 0] : [mx / p, my / p]
  const east = uy * cosL - ux * sinL
  const north = uz * cos - (ux * cosL + uy * sinL) * sin
  const w = 1 - E2 * sin * sin
  const n = A / Math.sqrt(w)
  const m = (A * (1 - E2)) / (w * Math.sqrt(w))
  const flat = north * north + east * east
  return flat === 0 ? n : flat / ((north * north) / m + (east * east) / n)
}
