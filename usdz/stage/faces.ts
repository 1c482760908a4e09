import { malformed, tooLarge } from '../errors.ts'

/** The faces of a mesh: its points, which of them its corners are at, and the corners of each face. */
export type Faces = {
  points: ArrayLike<number>
  corners: Int32Array
  counts: Int32Array
  /** The first corner of each face. */
  starts: Uint32Array
}

/**
 * Validates the faces of a mesh.
 * @param most how many triangles it may have.
 * @throws ConversionError naming the mesh.
 */
export function validFaces(path: string, { points, corners, counts }: Omit<Faces, 'starts'>, most: number): Faces {
  const pointCount = points.length / 3
  let [sum, triangles] = [0, 0]
  for (const count of counts) {
    if (count < 0) throw malformed(`${path} has a face with ${count} corners.`)
    sum += count
    triangles += Math.max(0, count - 2)
  }
  if (sum !== corners.length) throw malformed(`${path} has ${sum} corners and ${corners.length} indices.`)
  for (const index of corners)
    if (!(index >= 0 && index < pointCount)) throw malformed(`${path} names the point ${index} and has ${pointCount}.`)
  if (triangles > most) throw tooLarge(`${path} has ${triangles} triangles; at most ${most} more are converted.`)
  return { points, corners, counts, starts: faceStarts(counts) }
}

/** Returns the first corner of each face. */
function faceStarts(counts: Int32Array): Uint32Array {
  const starts = new Uint32Array(counts.length)
  for (let face = 1; face < counts.length; face++) starts[face] = starts[face - 1]! + counts[face - 1]!
  return starts
}

/** Returns the face of each corner. */
export function facesOfCorners(counts: Int32Array): Uint32Array {
  const out = new Uint32Array(counts.reduce((sum, count) => sum + count, 0))
  for (let face = 0, at = 0; face < counts.length; face++) {
    out.fill(face, at, at + counts[face]!)
    at += counts[face]!
  }
  return out
}

/**
 * Divides some faces of a mesh into triangles. Convex faces become fans around their first corner, others lose one ear
 * after another.
 * @param isFlipped whether the mesh is left-handed: its corners are clockwise.
 * @returns three corner indices for each triangle, counter-clockwise.
 */
export function triangulate(mesh: Faces, faces: ArrayLike<number>, isFlipped: boolean): Uint32Array {
  const { counts, starts } = mesh
  let length = 0
  for (let i = 0; i < faces.length; i++) length += 3 * Math.max(0, counts[faces[i]!]! - 2)
  const out = new Uint32Array(length)
  let to = 0
  const add = (a: number, b: number, c: number) => {
    out[to++] = a
    out[to++] = isFlipped ? c : b
    out[to++] = isFlipped ? b : c
  }
  for (let i = 0; i < faces.length; i++) {
    const [start, count] = [starts[faces[i]!]!, counts[faces[i]!]!]
    if (count > 3 && clipEars(mesh, start, count, add)) continue
    for (let corner = 2; corner < count; corner++) add(start, start + corner - 1, start + corner)
  }
  return out
}

/** Larger polygons are fans. */
const maxClipped = 1000
/** The tests of points for each corner of a concave polygon, some times those of usual ones: they may be cubic. */
const testsForCorner = 500

/**
 * Divides a concave polygon, seen along its mean normal (Newell).
 * @returns false when it is convex, too large or has no area; then nothing is added.
 */
function clipEars(
  { points, corners }: Faces,
  start: number,
  count: number,
  add: (a: number, b: number, c: number) => void,
): boolean {
  if (count > maxClipped) return false
  const at = (corner: number, k: number) => points[corners[start + corner]! * 3 + k]!
  const normal = [0, 0, 0]
  for (let i = 0; i < count; i++) {
    const next = (i + 1) % count
    for (let k = 0; k < 3; k++) {
      const [u, v] = [(k + 1) % 3, (k + 2) % 3]
      normal[k]! += (at(i, u) - at(next, u)) * (at(i, v) + at(next, v))
    }
  }
  const axis = normal.map(Math.abs).indexOf(Math.max(...normal.map(Math.abs)))
  const sign = normal[axis]! < 0 ? -1 : 1
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3]
  /** Twice the signed area of a triangle of corners: positive when it turns as the polygon does. */
  const turn = (a: number, b: number, c: number) =>
    sign * ((at(b, u) - at(a, u)) * (at(c, v) - at(a, v)) - (at(b, v) - at(a, v)) * (at(c, u) - at(a, u)))
  const ring = Array.from({ length: count }, (_, i) => i)
  const isConvex = ring.every((i) => turn((i + count - 1) % count, i, (i + 1) % count) >= 0)
  if (isConvex || !(Math.abs(normal[axis]!) > 0)) return false
  let tests = count * testsForCorner
  while (ring.length > 3) {
    const ear = ring.findIndex((b, i) => {
      const [a, c] = [ring.at(i - 1)!, ring[(i + 1) % ring.length]!]
      if (tests < 0) return true
      tests -= ring.length
      if (!(turn(a, b, c) > 0)) return false
      const isInside = (p: number) => turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0
      return ring.every((p) => p === a || p === b || p === c || !isInside(p))
    })
    // Polygons that cross themselves may have no ear.
    const i = Math.max(ear, 0)
    add(start + ring.at(i - 1)!, start + ring[i]!, start + ring[(i + 1) % ring.length]!)
    ring.splice(i, 1)
  }
  add(start + ring[0]!, start + ring[1]!, start + ring[2]!)
  return true
}
