import { computeExtent } from '../../scene/geometry/extent.ts'
import { isIdentity, type Matrix } from '../../scene/matrix.ts'
import type { Geometry } from '../../scene/scene.ts'
import { affineMatrix, inverse, linearDeterminant, linearPart, transform } from '../math/affine.ts'

const unreachable = 'A transform moves vertices to coordinates that are not finite.'

/**
 * Applies a matrix to the points and directions of a geometry. Normals use the inverse transpose.
 * @param mirrors whether the winding of triangles is reversed; by default where the matrix mirrors, so outer faces stay
 * outer faces.
 * @param ofFaces whether the normals are those of the triangles: they follow the winding.
 */
export function transformBaker(matrix: Matrix, mirrors = isMirror(matrix), ofFaces = false) {
  const inverted = inverse(matrix)!
  const turns = ofFaces && mirrors !== isMirror(matrix)
  const transposed = affineMatrix(
    [0, 1, 2].flatMap((column) => [0, 1, 2].map((row) => inverted[row * 4 + column]! * (turns ? -1 : 1))),
  )
  const same = isIdentity(matrix) && !mirrors
  const all = (vectors: Float32Array, by: Matrix, w: 0 | 1) => {
    const out = new Float32Array(vectors.length)
    for (let i = 0; i < vectors.length; i += 3) out.set(transform(by, vectors.subarray(i, i + 3), w), i)
    return out
  }
  return {
    geometry(source: Geometry): Geometry {
      if (same) return source
      const points = all(source.points, matrix, 1)
      const normals = unitLengths(all(source.normals, transposed, 0))
      const indices = mirrors ? reverseWinding(source.indices) : source.indices
      return { ...source, points, normals, indices, extent: computeExtent(points, unreachable) }
    },
    offsets: (vectors: Float32Array): Float32Array => (same ? vectors : all(vectors, matrix, 0)),
    /** Transforms offsets between unit normals. The results are offsets from the transformed unit normals. */
    normalOffsets(offsets: Float32Array, normals: Float32Array): Float32Array {
      if (same) return offsets
      const [base, moved] = [all(normals, transposed, 0), all(offsets, transposed, 0)]
      for (let i = 0; i < moved.length; i += 3) {
        const length = Math.hypot(base[i]!, base[i + 1]!, base[i + 2]!) || 1
        for (let k = i; k < i + 3; k++) moved[k] = moved[k]! / length
      }
      return moved
    },
  }
}

const isMirror = (matrix: Matrix) => linearDeterminant(linearPart(matrix)) < 0

function unitLengths(vectors: Float32Array): Float32Array {
  for (let i = 0; i < vectors.length; i += 3) {
    const length = Math.hypot(vectors[i]!, vectors[i + 1]!, vectors[i + 2]!) || 1
    for (let k = i; k < i + 3; k++) vectors[k] = vectors[k]! / length
  }
  return vectors
}

function reverseWinding(indices: Uint32Array): Uint32Array {
  const out = indices.slice()
  for (let i = 0; i < out.length; i += 3) {
    out[i + 1] = indices[i + 2]!
    out[i + 2] = indices[i + 1]!
  }
  return out
}
