import type { Node } from '@gltf-transform/core'
import { affineMatrix, inverse, translationPart } from '../motion/math/affine.ts'
import type { Motion } from '../motion/motion.ts'
import type { Notes } from '../report.ts'
import type { DrawnMesh, MeshPartBuilder } from './geometry/mesh-parts.ts'
import { isIdentity } from './matrix.ts'
import type { NodeTransforms } from './node-transforms.ts'
import { originOf } from './origin.ts'
import { type UniqueNames, uniqueNames } from './prim-names.ts'
import type { SceneNode } from './scene.ts'

type Context = {
  transforms: NodeTransforms
  motion: Motion
  parts: MeshPartBuilder
  avoided: ReadonlySet<string>
  topNames: UniqueNames
  notes: Notes
}

const unscaled = [1, 0, 0, 0, 1, 0, 0, 0, 1]

/**
 * Collects still meshes whose transform flattens them, as a scale of zero does: their vertices are written as they are seen,
 * in top nodes with a translation. Readers that take a transform apart into a rotation and a scale would show such a mesh at its full size.
 */
export function flattenedMeshes({ transforms, motion, parts, avoided, topNames, notes }: Context) {
  const nodes: SceneNode[] = []
  const moves = (node: Node | null): boolean =>
    node !== null && (motion.isAnimated(node) || moves(transforms.parentOf(node)))
  return {
    nodes,
    /** @returns false for a mesh that stays in its node. */
    takes(node: Node, name: string, drawn: Omit<DrawnMesh, 'moves'>): boolean {
      if (inverse(drawn.world) || moves(node)) return false
      const own = parts.flattened(drawn, uniqueNames(avoided))
      const origin = originOf(node, notes)
      if (own.length > 0) {
        const matrix = affineMatrix(unscaled, translationPart(drawn.world))
        const place = isIdentity(matrix) ? {} : { matrix }
        nodes.push({ name: topNames(name, 'Node'), ...(origin && { origin }), ...place, parts: own, children: [] })
      }
      return true
    },
  }
}
