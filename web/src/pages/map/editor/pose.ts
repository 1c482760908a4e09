import type { GeoPose } from '@cairn/sdk'
import type { Place } from '../../../map/geodesic.ts'

/** Form values of a pose: numbers or empty strings. */
export type PoseInput = Record<'height' | 'yaw' | 'pitch' | 'roll', number | string>

export const poseToText = (pose: GeoPose | null | undefined): PoseInput => ({
  height: pose?.position.h ?? '',
  yaw: pose?.angles.yaw ?? '',
  pitch: pose?.angles.pitch ?? '',
  roll: pose?.angles.roll ?? '',
})

export const parseNumberOr = <Other>(text: number | string, other: Other): number | Other =>
  text === '' || Number.isNaN(Number(text)) ? other : Number(text)

export const anglesOf = ({ yaw, pitch, roll }: PoseInput) => ({
  yaw: parseNumberOr(yaw, 0),
  pitch: parseNumberOr(pitch, 0),
  roll: parseNumberOr(roll, 0),
})

/** Parses the fields. Null if all are empty; otherwise empty fields are 0. */
export function parsePose(text: PoseInput, { lat, lon }: Place): GeoPose | null {
  if (Object.values(text).every((value) => value === '')) return null
  return { position: { lat, lon, h: parseNumberOr(text.height, 0) }, angles: anglesOf(text) }
}
