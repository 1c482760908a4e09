/** Cosine of the largest angle between a triangle and its vertex normal for smooth shading; beyond it is an edge. */
export const ROUND = 0.7

/** Vertex normals: the sum of the adjacent face normals, weighted by area; not of unit length. */
export function smoothNormals(points: Float32Array, indices: Uint32Array): Float32Array {
  const normals = new Float32Array(points.length)
  const plane = new Float64Array(3)
  for (let i = 0; i < indices.length; i += 3) {
    planeOf(points, indices, i, plane)
    for (let corner = i; corner < i + 3; corner++) {
      const at = indices[corner]! * 3
      for (let k = 0; k < 3; k++) normals[at + k]! += plane[k]!
    }
  }
  return normals
}

/** The normal of a triangle, with twice its area as length. */
export function planeOf(points: Float32Array, indices: Uint32Array, at: number, out: Float64Array): void {
  const [a, b, c] = [indices[at]! * 3, indices[at + 1]! * 3, indices[at + 2]! * 3]
  const [ax, ay, az] = [points[a]!, points[a + 1]!, points[a + 2]!]
  const [px, py, pz] = [points[b]! - ax, points[b + 1]! - ay, points[b + 2]! - az]
  const [qx, qy, qz] = [points[c]! - ax, points[c + 1]! - ay, points[c + 2]! - az]
  out[0] = py * qz - pz * qy
  out[1] = pz * qx - px * qz
  out[2] = px * qy - py * qx
}
