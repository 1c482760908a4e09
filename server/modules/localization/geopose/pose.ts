import { poseIn } from '../../places/pose.ts'
import type { GeoPose } from '../../places/schema.ts'

/** A pose and its accuracy, as the protocol has them. */
export function presentPose(geoPose: GeoPose, covariance: number[][]) {
  const mean = (from: number) =>
    [0, 1, 2].reduce((sum, at) => sum + Math.sqrt(covariance[from + at]![from + at]!), 0) / 3
  const { position, quaternion } = poseIn('quaternion', geoPose)
  return {
    accuracy: { position: mean(0), orientation: (mean(3) * 180) / Math.PI },
    geopose: { position, quaternion },
  }
}
