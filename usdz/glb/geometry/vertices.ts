import type { MeshShape } from './mesh-shape.ts'
import { elementOf, type Primvar } from './primvars.ts'

/** The vertices of a part of a mesh: the corner and the point that each is made from, and the triangles of them. */
export type Vertices = { corners: Uint32Array; points: Uint32Array; indices: Uint32Array }

/** More different vertices at one point are not compared. */
const maxCompared = 64

/**
 * Makes vertices of the corners of triangles: corners at one point with the same values share a vertex.
 * @param triangles three corners each. A mesh may have many parts: the work is that of the triangles alone.
 */
export function shareVertices(
  triangles: Uint32Array,
  { corners: cornerPoints, faces, lastVertices: last }: MeshShape,
  primvars: readonly Primvar[],
): Vertices {
  const divided = primvars.filter(({ of }) => of === 'corner' || of === 'face')
  const next: number[] = []
  const corners: number[] = []
  const indices = new Uint32Array(triangles.length)

  const isSame = (primvar: Primvar, a: number, b: number): boolean => {
    const { values, size } = primvar
    const from = elementOf(primvar, a, 0, faces[a]!) * size
    const to = elementOf(primvar, b, 0, faces[b]!) * size
    if (from === to) return true
    for (let k = 0; k < size; k++) if (values[from + k] !== values[to + k]) return false
    return true
  }
  for (let i = 0; i < triangles.length; i++) {
    const corner = triangles[i]!
    const point = cornerPoints[corner]!
    let vertex = last[point]!
    for (let compared = 0; vertex >= 0; compared++) {
      if (divided.every((primvar) => isSame(primvar, corner, corners[vertex]!))) break
      vertex = compared < maxCompared ? next[vertex]! : -1
    }
    if (vertex < 0) {
      vertex = corners.push(corner) - 1
      next.push(last[point]!)
      last[point] = vertex
    }
    indices[i] = vertex
  }
  const points = Uint32Array.from(corners, (corner) => cornerPoints[corner]!)
  for (const point of points) last[point] = -1
  return { corners: Uint32Array.from(corners), points, indices }
}

/** Returns the values of a primvar for vertices. */
export function valuesOfVertices(
  primvar: Primvar,
  { corners, points }: Vertices,
  faces: Uint32Array,
): Float32Array<ArrayBuffer> {
  const { values, size } = primvar
  const out = new Float32Array(corners.length * size)
  for (let vertex = 0; vertex < corners.length; vertex++) {
    const corner = corners[vertex]!
    const from = elementOf(primvar, corner, points[vertex]!, faces[corner]!) * size
    for (let k = 0; k < size; k++) out[vertex * size + k] = values[from + k]!
  }
  return out
}
