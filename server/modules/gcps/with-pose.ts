import { poseIn } from '../places/pose.ts'
import type { PoseForm } from '../places/schema.ts'
import type { Gcp } from './schema.ts'

/** The GCP, with the pose of its pin in another form too; null if it has no pose. */
export function withPose(gcp: Gcp, form: PoseForm): Gcp {
  const { pin } = gcp
  return { ...gcp, pin: pin && { ...pin, pose: pin.geoPose && poseIn(form, pin.geoPose) } }
}
