import type { Faces } from '../../stage/faces.ts'
import type { Primvar } from './primvars.ts'

/**
 * Returns a normal for each point: the mean of those of its faces, weighted by their areas (Newell). Subdivision
 * surfaces without normals are smooth.
 * @param isFlipped whether the corners of faces are clockwise.
 */
export function smoothNormals({ points, corners, counts, starts }: Faces, isFlipped: boolean): Primvar {
  const normals = new Float64Array(points.length)
  const sign = isFlipped ? -1 : 1
  const normal = [0, 0, 0]
  for (const [face, count] of counts.entries()) {
    const start = starts[face]!
    normal.fill(0)
    for (let i = 0; i < count; i++) {
      const [from, to] = [corners[start + i]! * 3, corners[start + ((i + 1) % count)]! * 3]
      for (let k = 0; k < 3; k++) {
        const [u, v] = [(k + 1) % 3, (k + 2) % 3]
        normal[k]! += (points[from + u]! - points[to + u]!) * (points[from + v]! + points[to + v]!) * sign
      }
    }
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) normals[corners[start + i]! * 3 + k]! += normal[k]!
    }
  }
  return { values: normals, size: 3, of: 'point', indices: undefined }
}
