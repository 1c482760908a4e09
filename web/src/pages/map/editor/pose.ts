import type { Gcp, GcpChangeInput, GeoPose } from '@cairn/sdk'
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

/** Form values of how a tag is printed, in millimetres, and placed: numbers or empty strings. */
export type TagInput = Record<'size' | 'heading' | 'tilt' | 'turn' | 'accuracy', number | string>

export function tagToText(gcp: Gcp | null): TagInput {
  const { heading = '', tilt = '', turn = '', accuracy = '' } = gcp?.tagPose ?? {}
  return { size: gcp?.tagSize == null ? '' : Math.round(gcp.tagSize * 1e7) / 1e4, heading, tilt, turn, accuracy }
}

/** Whether any part of the pose of a tag is given. */
export const hasTagPose = ({ heading, tilt, turn, accuracy }: TagInput): boolean =>
  [heading, tilt, turn, accuracy].some((value) => parseNumberOr(value, null) !== null)

/** The members to send. Empty fields clear them; of a pose, the service knows the turn and the accuracy that are usual. */
export function tagOf(text: TagInput): Pick<GcpChangeInput, 'tagSize' | 'tagPose'> {
  const size = parseNumberOr(text.size, null)
  const tagSize = size === null ? null : size / 1000
  if (!hasTagPose(text)) return { tagSize, tagPose: null }
  const [turn, accuracy] = [parseNumberOr(text.turn, null), parseNumberOr(text.accuracy, null)]
  return {
    tagSize,
    tagPose: {
      // NaN is null in JSON: the service refuses it at its field.
      heading: parseNumberOr(text.heading, Number.NaN),
      tilt: parseNumberOr(text.tilt, Number.NaN),
      ...(turn === null ? {} : { turn }),
      ...(accuracy === null ? {} : { accuracy }),
    },
  }
}
