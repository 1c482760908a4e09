import { linearPart, transform } from '../../motion/math/affine.ts'
import type { Matrix } from '../matrix.ts'
import type { Geometry } from '../scene.ts'
import { computeExtent } from './extent.ts'
import { flatNormals } from './flat-shading.ts'

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
 * of its triangle, since the triangles of both sides meet there, or else that of the triangle.
 */
function completed(geometry: Geometry): Geometry {
  const { points, normals, indices, isFlat } = geometry
  const isMissing = (at: number) => normals[at] === 0 && normals[at + 1] === 0 && normals[at + 2] === 0
  if (!normals.some((_, at) => at % 3 === 0 && isMissing(at))) return geometry
  const ofTriangles = flatNormals(points, indices)
  const cornerNormals = new Float32Array(indices.length * 3)
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [i, i + 1, i + 2].map((corner) => (isFlat ? corner : indices[corner]!) * 3)
    const sum = [0, 1, 2].map((axis) => corners.reduce((total, at) => total + normals[at + axis]!, 0))
    const length = Math.hypot(...sum)
    const side = length > 0 ? sum.map((value) => value / length) : ofTriangles.subarray(i * 3, i * 3 + 3)
    for (const [k, at] of corners.entries())
      cornerNormals.set(isMissing(at) ? side : normals.subarray(at, at + 3), (i + k) * 3)
  }
  return { ...geometry, normals: cornerNormals, isFlat: true }
}

const unreachable = 'A transform moves vertices to coordinates that are not finite.'
