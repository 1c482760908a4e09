import { computeExtent } from '../../scene/geometry/extent.ts'
import { isIdentity, type Matrix } from '../../scene/matrix.ts'
import type { Geometry } from '../../scene/scene.ts'
import { affineMatrix, inverse, linearDeterminant, linearPart, transform } from '../math/affine.ts'

const unreachable = 'A transform moves vertices to coordinates that are not finite.'

/** Applies a matrix to the points and directions of a geometry. Normals use the inverse transpose. */
export function transformBaker(matrix: Matrix) {
  const inverted = inverse(matrix)!
  const transposed = affineMatrix([0, 1, 2].flatMap((column) => [0, 1, 2].map((row) => inverted[row * 4 + column]!)))
  const same = isIdentity(matrix)
  const all = (vectors: Float32Array, by: Matrix, w: 0 | 1) => {
    const out = new Float32Array(vectors.length)
    for (let i = 0; i < vectors.length; i += 3) out.set(transform(by, vectors.subarray(i, i + 3), w), i)
    return out
  }
  return {
    /** Transforms a geometry. A mirroring matrix also reverses the winding, so outer faces stay outer faces. */
    geometry(source: Geometry): Geometry {
      if (same) return source
      const points = all(source.points, matrix, 1)
      const normals = unitLengths(all(source.normals, transposed, 0))
      const indices = linearDeterminant(linearPart(matrix)) < 0 ? reverseWinding(source.indices) : source.indices
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
