import { computeExtent } from '../../scene/geometry/extent.ts'
import type { Matrix } from '../../scene/matrix.ts'
import type { Geometry } from '../../scene/scene.ts'
import { type AnimatedValue, unionOfTimes } from '../animation/curve.ts'
import { boxCorners } from '../animation/error-sensitivity.ts'
import { transform } from '../math/affine.ts'
import type { Influences } from './joint-influences.ts'
import { type Joint, poseJoints } from './joints.ts'
import type { BlendShape, WeightChannel } from './morph-targets.ts'

/**
 * The input of a bounds computation: vertices, their joint influences, and the blend shapes applied before skinning.
 */
export type BoundedPart = { geometry: Geometry; influences: Influences; shapes: readonly BlendShape[] }

/** Limits the number of joint poses evaluated; above it, times are skipped. */
const maxPoses = 200_000

const unreachable = 'The skin joints move vertices to coordinates that are not finite.'

/**
 * Computes a box around everything that follows a skeleton, at rest and at every key. A skinned vertex is a weighted
 * mean of its joints' positions, so the union of the boxes of all joints contains it. The box may be larger than
 * necessary.
 * @param bindInverses from the skeleton's space at bind time to the space of each joint.
 */
export function skeletonBounds(
  parts: readonly BoundedPart[],
  joints: readonly Joint[],
  bindInverses: readonly Matrix[],
  channels: readonly WeightChannel[],
): Float32Array {
  const boxes = joints.map(() => [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity])
  for (const part of parts) addPart(part, boxes, channels)
  const used = [...boxes.keys()].filter((joint) => boxes[joint]![0]! <= boxes[joint]![3]!)
  const points = used.map((joint) => {
    const box = boxes[joint]!
    return boxCorners([0, 1, 2].map((axis) => [box[axis]!, box[axis + 3]!])).map((p) =>
      transform(bindInverses[joint]!, p, 1),
    )
  })
  const all = unionOfTimes(
    joints.flatMap(({ translation, rotation, scale }) => [translation, rotation, scale].map(({ curve }) => curve)),
  )
  const step = Math.max(1, Math.ceil((all.length * joints.length) / maxPoses))
  const reached: number[] = []
  for (const time of [undefined, ...all.filter((_, index) => index % step === 0)]) {
    const worlds = poseJoints(joints, time)
    for (const [index, joint] of used.entries()) {
      for (const point of points[index]!) reached.push(...transform(worlds[joint]!, point, 1))
    }
    if (reached.length > 300_000) reached.splice(0, Infinity, ...computeExtent(reached, unreachable))
  }
  return computeExtent(reached, unreachable)
}

/** Grows the box of each joint by its vertices, at every position that the morph targets can produce. */
function addPart(
  { geometry, influences, shapes }: BoundedPart,
  boxes: number[][],
  channels: readonly WeightChannel[],
): void {
  const { points } = geometry
  const low = Float64Array.from(points)
  const high = Float64Array.from(points)
  for (const { vertices, offsets, channel } of shapes) {
    const [least, most] = rangeOf(channels[channel]!.weight)
    for (const [index, vertex] of vertices.entries()) {
      for (let k = 0; k < 3; k++) {
        const ways = [offsets[index * 3 + k]! * least, offsets[index * 3 + k]! * most]
        low[vertex * 3 + k]! += Math.min(...ways)
        high[vertex * 3 + k]! += Math.max(...ways)
      }
    }
  }
  const { indices, weights, size } = influences
  for (let at = 0; at < indices.length; at++) {
    if (!(weights[at]! > 0)) continue
    const box = boxes[indices[at]!]!
    const vertex = Math.floor(at / size) * 3
    for (let k = 0; k < 3; k++) {
      if (low[vertex + k]! < box[k]!) box[k] = low[vertex + k]!
      if (high[vertex + k]! > box[k + 3]!) box[k + 3] = high[vertex + k]!
    }
  }
}

function rangeOf({ rest, curve }: AnimatedValue): [number, number] {
  let [least, most] = [rest[0]!, rest[0]!]
  for (const value of curve?.values ?? []) {
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  return [least, most]
}
