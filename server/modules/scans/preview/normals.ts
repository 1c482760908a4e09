/** How far, as a cosine, the corner of a triangle may lean from its plane to be drawn round; beyond it is an edge. */
export const ROUND = 0.7

/** Normals of vertices as the sum of the planes around them, by area; not of unit length. */
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

/** The normal of a triangle, as long as twice its area. */
export function planeOf(points: Float32Array, indices: Uint32Array, at: number, out: Float64Array): void {
  const [a, b, c] = [indices[at]! * 3, indices[at + 1]! * 3, indices[at + 2]! * 3]
  const [ax, ay, az] = [points[a]!, points[a + 1]!, points[a + 2]!]
  const [px, py, pz] = [points[b]! - ax, points[b + 1]! - ay, points[b + 2]! - az]
  const [qx, qy, qz] = [points[c]! - ax, points[c + 1]! - ay, points[c + 2]! - az]
  out[0] = py * qz - pz * qy
  out[1] = pz * qx - px * qz
  out[2] = px * qy - py * qx
}
