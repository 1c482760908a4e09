import type { Geometry } from '../scene.ts'
import { sequence } from './triangle-indices.ts'

/** Computes the normals of triangles, one for each of their corners. Without indices, corners are consecutive points. */
export function flatNormals(points: Float32Array, indices?: Uint32Array): Float32Array {
  const corners = indices?.length ?? points.length / 3
  const normals = new Float32Array(corners * 3)
  for (let corner = 0, i = 0; i < normals.length; corner += 3, i += 9) {
    const a = (indices ? indices[corner]! : corner) * 3
    const b = (indices ? indices[corner + 1]! : corner + 1) * 3
    const c = (indices ? indices[corner + 2]! : corner + 2) * 3
    const ax = points[b]! - points[a]!
    const ay = points[b + 1]! - points[a + 1]!
    const az = points[b + 2]! - points[a + 2]!
    const bx = points[c]! - points[a]!
    const by = points[c + 1]! - points[a + 1]!
    const bz = points[c + 2]! - points[a + 2]!
    const x = ay * bz - az * by
    const y = az * bx - ax * bz
    const z = ax * by - ay * bx
    const length = Math.sqrt(x * x + y * y + z * z)
    for (let at = i; at < i + 9; at += 3) {
      normals[at] = length > 0 ? x / length : 0
      // A triangle without area has no normal and is invisible; any unit vector is valid.
      normals[at + 1] = length > 0 ? y / length : 1
      normals[at + 2] = length > 0 ? z / length : 0
    }
  }
  return normals
}

/**
 * Gives each corner of a geometry with flat normals its own vertex, as meshes need whose vertices move. Other geometries
 * are returned as they are.
 */
export function separateCorners(geometry: Geometry): Geometry {
  const { indices, isFlat, source, colors, opacities, ...rest } = geometry
  if (!isFlat) return geometry
  const spread = (values: Float32Array, size: number) => {
    const out = new Float32Array(indices.length * size)
    for (let i = 0, to = 0; i < indices.length; i++) {
      for (let k = 0; k < size; k++) out[to++] = values[indices[i]! * size + k]!
    }
    return out
  }
  return {
    ...rest,
    points: spread(geometry.points, 3),
    uvs: geometry.uvs.map((uv) => uv && spread(uv, 2)),
    ...(colors && { colors: spread(colors, 3) }),
    ...(opacities && { opacities: spread(opacities, 1) }),
    source: source ? indices.map((vertex) => source[vertex]!) : indices,
    indices: sequence(indices.length),
  }
}
