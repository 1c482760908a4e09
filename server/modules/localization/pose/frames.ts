import { type Ecef, toEcef } from '../../places/geodesy.ts'
import type { GeoPose } from '../../places/schema.ts'
import { centreOf } from './refine.ts'
import type { CameraPose } from './three-points.ts'
import { difference, type Matrix, product, sum, times, transposed, type Vector } from './vectors.ts'

/** WGS84 (NGA.STND.0036, table 3.1). */
const A = 6_378_137
const F = 1 / 298.257223563
const E2 = F * (2 - F)
const RADIANS = Math.PI / 180
const STEPS = 10

/** A plane at a place of the earth: metres to the east, north and up. */
export type Frame = { origin: Ecef; axes: Matrix }

type Place = { lat: number; lon: number; h: number }

export const frameAt = ({ lat, lon, h }: Place): Frame => ({ origin: toEcef(lat, lon, h), axes: axesAt(lat, lon) })

/** East, north and up, in the axes of the earth. */
export function axesAt(lat: number, lon: number): Matrix {
  const [sp, cp] = [Math.sin(lat * RADIANS), Math.cos(lat * RADIANS)]
  const [sl, cl] = [Math.sin(lon * RADIANS), Math.cos(lon * RADIANS)]
  return [
    [-sl, cl, 0],
    [-sp * cl, -sp * sl, cp],
    [cp * cl, cp * sl, sp],
  ]
}

export const inFrame = ({ origin, axes }: Frame, { lat, lon, h }: Place): Vector =>
  times(axes, difference(toEcef(lat, lon, h), origin))

/** Latitude, longitude and height of a point in space (B. Bowring, 1976, repeated until it settles). */
export function placeOf([x, y, z]: Ecef): Place {
  const p = Math.hypot(x, y)
  let beta = Math.atan2(z, p * (1 - F))
  let phi = 0
  for (let step = 0; step < STEPS; step++) {
    const ep2 = E2 / (1 - E2)
    phi = Math.atan2(z + ep2 * A * (1 - F) * Math.sin(beta) ** 3, p - E2 * A * Math.cos(beta) ** 3)
    beta = Math.atan2((1 - F) * Math.sin(phi), Math.cos(phi))
  }
  const [s, c] = [Math.sin(phi), Math.cos(phi)]
  const n = A / Math.sqrt(1 - E2 * s * s)
  // Each part of the height is exact where the other is not.
  const h = p * c + z * s - (A * A) / n
  return { lat: phi / RADIANS, lon: p === 0 ? 0 : Math.atan2(y, x) / RADIANS, h }
}

/** The axes of a camera as GeoPose turns them (x right, y forward, z up), in those of its picture (x right, y down, z forward). */
const BODY: Matrix = [
  [1, 0, 0],
  [0, 0, -1],
  [0, 1, 0],
]

/**
 * The pose of a camera at its own place on earth, and its covariance there: east, north, up in metres, then rotations about
 * these axes in radians. At angles of zero the camera looks north, with its top up.
 */
export function geoPoseOf(frame: Frame, pose: CameraPose, covariance: number[][]) {
  const centre = sum(frame.origin, times(transposed(frame.axes), centreOf(pose)))
  const position = placeOf(centre as Ecef)
  // From the axes of the picture to those of the earth, and on to east, north and up where the camera is.
  const toLocal = product(
    axesAt(position.lat, position.lon),
    product(transposed(frame.axes), transposed(pose.rotation)),
  )
  return { geoPose: { position, angles: anglesOf(product(toLocal, BODY)) }, covariance: turned(covariance, toLocal) }
}

/** Yaw, pitch and roll in degrees, about the rotated axes z, y and x (OGC 21-056r11, Basic-YPR). */
function anglesOf(m: Matrix): GeoPose['angles'] {
  const pitch = -Math.asin(Math.max(-1, Math.min(1, m[2][0])))
  const isUpright = Math.abs(m[2][0]) > 1 - 1e-12
  const yaw = isUpright ? Math.atan2(-m[0][1], m[1][1]) : Math.atan2(m[1][0], m[0][0])
  const roll = isUpright ? 0 : Math.atan2(m[2][1], m[2][2])
  return { yaw: yaw / RADIANS, pitch: pitch / RADIANS, roll: roll / RADIANS }
}

/** The covariance of translations and rotations in other axes. Motions of the picture are the opposite of the camera's, which its square does not show. */
function turned(covariance: number[][], by: Matrix): number[][] {
  const motion = Array.from({ length: 6 }, (_, i) =>
    Array.from({ length: 6 }, (__, j) => (i < 3 === j < 3 ? by[i % 3]![j % 3]! : 0)),
  )
  const multiply = (a: number[][], b: number[][]) =>
    a.map((row) => b[0]!.map((_, j) => row.reduce((total, value, k) => total + value * b[k]![j]!, 0)))
  return multiply(
    multiply(motion, covariance),
    motion[0]!.map((_, j) => motion.map((row) => row[j]!)),
  )
}
