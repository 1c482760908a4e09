import type { GeoPose, PoseForm, Quaternion, QuaternionPose } from './schema.ts'

/**
 * The rotation of a GeoPose in the frame East-North-Up (OGC 21-056r11, Basic-YPR): degrees, about the rotated axes z (yaw),
 * y (pitch) and x (roll) in that order. A unit quaternion with w ≥ 0.
 */
export function quaternionOf({ yaw, pitch, roll }: GeoPose['angles']): Quaternion {
  const [cy, sy] = halfTurn(yaw)
  const [cp, sp] = halfTurn(pitch)
  const [cr, sr] = halfTurn(roll)
  const w = cy * cp * cr + sy * sp * sr
  const sign = w < 0 ? -1 : 1
  return {
    x: sign * (cy * cp * sr - sy * sp * cr),
    y: sign * (cy * sp * cr + sy * cp * sr),
    z: sign * (sy * cp * cr - cy * sp * sr),
    w: Math.abs(w),
  }
}

/**
 * Converts a GeoPose to another frame. In East-Up-South the axis of the rotation is written with up before south = −north;
 * in East-Up-North, which is left-handed, rotations also have the opposite sign.
 */
export function poseIn(form: PoseForm, { position, angles }: GeoPose): QuaternionPose {
  const { x, y, z, w } = quaternionOf(angles)
  if (form === 'eus') return { frame: 'EUS', position, quaternion: { x, y: z, z: 0 - y, w } }
  if (form === 'eun') return { frame: 'EUN', position, quaternion: { x: 0 - x, y: 0 - z, z: 0 - y, w } }
  return { frame: 'ENU', position, quaternion: { x, y, z, w } }
}

/** Cosine and sine of half an angle in degrees, for any number of turns. */
function halfTurn(degrees: number): [cos: number, sin: number] {
  const half = ((degrees % 720) * Math.PI) / 360
  return [Math.cos(half), Math.sin(half)]
}
