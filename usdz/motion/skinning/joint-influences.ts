import type { Primitive } from '@gltf-transform/core'
import { malformed } from '../../errors.ts'
import type { Notes } from '../../report.ts'
import { readFloats } from '../../scene/geometry/accessor-floats.ts'

/**
 * The joints and weights of each vertex: `size` of both for each vertex. Weights sum to one and are sorted from largest
 * to smallest.
 */
export type Influences = { indices: Int32Array; weights: Float32Array; size: number }

/**
 * Reads the joint influences of a skinned primitive; joints are numbered as in its skin. Weights are normalised to a
 * sum of one. A vertex without weights follows the first joint.
 * @param source the vertices of the primitive to read, in this order; all when undefined.
 * @param maxInfluences the largest number of joints for each vertex; the smallest weights are dropped, with a note that
 * states how much.
 * @param joints the number of joints of the skin.
 */
export function readInfluences(
  primitive: Primitive,
  source: Uint32Array | undefined,
  joints: number,
  maxInfluences: number,
  where: string,
  notes: Notes,
): Influences {
  const all = primitive.getAttribute('POSITION')!.getCount()
  const count = source?.length ?? all
  const sets = setsOf(primitive, all, where)
  const size = Math.max(1, Math.min(maxInfluences, sets.length * 4))
  const indices = new Int32Array(count * size)
  const weights = new Float32Array(count * size)
  const dropped = { vertices: new Set<number>(), weight: 0 }
  let used = 1
  for (let vertex = 0; vertex < count; vertex++) {
    const from = source ? source[vertex]! : vertex
    const heaviest = influencesOfVertex(sets, from, joints, where)
    const total = heaviest.reduce((sum, { weight }) => sum + weight, 0)
    if (heaviest.length > size) {
      const lost = heaviest.splice(size).reduce((sum, { weight }) => sum + weight, 0) / total
      dropped.vertices.add(from)
      dropped.weight = Math.max(dropped.weight, lost)
    }
    const left = heaviest.reduce((sum, { weight }) => sum + weight, 0)
    for (const [k, { joint, weight }] of heaviest.entries()) {
      indices[vertex * size + k] = joint
      weights[vertex * size + k] = weight / left
    }
    if (heaviest.length === 0) weights[vertex * size] = 1
    used = Math.max(used, heaviest.length)
  }
  if (dropped.vertices.size > 0) {
    const percent = Math.max(0.1, dropped.weight * 100).toFixed(1)
    notes.changed(
      'skin_weights',
      `Vertices of ${where} with more than ${maxInfluences} joints keep the ${maxInfluences} largest weights; at most ${percent} % of their weight is lost.`,
      dropped.vertices.size,
    )
  }
  return trimmed({ indices, weights, size }, used)
}

type WeightSet = { joints: ArrayLike<number>; weights: Float32Array }

function setsOf(primitive: Primitive, count: number, where: string): WeightSet[] {
  const sets: WeightSet[] = []
  for (let set = 0; primitive.getAttribute(`JOINTS_${set}`); set++) {
    const joints = primitive.getAttribute(`JOINTS_${set}`)!
    const weights = primitive.getAttribute(`WEIGHTS_${set}`)
    if (joints.getCount() !== count || weights?.getCount() !== count || joints.getElementSize() !== 4) {
      throw malformed(`${where}: it has ${count} positions but not as many joints and weights.`)
    }
    sets.push({ joints: joints.getArray()!, weights: readFloats(weights, 4) })
  }
  return sets
}

/** Reads the joints of one vertex, the largest weight first. The weights of a joint that occurs twice are added. */
function influencesOfVertex(sets: readonly WeightSet[], vertex: number, joints: number, where: string) {
  const all: { joint: number; weight: number }[] = []
  for (const set of sets) {
    for (let k = vertex * 4; k < vertex * 4 + 4; k++) {
      const weight = set.weights[k]!
      if (!Number.isFinite(weight))
        throw malformed(`${where}: a joint weight of vertex ${vertex} is not a finite number.`)
      if (weight <= 0) continue
      const joint = set.joints[k]!
      if (!(joint < joints))
        throw malformed(`${where}: a vertex names joint ${joint}, but its skin has ${joints} joints.`)
      const known = all.find((other) => other.joint === joint)
      if (known) known.weight += weight
      else all.push({ joint, weight })
    }
  }
  return all.sort((a, b) => b.weight - a.weight)
}

/** Reduces `size` to the largest number of joints that any vertex uses. */
function trimmed({ indices, weights, size }: Influences, used: number): Influences {
  if (used === size) return { indices, weights, size }
  const keep = (_: number, at: number) => Math.floor(at / used) * size + (at % used)
  const length = (indices.length / size) * used
  return {
    indices: Int32Array.from({ length }, (_, at) => indices[keep(0, at)]!),
    weights: Float32Array.from({ length }, (_, at) => weights[keep(0, at)]!),
    size: used,
  }
}
