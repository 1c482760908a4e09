import type { Mesh, Node, Primitive } from '@gltf-transform/core'
import { malformed } from '../../errors.ts'
import type { Settings } from '../../options/options.ts'
import type { Notes } from '../../report.ts'
import type { MeshPartBuilder } from '../../scene/geometry/mesh-parts.ts'
import type { Color } from '../../scene/materials/material.ts'
import { determinant, type Matrix, multiply } from '../../scene/matrix.ts'
import type { NodeTransforms } from '../../scene/node-transforms.ts'
import type { UniqueNames } from '../../scene/prim-names.ts'
import type { Geometry, MeshPart } from '../../scene/scene.ts'
import { inverseBindMatrices } from '../animation/error-sensitivity.ts'
import { affineMatrix, inverse } from '../math/affine.ts'
import type { Motion } from '../motion.ts'
import { transformBaker } from './bake-transform.ts'
import { type Influences, readInfluences } from './joint-influences.ts'
import type { Joint } from './joints.ts'
import {
  type BlendShape,
  constantWeights,
  readBlendShapes,
  type WeightChannel,
  weightChannelBuilder,
} from './morph-targets.ts'
import { skeletonBuilder } from './skeleton.ts'
import { skeletonBounds } from './skeleton-bounds.ts'

/** A mesh with a skin or morph targets, as one node draws it (once for each instance). */
export type DeformingNode = { node: Node; mesh: Mesh; instance: Matrix; tint?: Color | undefined }

/** A mesh part in the skeleton's space at rest, with its joint influences and blend shapes. */
export type DeformingPart = MeshPart & { influences: Influences; shapes: BlendShape[] }

/** All deforming meshes of a model: one skeleton and one animation, in the model's space. */
export type DeformingMeshes = {
  joints: Joint[]
  /** The bind transform of each joint. */
  binds: Matrix[]
  channels: WeightChannel[]
  parts: DeformingPart[]
  /** The number of GLB skins included. */
  skins: number
  extent: Float32Array
}

type Context = {
  settings: Settings
  transforms: NodeTransforms
  motion: Motion
  parts: MeshPartBuilder
  jointNames: UniqueNames
  meshNames: UniqueNames
  notes: Notes
}

/** The largest number of joints for each vertex. AR viewers use four; other readers accept any number. */
const maxInfluences = { quicklook: 4, realitykit: 4, spec: 1024 }

/**
 * Builds one skeleton for all deforming meshes of a model. Vertices are stored in the rest pose, so readers without
 * skinning also show them correctly, and joints are bound in that pose.
 * @returns undefined when there are no deforming meshes.
 */
export function buildDeformingMeshes(deformers: readonly DeformingNode[], given: Context): DeformingMeshes | undefined {
  const { settings, transforms, motion, parts, jointNames, meshNames, notes } = given
  const isJoint = new Set(deformers.flatMap(({ node }) => node.getSkin()?.listJoints() ?? [node]))
  const skeleton = skeletonBuilder(transforms, motion, isJoint, jointNames, notes)
  const { channels, indicesOf } = weightChannelBuilder(motion)
  const skins = new Set<unknown>()
  meshNames('Skeleton', 'Skeleton')

  const made = deformers.flatMap(({ node, mesh, instance, tint }): DeformingPart[] => {
    const skin = node.getSkin()
    const where = `mesh "${mesh.getName()}"`
    const joints = skin?.listJoints() ?? [node]
    if (joints.length === 0) throw malformed(`${where}: its skin has no joints.`)
    const binds = skin ? inverseBindMatrices(skin) : [instance]
    const rest = multiply(transforms.worldMatrix(joints[0]!), binds[0]!)
    const back = inverse(rest)
    // Joints alone place the vertices of a skin, but its node still decides which side of a triangle is the front.
    const mirrors = skin ? determinant(transforms.worldMatrix(node)) < 0 : undefined
    const baker = (ofFaces: boolean) => transformBaker(back ? rest : unmoved, mirrors, ofFaces)
    const [ofVertices, ofFaces] = [baker(false), baker(true)]
    const bakerFor = (primitive: Primitive) => (primitive.getAttribute('NORMAL') ? ofVertices : ofFaces)
    const numbers = joints.map((joint, index) => ({ joint, bind: multiply(binds[index]!, back ?? unmoved) }))
    const indices = indicesOf(node, mesh)
    const names = indices.map((index) => (index === undefined ? undefined : channels[index]!.name))
    const weights = constantWeights(motion, node).map((weight) => weight ?? 0)

    const shape = (geometry: Geometry, primitive: Primitive) => bakerFor(primitive).geometry(geometry)
    const parted = parts.each({ mesh, world: rest, weights, tint, moves: true }, shape, meshNames)
    return parted.map(({ part, primitive, unshaped }): DeformingPart => {
      const influences = skin
        ? readInfluences(primitive, unshaped.source, joints.length, maxInfluences[settings.profile], where, notes)
        : singleInfluence(unshaped)
      const size = diagonalOf(part.geometry)
      skeleton.bind(influences, numbers, size)
      if (skin) skins.add(skin)
      if (skin && joints.length > 1 && !primitive.getAttribute('NORMAL')) notes.changed('flat_normals', flatNote)
      const shapes = readBlendShapes(primitive, unshaped, bakerFor(primitive), indices, names, where, notes)
      return { ...part, influences, shapes }
    })
  })
  if (made.length === 0) return undefined
  const bindInverses = skeleton.bindInverses()
  return {
    joints: skeleton.joints,
    binds: bindInverses.map((matrix) => inverse(matrix) ?? unmoved),
    channels,
    parts: made,
    skins: skins.size,
    extent: skeletonBounds(made, skeleton.joints, bindInverses, channels),
  }
}

/** UsdSkel turns normals with their vertices; those of a bent triangle are not its own. */
const flatNote = 'Faces of bending meshes without normals are shaded with normals that follow their joints.'

const unmoved = affineMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1])

function singleInfluence({ points }: Geometry): Influences {
  const count = points.length / 3
  return { indices: new Int32Array(count), weights: new Float32Array(count).fill(1), size: 1 }
}

function diagonalOf({ extent: [x0, y0, z0, x1, y1, z1] }: Geometry): number {
  return Math.hypot(x1! - x0!, y1! - y0!, z1! - z0!)
}
