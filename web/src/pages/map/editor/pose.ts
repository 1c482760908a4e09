import type { GeoPose } from '@cairn/sdk'
import type { Place } from '../../../map/geodesic.ts'

/** What the fields of a pose hold: a number, or nothing. */
export type PoseText = Record<'height' | 'yaw' | 'pitch' | 'roll', number | string>

export const poseTextOf = (pose: GeoPose | null | undefined): PoseText => ({
  height: pose?.position.h ?? '',
  yaw: pose?.angles.yaw ?? '',
  pitch: pose?.angles.pitch ?? '',
  roll: pose?.angles.roll ?? '',
})

export const numberOr = <Other>(text: number | string, other: Other): number | Other =>
  text === '' || Number.isNaN(Number(text)) ? other : Number(text)

export const anglesOf = ({ yaw, pitch, roll }: PoseText) => ({
  yaw: numberOr(yaw, 0),
  pitch: numberOr(pitch, 0),
  roll: numberOr(roll, 0),
})

/** The pose that the fields say: null where all of them are empty. What is empty beside others is 0. */
export function poseIn(text: PoseText, { lat, lon }: Place): GeoPose | null {
  if (Object.values(text).every((value) => value === '')) return null
  return { position: { lat, lon, h: numberOr(text.height, 0) }, angles: anglesOf(text) }
}
