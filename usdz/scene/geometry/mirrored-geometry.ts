import { identity, type Matrix } from '../matrix.ts'
import type { Geometry } from '../scene.ts'

/** Mirrors across x. */
export const mirrorX: Matrix = identity.map((value, index) => (index === 0 ? -value : value))

/**
 * Mirrors a geometry across x and reverses its winding. With `mirrorX` it looks like the original, but the whole
 * transform no longer mirrors: viewers that ignore the sign of the transform need this.
 */
export function mirrorGeometry(geometry: Geometry): Geometry {
  const indices = new Uint32Array(geometry.indices.length)
  for (let i = 0; i < indices.length; i += 3) {
    indices[i] = geometry.indices[i]!
    indices[i + 1] = geometry.indices[i + 2]!
    indices[i + 2] = geometry.indices[i + 1]!
  }
  const [x0, y0, z0, x1, y1, z1] = geometry.extent
  return {
    ...geometry,
    indices,
    points: flipX(geometry.points),
    normals: flipX(geometry.normals),
    extent: Float32Array.of(-x1!, y0!, z0!, -x0!, y1!, z1!),
  }
}

function flipX(vectors: Float32Array): Float32Array {
  const out = vectors.slice()
  for (let i = 0; i < out.length; i += 3) out[i] = -out[i]!
  return out
}
