import type { Node, Primitive } from '@gltf-transform/core'
import { malformed } from '../errors.ts'
import { restWeights } from '../motion/motion.ts'
import { readInfluences } from '../motion/skinning/joint-influences.ts'
import { createNotes } from '../report.ts'
import { describePrimitive } from '../scene/error-context.ts'
import { readFloats } from '../scene/geometry/accessor-floats.ts'
import { type Matrix, multiply } from '../scene/matrix.ts'
import type { NodeTransforms } from '../scene/node-transforms.ts'
import type { Geometry } from '../scene/scene.ts'
import type { PreviewMesh } from './preview.ts'

/** The largest number of joints for each vertex; enough for a preview. */
const maxJoints = 4

/**
 * Applies morph targets and skin at rest.
 * @throws ConversionError naming the primitive when they do not match it.
 */
export function deformMesh(
  surface: PreviewMesh,
  { source }: Geometry,
  primitive: Primitive,
  node: Node,
  transforms: NodeTransforms,
): PreviewMesh {
  const points = Float32Array.from(surface.points)
  const normals = surface.normals && Float32Array.from(surface.normals)
  const weights = restWeights(node, primitive.listTargets().length)
  for (const [index, target] of primitive.listTargets().entries()) {
    if (weights[index] === 0) continue
    addTo(points, target.getAttribute('POSITION'), weights[index]!, primitive, source)
    if (normals) addTo(normals, target.getAttribute('NORMAL'), weights[index]!, primitive, source)
  }
  const skin = node.getSkin()
  if (skin) {
    const joints = skin.listJoints()
    const where = describePrimitive(primitive)
    const inverse = skin.getInverseBindMatrices()
    if (inverse && inverse.getCount() < joints.length)
      throw malformed(`${where}: its skin has ${joints.length} joints but ${inverse.getCount()} inverse bind matrices.`)
    const bind = inverse && readFloats(inverse, 16)
    const matrices = joints.map((joint, index): Matrix => {
      const world = transforms.worldMatrix(joint)
      return bind ? multiply(world, [...bind.subarray(index * 16, index * 16 + 16)]) : world
    })
    if (primitive.getAttribute('JOINTS_0'))
      follow(
        points,
        normals,
        matrices,
        readInfluences(primitive, source, joints.length, maxJoints, where, createNotes()),
      )
  }
  return { ...surface, points, ...(normals && { normals }) }
}

function addTo(
  values: Float32Array,
  accessor: ReturnType<Primitive['getAttribute']>,
  weight: number,
  primitive: Primitive,
  source: Uint32Array | undefined,
): void {
  if (!accessor) return
  const count = primitive.getAttribute('POSITION')!.getCount()
  if (accessor.getCount() !== count)
    throw malformed(
      `${describePrimitive(primitive)}: a morph target has ${accessor.getCount()} values for ${count} vertices.`,
    )
  const offsets = readFloats(accessor, 3, source)
  // Primitives without normals get flat ones, which targets cannot change.
  if (offsets.length !== values.length) return
  for (let i = 0; i < values.length; i++) values[i]! += weight * offsets[i]!
}

/** glTF 2.0 §3.7.3.3: each vertex is moved by the weighted sum of its joints' matrices. */
function follow(
  points: Float32Array,
  normals: Float32Array | undefined,
  matrices: readonly Matrix[],
  { indices, weights, size }: ReturnType<typeof readInfluences>,
): void {
  const m = new Float64Array(16)
  for (let vertex = 0; vertex < points.length / 3; vertex++) {
    m.fill(0)
    for (let k = vertex * size; k < vertex * size + size; k++) {
      const weight = weights[k]!
      if (weight === 0) continue
      const joint = matrices[indices[k]!]!
      for (let i = 0; i < 16; i++) m[i]! += weight * joint[i]!
    }
    turn(points, vertex * 3, m, 1)
    if (normals) turn(normals, vertex * 3, m, 0)
  }
}

function turn(vectors: Float32Array, at: number, m: Float64Array, w: number): void {
  const [x, y, z] = [vectors[at]!, vectors[at + 1]!, vectors[at + 2]!]
  for (let row = 0; row < 3; row++)
    vectors[at + row] = m[row]! * x + m[4 + row]! * y + m[8 + row]! * z + m[12 + row]! * w
}
