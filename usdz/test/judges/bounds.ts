/** A mesh as a reader returns it: points, triangle corners, and its matrix in row order for row vectors. */
export type PlacedMesh = { points: ArrayLike<number>; indices: ArrayLike<number>; matrix: number[] }

/** The box around the points of meshes in world space: smallest x y z, largest x y z. */
export function boundsOfMeshes(meshes: readonly PlacedMesh[]): number[] {
  const bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  for (const { points, matrix: m } of meshes) {
    for (let i = 0; i < points.length; i += 3) {
      for (let axis = 0; axis < 3; axis++) {
        const [x, y, z] = [points[i]!, points[i + 1]!, points[i + 2]!]
        const value = x * m[axis]! + y * m[axis + 4]! + z * m[axis + 8]! + m[axis + 12]!
        bounds[axis] = Math.min(bounds[axis]!, value)
        bounds[axis + 3] = Math.max(bounds[axis + 3]!, value)
      }
    }
  }
  return bounds
}
