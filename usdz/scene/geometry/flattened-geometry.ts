import { transform } from '../../motion/math/affine.ts'
import type { Matrix } from '../matrix.ts'
import type { Geometry } from '../scene.ts'
import { computeExtent } from './extent.ts'

/** How the matrix turns normals, by its cofactors: the inverse transpose, which a flat space does not have, but for its length. */
function cofactors(m: Matrix): Matrix {
  const minor = (column: number, row: number) => {
    const [c, d] = [(column + 1) % 3, (column + 2) % 3]
    const [r, s] = [(row + 1) % 3, (row + 2) % 3]
    return m[c * 4 + r]! * m[d * 4 + s]! - m[d * 4 + r]! * m[c * 4 + s]!
  }
  const [x, y, z] = [0, 1, 2].map((column) => [0, 1, 2].map((row) => minor(column, row))) as [
    number[],
    number[],
    number[],
  ]
  return [...x, 0, ...y, 0, ...z, 0, 0, 0, 0, 1]
}

/** Applies a matrix that flattens a geometry to its points: readers that take such a matrix apart do not find its scale. */
export function flattenGeometry(geometry: Geometry, matrix: Matrix): Geometry {
  const turned = cofactors(matrix)
  const [points, normals] = [geometry.points.slice(), geometry.normals.slice()]
  for (let i = 0; i < points.length; i += 3) points.set(transform(matrix, points.subarray(i, i + 3), 1), i)
  // Sides that are seen edge-on have no normal of their own; any unit vector is valid.
  for (let i = 0; i < normals.length; i += 3) {
    const normal = transform(turned, normals.subarray(i, i + 3), 0)
    const length = Math.hypot(...normal)
    normals.set(length > 0 ? normal.map((value) => value / length) : [0, 1, 0], i)
  }
  return { ...geometry, points, normals, extent: computeExtent(points, unreachable) }
}

const unreachable = 'A transform moves vertices to coordinates that are not finite.'
