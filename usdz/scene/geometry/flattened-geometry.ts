import { linearPart, transform } from '../../motion/math/affine.ts'
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

/** Normals that a matrix shortens to less than this part of its size are errors of rounding. */
const rounding = 1e-6

/** Applies a matrix that flattens a geometry to its points: readers that take such a matrix apart do not find its scale. */
export function flattenGeometry(geometry: Geometry, matrix: Matrix): Geometry {
  const turned = cofactors(matrix)
  const least = Math.hypot(...linearPart(turned)) * rounding
  const [points, normals] = [geometry.points.slice(), geometry.normals.slice()]
  for (let i = 0; i < points.length; i += 3) points.set(transform(matrix, points.subarray(i, i + 3), 1), i)
  for (let i = 0; i < normals.length; i += 3) {
    const normal = transform(turned, normals.subarray(i, i + 3), 0)
    const length = Math.hypot(...normal)
    normals.set(length > least ? normal.map((value) => value / length) : [0, 0, 0], i)
  }
  return completed({ ...geometry, points, normals, extent: computeExtent(points, unreachable) })
}

/**
 * Completes the normals of corners that are seen edge-on, which have none of their own: each has that of the other corners
 * of its triangle, since the triangles of both sides meet there.
 */
function completed(geometry: Geometry): Geometry {
  const { normals, indices, isFlat } = geometry
  const cornerNormals = new Float32Array(indices.length * 3)
  let isShared = false
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [i, i + 1, i + 2].map((corner) => {
      const at = (isFlat ? corner : indices[corner]!) * 3
      return normals.subarray(at, at + 3)
    })
    const sum = [0, 1, 2].map((axis) => corners.reduce((total, normal) => total + normal[axis]!, 0))
    const length = Math.hypot(...sum)
    // A triangle that is seen edge-on is invisible; any unit vector is valid.
    const side = length > 0 ? sum.map((value) => value / length) : [0, 1, 0]
    for (const [k, normal] of corners.entries()) {
      const isMissing = normal.every((value) => value === 0)
      cornerNormals.set(isMissing ? side : normal, (i + k) * 3)
      if (isMissing && length > 0) isShared = true
    }
  }
  if (isFlat || isShared) return { ...geometry, normals: cornerNormals, isFlat: true }
  for (let i = 0; i < normals.length; i += 3) {
    if (normals.subarray(i, i + 3).every((value) => value === 0)) normals[i + 1] = 1
  }
  return geometry
}

const unreachable = 'A transform moves vertices to coordinates that are not finite.'
