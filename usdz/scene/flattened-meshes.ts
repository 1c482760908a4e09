import type { Node } from '@gltf-transform/core'
import { affineMatrix, inverse, linearPart, translationPart } from '../motion/math/affine.ts'
import { rotationAndStretch } from '../motion/math/rotation-and-stretch.ts'
import type { Motion } from '../motion/motion.ts'
import type { Notes } from '../report.ts'
import type { DrawnMesh, MeshPartBuilder } from './geometry/mesh-parts.ts'
import { compose, determinant, identity, isIdentity, type Matrix, multiply } from './matrix.ts'
import type { NodeTransforms } from './node-transforms.ts'
import { originOf } from './origin.ts'
import { type UniqueNames, uniqueNames } from './prim-names.ts'
import type { SceneNode } from './scene.ts'

type Context = {
  transforms: NodeTransforms
  motion: Motion
  parts: MeshPartBuilder
  avoided: ReadonlySet<string>
  notes: Notes
}

/** The lowest animated node at or above a node, and the matrix from the node to it. */
type Frame = { anchor: Node | null; matrix: Matrix }

/**
 * Collects meshes that constant transforms flatten, as a scale of zero does: their vertices are written flat, in nodes with
 * a translation, a rotation and an even scale, at the top or below the animated node above them. Readers that take a
 * transform apart into a rotation and a scale would show such a mesh at its full size. A flat mesh is not mirrored: its
 * triangles are counter-clockwise as they are seen, also below an animated node that mirrors.
 */
export function flattenedMeshes({ transforms, motion, parts, avoided, notes }: Context) {
  const frames = new Map<Node, Frame>()
  const below = new Map<Node | null, Omit<SceneNode, 'children'>[]>()
  const frameOf = (node: Node): Frame => {
    const known = frames.get(node)
    if (known) return known
    const frame = motion.isAnimated(node) ? { anchor: node, matrix: identity } : stillFrameOf(node)
    frames.set(node, frame)
    return frame
  }
  const stillFrameOf = (node: Node): Frame => {
    const parent = transforms.parentOf(node)
    const { anchor, matrix } = parent ? frameOf(parent) : { anchor: null, matrix: identity }
    return { anchor, matrix: multiply(matrix, transforms.localMatrix(node)) }
  }
  return {
    /** @returns false for a mesh that stays in its node. */
    takes(node: Node, name: string, drawn: Omit<DrawnMesh, 'moves'>, instance: Matrix = identity): boolean {
      if (inverse(drawn.world)) return false
      const { anchor, matrix } = frameOf(node)
      const world = multiply(matrix, instance)
      if (inverse(world)) return false
      const { turned, stretch } = rotationAndStretch(linearPart(world))
      const mirrors = anchor !== null && determinant(transforms.worldMatrix(anchor)) < 0
      const own = parts.flattened({ ...drawn, world: affineMatrix(stretch) }, mirrors, uniqueNames(avoided))
      const origin = originOf(node, notes)
      if (own.length > 0) {
        const moved = affineMatrix(turned, translationPart(world))
        const place = isIdentity(moved) ? {} : { matrix: moved }
        const others = below.get(anchor) ?? []
        below.set(anchor, others)
        others.push({ name, ...(origin && { origin }), ...place, parts: own })
      }
      return true
    },
    /** The nodes of meshes below an animated node, or of those below none. */
    nodesBelow: (anchor: Node | null, uniqueName: UniqueNames): SceneNode[] =>
      (below.get(anchor) ?? []).map((one) => ({ ...one, name: uniqueName(one.name, 'Node'), children: [] })),
  }
}

/**
 * Lists the nodes with a constant scale of zero above animated ones, whose meshes cannot be written as they are seen. A
 * matrix that is no translation, rotation and scale gets a note.
 */
export function flatNodesAboveMotion(
  animated: Iterable<Node>,
  transforms: NodeTransforms,
  motion: Motion,
  notes: Notes,
): Node[] {
  const above = new Set<Node>()
  for (const node of animated) {
    for (let at = transforms.parentOf(node); at && !above.has(at); at = transforms.parentOf(at)) above.add(at)
  }
  const flat = [...above].filter((node) => !motion.isAnimated(node) && !inverse(transforms.localMatrix(node)))
  return flat.filter((node) => {
    const local = compose(node.getTranslation(), node.getRotation(), node.getScale())
    const isScale = transforms.localMatrix(node).every((value, k) => value === local[k])
    if (!isScale) {
      notes.changed(
        'flattened_in_motion',
        'Viewers may show animated meshes that a matrix flattens at their full size.',
      )
    }
    return isScale
  })
}
