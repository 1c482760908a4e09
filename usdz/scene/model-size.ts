import { transform } from '../motion/math/affine.ts'
import type { Splats } from '../splats/splats.ts'
import { computeExtent } from './geometry/extent.ts'
import { compose, identity, type Matrix, multiply } from './matrix.ts'
import type { Geometry, MeshPart, NodeMotion, Scene, SceneNode } from './scene.ts'

/** The most vertices that are transformed; further meshes count with the corners of their boxes. */
const maxVertices = 2_000_000

/** Width (x), height (y) and depth (z) of a model at rest, in metres. */
export type ModelSize = { width: number; height: number; depth: number }

/**
 * Measures a model at rest: the box around all vertices, as viewers show it.
 * @param scale of the whole model.
 */
export function sizeOf({ nodes, deforming }: Scene, scale: number): ModelSize {
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  let vertices = 0
  const add = (point: readonly number[]) => {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, point[k]!)
      high[k] = Math.max(high[k]!, point[k]!)
    }
  }
  const addGeometry = ({ points, extent }: Pick<Geometry, 'points' | 'extent'>, matrix: Matrix) => {
    const isTurned = [1, 2, 4, 6, 8, 9].some((k) => matrix[k] !== 0)
    vertices += isTurned ? points.length / 3 : 0
    if (isTurned && vertices <= maxVertices) {
      for (let i = 0; i < points.length; i += 3) add(transform(matrix, points.subarray(i, i + 3), 1))
      return
    }
    for (let corner = 0; corner < 8; corner++) {
      add(
        transform(
          matrix,
          [0, 1, 2].map((k) => extent[k + (corner & (1 << k) ? 3 : 0)]!),
          1,
        ),
      )
    }
  }
  const addParts = (parts: readonly MeshPart[], above: Matrix) => {
    for (const { geometry, matrix } of parts) addGeometry(geometry, matrix ? multiply(above, matrix) : above)
  }
  const visit = ({ matrix, motion, parts, splats, children }: SceneNode, above: Matrix) => {
    const here = matrix ? multiply(above, matrix) : motion ? multiply(above, atRest(motion)) : above
    addParts(parts, here)
    for (const { splats: own } of splats ?? []) addGeometry(centersOf(own), here)
    for (const child of children) visit(child, here)
  }
  for (const node of nodes) visit(node, identity)
  if (deforming) addParts(deforming.parts, identity)
  const [width, height, depth] = high.map((value, k) => Math.max(0, value - low[k]!) * scale) as [
    number,
    number,
    number,
  ]
  return high[0] === -Infinity ? { width: 0, height: 0, depth: 0 } : { width, height, depth }
}

const centersOf = ({ positions }: Splats) => ({
  points: positions,
  extent: computeExtent(positions, 'The positions of the splats are not finite.'),
})

const atRest = ({ translation, rotation, scale }: NodeMotion): Matrix =>
  compose(translation.rest, rotation.rest, scale.rest)
