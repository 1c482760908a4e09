import { poseIn } from '../places/pose.ts'
import type { PoseForm } from '../places/schema.ts'
import type { Gcp } from './schema.ts'

/** A GCP whose pin tells its pose in another form too; null where it has none. */
export function withPose(gcp: Gcp, form: PoseForm): Gcp {
  const { pin } = gcp
  return { ...gcp, pin: pin && { ...pin, pose: pin.geoPose && poseIn(form, pin.geoPose) } }
}
