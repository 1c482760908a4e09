import { facesOfCorners } from '../../stage/faces.ts'
import { elementOf, type Primvar } from './primvars.ts'

/** The vertices of a part of a mesh: the corner and the point that each is made from, and the triangles of them. */
export type Vertices = { corners: Uint32Array; points: Uint32Array; indices: Uint32Array }

/** More different vertices at one point are not compared. */
const maxCompared = 64

/**
 * Makes vertices of the corners of triangles: corners at one point with the same values share a vertex.
 * @param triangles three corners each.
 * @param cornerPoints the point of each corner.
 */
export function shareVertices(
  triangles: Uint32Array,
  cornerPoints: Int32Array,
  pointCount: number,
  counts: Int32Array,
  primvars: readonly Primvar[],
): Vertices {
  const divided = primvars.filter(({ of }) => of === 'corner' || of === 'face')
  const faces = divided.length > 0 ? facesOfCorners(counts) : undefined
  const first = new Int32Array(pointCount).fill(-1)
  const next: number[] = []
  const corners: number[] = []
  const indices = new Uint32Array(triangles.length)

  const isSame = (primvar: Primvar, a: number, b: number): boolean => {
    const { values, size } = primvar
    const from = elementOf(primvar, a, 0, faces![a]!) * size
    const to = elementOf(primvar, b, 0, faces![b]!) * size
    if (from === to) return true
    for (let k = 0; k < size; k++) if (values[from + k] !== values[to + k]) return false
    return true
  }
  for (let i = 0; i < triangles.length; i++) {
    const corner = triangles[i]!
    const point = cornerPoints[corner]!
    let vertex = first[point]!
    for (let compared = 0; vertex >= 0; compared++) {
      if (divided.every((primvar) => isSame(primvar, corner, corners[vertex]!))) break
      vertex = compared < maxCompared ? next[vertex]! : -1
    }
    if (vertex < 0) {
      vertex = corners.push(corner) - 1
      next.push(first[point]!)
      first[point] = vertex
    }
    indices[i] = vertex
  }
  return {
    corners: Uint32Array.from(corners),
    points: Uint32Array.from(corners, (corner) => cornerPoints[corner]!),
    indices,
  }
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
