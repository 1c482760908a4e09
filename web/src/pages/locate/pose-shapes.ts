import type { Localization } from '@cairn/sdk'
import type { Feature } from 'geojson'
import { type Place, placeFrom } from '../../map/geodesic.ts'

export type Pose = { geoPose: NonNullable<Localization['geoPose']>; covariance: number[][]; tags: Localization['tags'] }
type Offset = readonly [east: number, north: number]

const RADIANS = Math.PI / 180
/** Of two dimensions, 95 % lie within this many standard deviations: the square root of -2 ln 0.05. */
const SHARE_95 = Math.sqrt(-2 * Math.log(0.05))
const STEPS = 72
/** Horizontal part of the direction below which a camera has no heading: it faces within 11° of straight up or down. */
const STEEP = 0.2
const MIN_REACH = 3

/** Degrees clockwise from north where the camera faces; null if it faces up or down. Angles are intrinsic z-y-x. */
export function headingOf({ angles }: Pose['geoPose']): number | null {
  const [yaw, pitch, roll] = [angles.yaw * RADIANS, angles.pitch * RADIANS, angles.roll * RADIANS]
  // The y axis, which is where the camera faces, turned by roll, pitch and yaw.
  const [x, y] = [Math.sin(roll) * Math.sin(pitch), Math.cos(roll)]
  const [east, north] = [Math.cos(yaw) * x - Math.sin(yaw) * y, Math.sin(yaw) * x + Math.cos(yaw) * y]
  return Math.hypot(east, north) < STEEP ? null : (Math.atan2(east, north) / RADIANS + 360) % 360
}

/** Points of the ellipse that has the true position with 95 %, in metres from the position found. */
function ellipseOf({ covariance }: Pose): Offset[] {
  const [[east, both], [, north]] = covariance as [[number, number], [number, number]]
  // Cholesky: a circle through the lower root of the covariance.
  const a = Math.sqrt(east)
  const b = a > 0 ? both / a : 0
  const c = Math.sqrt(Math.max(0, north - b * b))
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const turn = (2 * Math.PI * step) / STEPS
    const [x, y] = [SHARE_95 * Math.cos(turn), SHARE_95 * Math.sin(turn)]
    return [a * x, b * x + c * y] as const
  })
}

/** Metres of the longer half axis of that ellipse. */
export const accuracyOf = (pose: Pose): number =>
  Math.max(...ellipseOf(pose).map(([east, north]) => Math.hypot(east, north)))

/** A pose as features: its ellipse, a wedge as wide as the field of view, and its position. */
export function featuresOf(pose: Pose, focalLength35: number, isBest: boolean): Feature[] {
  const { position } = pose.geoPose
  const at = ([east, north]: Offset) =>
    positionOf(placeFrom(position, Math.atan2(east, north) / RADIANS, Math.hypot(east, north)))
  const ellipse = ellipseOf(pose).map(at)
  const heading = headingOf(pose.geoPose)
  const reach = Math.max(MIN_REACH, 2 * accuracyOf(pose))
  // 35 mm film is 36 mm wide.
  const half = Math.atan(18 / focalLength35) / RADIANS
  const arc = [-1, -0.5, 0, 0.5, 1].map((part) => positionOf(placeFrom(position, (heading ?? 0) + part * half, reach)))
  const apex = positionOf(position)
  const feature = (shape: string, geometry: Feature['geometry']): Feature => ({
    type: 'Feature',
    properties: { shape, isBest },
    geometry,
  })
  return [
    feature('ellipse', { type: 'Polygon', coordinates: [ellipse] }),
    ...(heading === null ? [] : [feature('wedge', { type: 'Polygon', coordinates: [[apex, ...arc, apex]] })]),
    feature('position', { type: 'Point', coordinates: apex }),
  ]
}

export const positionOf = ({ lat, lon }: Place): [number, number] => [lon, lat]
