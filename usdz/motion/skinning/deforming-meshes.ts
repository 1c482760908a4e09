import type { Mesh, Node } from '@gltf-transform/core'
import { malformed } from '../../errors.ts'
import type { Settings } from '../../options.ts'
import type { NoteBook } from '../../report.ts'
import type { PartMaker } from '../../scene/geometry/mesh-parts.ts'
import { type Matrix, multiply } from '../../scene/matrix.ts'
import type { Placements } from '../../scene/node-transforms.ts'
import type { NameGiver } from '../../scene/prim-names.ts'
import type { Geometry, MeshPart } from '../../scene/scene.ts'
import { bindsOf } from '../animation/error-sensitivity.ts'
import { affine, inverse } from '../math/affine.ts'
import type { Motion } from '../motion.ts'
import { baker } from './bake-transform.ts'
import { type Influences, influencesOf } from './joint-influences.ts'
import type { Joint } from './joints.ts'
import { type Channel, channelMaker, type Shape, shapesOf } from './morph-targets.ts'
import { skeletonMaker } from './skeleton.ts'
import { boundsOf } from './skeleton-bounds.ts'

/** A mesh that changes its shape: drawn by a node (at each of its instances), with its skin or morph targets. */
export type Deformer = { node: Node; mesh: Mesh; instance: Matrix }

/** A mesh part in the skeleton's space, as it lies when nothing moves, with what moves its vertices. */
export type DeformingPart = MeshPart & { influences: Influences; shapes: Shape[] }

/** Everything that changes its shape: one skeleton, one animation, in the space of the model. */
export type Deforming = {
  joints: Joint[]
  /** Where each joint is when its vertices lie as they are written. */
  binds: Matrix[]
  channels: Channel[]
  parts: DeformingPart[]
  /** How many of the skins of the GLB are in it. */
  skins: number
  extent: Float32Array
}

type Given = {
  settings: Settings
  place: Placements
  motion: Motion
  parts: PartMaker
  jointNames: NameGiver
  meshNames: NameGiver
  notes: NoteBook
}

/** How many joints a vertex may follow: AR viewers take four, other readers any number. */
const mostInfluences = { quicklook: 4, spec: 1024 }

/**
 * Puts the deforming meshes of a model on one skeleton: vertices are moved to where they rest, so that readers without an
 * eye for skeletons show them rightly too, and joints are bound there.
 * @returns undefined when there are none.
 */
export function deformingOf(deformers: readonly Deformer[], given: Given): Deforming | undefined {
  const { settings, place, motion, parts, jointNames, meshNames, notes } = given
  const isJoint = new Set(deformers.flatMap(({ node }) => node.getSkin()?.listJoints() ?? [node]))
  const skeleton = skeletonMaker(place, motion, isJoint, jointNames)
  const { channels, indicesOf } = channelMaker(motion)
  const skins = new Set<unknown>()
  meshNames('Skeleton', 'Skeleton')

  const made = deformers.flatMap(({ node, mesh, instance }): DeformingPart[] => {
    const skin = node.getSkin()
    const where = `mesh "${mesh.getName()}"`
    const joints = skin?.listJoints() ?? [node]
    if (joints.length === 0) throw malformed(`${where}: its skin has no joints.`)
    const binds = skin ? bindsOf(skin) : [instance]
    const rest = multiply(place.worldOf(joints[0]!), binds[0]!)
    const back = inverse(rest)
    const bake = baker(back ? rest : unmoved)
    const numbers = joints.map((joint, index) => ({ joint, bind: multiply(binds[index]!, back ?? unmoved) }))
    const indices = indicesOf(node, mesh)
    const names = indices.map((index) => channels[index]!.name)

    const parted = parts.each(mesh, bake.geometry, meshNames)
    return parted.map(({ part, primitive, unshaped }): DeformingPart => {
      const influences = skin
        ? influencesOf(primitive, unshaped.source, joints.length, mostInfluences[settings.profile], where, notes)
        : followingOne(unshaped)
      const size = diagonalOf(part.geometry)
      skeleton.bind(influences, numbers, size)
      if (skin) skins.add(skin)
      return { ...part, influences, shapes: shapesOf(primitive, unshaped, bake, indices, names, where) }
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
    extent: boundsOf(made, skeleton.joints, bindInverses, channels),
  }
}

const unmoved = affine([1, 0, 0, 0, 1, 0, 0, 0, 1])

function followingOne({ points }: Geometry): Influences {
  const count = points.length / 3
  return { indices: new Int32Array(count), weights: new Float32Array(count).fill(1), size: 1 }
}

function diagonalOf({ extent: [x0, y0, z0, x1, y1, z1] }: Geometry): number {
  return Math.hypot(x1! - x0!, y1! - y0!, z1! - z0!)
}
