import { malformed } from '../../errors.ts'
import type { Notes } from '../../report.ts'
import { type UsdPrim, values } from '../../stage/usd-prim.ts'

/** The joints that move each point of a mesh, `size` of them with their weights, the heaviest first. */
export type Influences = { joints: Uint16Array; weights: Float32Array; size: number; isRigid: boolean }

/** The largest number of joints for each point; viewers show four. */
const maxJoints = 16

/**
 * Reads the joints and weights of a mesh. Weights of one joint are added, and all of a point have the sum 1.
 * @throws ConversionError when an index names no joint, or there are too few.
 */
export function readInfluences(
  prim: UsdPrim,
  pointCount: number,
  jointCount: number,
  notes: Notes,
): Influences | undefined {
  const name = 'primvars:skel:jointIndices'
  const indices = values.integers(prim, name)
  const weights = values.floats(prim, 'primvars:skel:jointWeights')
  if (!indices?.length || weights?.length !== indices.length) {
    notes.leftOut('skin_weights', 'Joints of meshes without a weight for each are left out.')
    return undefined
  }
  const given = values.fieldNumber(prim, name, 'elementSize') ?? 1
  const count = indices.length / given
  // With constant interpolation all points follow the same joints.
  const isRigid = count === 1
  if (!(given >= 1) || !(isRigid || count === pointCount)) {
    throw malformed(`${prim.path} has ${count} sets of joints for ${pointCount} points.`)
  }
  const points = Array.from({ length: count }, (_, point) => {
    const own = new Map<number, number>()
    for (let k = point * given; k < (point + 1) * given; k++) {
      const [joint, weight] = [indices[k]!, weights[k]!]
      if (!(joint >= 0 && joint < jointCount)) {
        throw malformed(`${prim.path} names the joint ${joint} and its skeleton has ${jointCount}.`)
      }
      if (weight > 0 && Number.isFinite(weight)) own.set(joint, (own.get(joint) ?? 0) + weight)
    }
    const sorted = [...own].sort(([, a], [, b]) => b - a)
    if (sorted.length > maxJoints) notes.changed('skin_weights', `Points follow the ${maxJoints} heaviest joints.`)
    const kept = sorted.slice(0, maxJoints)
    const sum = kept.reduce((total, [, weight]) => total + weight, 0)
    return sum > 0 ? kept.map(([joint, weight]) => [joint, weight / sum] as const) : [[0, 1] as const]
  })
  const most = points.reduce((largest, { length }) => Math.max(largest, length), 1)
  const size = Math.ceil(most / 4) * 4
  const out = { joints: new Uint16Array(count * size), weights: new Float32Array(count * size), size, isRigid }
  for (const [point, own] of points.entries()) {
    for (const [k, [joint, weight]] of own.entries()) {
      out.joints[point * size + k] = joint
      out.weights[point * size + k] = weight
    }
  }
  return out
}
