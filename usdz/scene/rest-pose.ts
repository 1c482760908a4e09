import type { Node, Primitive } from '@gltf-transform/core'
import { malformed } from '../errors.ts'
import { floats } from './attributes.ts'
import type { Shape } from './geometry.ts'
import { identity, type Matrix, multiply } from './matrix.ts'

/** Adds the morph targets at the given weights. @returns the same arrays when no weight is set. */
export function morphed(primitive: Primitive, weights: readonly number[], base: Shape): Shape {
  const targets = primitive.listTargets()
  if (!targets.some((_, index) => weights[index])) return base
  const points = base.points.slice()
  const normals = base.normals?.slice()
  for (const [index, target] of targets.entries()) {
    const weight = weights[index] ?? 0
    if (weight === 0) continue
    const position = target.getAttribute('POSITION')
    const normal = target.getAttribute('NORMAL')
    if (position) addScaled(points, floats(position, 3), weight)
    if (normal && normals) addScaled(normals, floats(normal, 3), weight)
  }
  if (normals) normalize(normals)
  return { points, normals }
}

/**
 * Moves the vertices to where their joints are (glTF 2.0 §3.7.3.3): weighted sums of joint matrix · inverse bind matrix.
 * The result is in world space: the transform of a skinned mesh's own node has no say.
 */
export function skinned(node: Node, primitive: Primitive, base: Shape, worldOf: (node: Node) => Matrix): Shape {
  const palette = jointMatrices(node, worldOf)
  const influences = influencesOf(primitive, base.points.length / 3)
  const points = new Float32Array(base.points.length)
  const normals = base.normals && new Float32Array(base.normals.length)
  const blended = new Float64Array(16)
  for (let vertex = 0; vertex < points.length / 3; vertex++) {
    blended.fill(0)
    let total = 0
    for (const { joints, weights } of influences) {
      for (let k = vertex * 4; k < vertex * 4 + 4; k++) {
        const weight = weights[k]!
        if (weight === 0) continue
        const matrix = palette[joints[k]!]
        if (!matrix) throw malformed(`A vertex follows joint ${joints[k]}, but its skin has ${palette.length} joints.`)
        total += weight
        for (let m = 0; m < 16; m++) blended[m] = blended[m]! + matrix[m]! * weight
      }
    }
    if (total > 0) for (let m = 0; m < 16; m++) blended[m] = blended[m]! / total
    else blended.set(palette[0] ?? identity)
    transform(blended, base.points, points, vertex * 3, 1)
    if (normals && base.normals) transform(blended, base.normals, normals, vertex * 3, 0)
  }
  if (normals) normalize(normals)
  return { points, normals }
}

function jointMatrices(node: Node, worldOf: (node: Node) => Matrix): Matrix[] {
  const skin = node.getSkin()!
  const inverse = skin.getInverseBindMatrices()
  return skin.listJoints().map((joint, index) => {
    const bind = inverse ? inverse.getElement(index, [] as number[]) : identity
    return multiply(worldOf(joint), bind)
  })
}

function influencesOf(primitive: Primitive, count: number): { joints: ArrayLike<number>; weights: Float32Array }[] {
  const sets = []
  for (let set = 0; primitive.getAttribute(`JOINTS_${set}`); set++) {
    const joints = primitive.getAttribute(`JOINTS_${set}`)!
    const weights = primitive.getAttribute(`WEIGHTS_${set}`)
    if (joints.getCount() !== count || weights?.getCount() !== count) {
      throw malformed(`A skinned mesh has ${count} positions but not as many joints and weights.`)
    }
    sets.push({ joints: joints.getArray()!, weights: floats(weights, 4) })
  }
  return sets
}

function addScaled(sum: Float32Array, delta: Float32Array, weight: number): void {
  if (delta.length !== sum.length) throw malformed('A morph target has another number of vertices than its mesh.')
  for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + delta[i]! * weight
}

/** Directions (w = 0) are moved by the same matrix as points: exact for rotations and even scales, close for the rest. */
function transform(m: Float64Array, from: Float32Array, to: Float32Array, at: number, w: 0 | 1): void {
  const x = from[at]!
  const y = from[at + 1]!
  const z = from[at + 2]!
  for (let row = 0; row < 3; row++) {
    to[at + row] = m[row]! * x + m[row + 4]! * y + m[row + 8]! * z + m[row + 12]! * w
  }
}

function normalize(vectors: Float32Array): void {
  for (let i = 0; i < vectors.length; i += 3) {
    const length = Math.hypot(vectors[i]!, vectors[i + 1]!, vectors[i + 2]!) || 1
    for (let k = 0; k < 3; k++) vectors[i + k] = vectors[i + k]! / length
  }
}
