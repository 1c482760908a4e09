import { latin1 } from '../bytes.ts'
import { malformed, tooLarge, unsupported } from '../errors.ts'
import type { NoteCode } from '../note-codes.ts'

/** The triangles of a mesh file. Normals, colours and texture coordinates, if any, have one value for each vertex. */
export type MeshFile = {
  positions: Float32Array
  indices: Uint32Array
  normals?: Float32Array
  /** sRGB, 0 to 1. */
  colors?: Float32Array
  /** v grows upwards. */
  uvs?: Float32Array
  /** What of the file is not read. */
  leftOut: Loss[]
}

/** A note of something that is left out. */
export type Loss = { code: NoteCode; message: string }

export type MeshKind = 'PLY' | 'STL' | 'OBJ'

/** Largest number of corners of a polygon, so that a damaged count is noticed. */
const maxCorners = 10_000

/** Tells whether bytes are a PLY, STL or OBJ by their beginning, and for a binary STL by their length. */
export function meshKindOf(bytes: Uint8Array): MeshKind | undefined {
  const start = latin1(bytes, 0, Math.min(bytes.length, 4096))
  if (/^ply\r?\n/.test(start)) return 'PLY'
  if (/^\s*solid\b[\s\S]*?\bfacet\s+normal\b/i.test(start)) return 'STL'
  if (/^glTF|^\s*\{/.test(start)) return undefined
  const isBinaryStl = bytes.length >= 84 && bytes.length === 84 + 50 * viewOf(bytes).getUint32(80, true)
  if (isBinaryStl) return 'STL'
  const line = start.split(/\r?\n/).find((text) => text.trim() !== '' && !text.startsWith('#'))
  return line !== undefined && /^(v|vn|vt|vp|o|g|s|mg|f|l|p|mtllib|usemtl|maplib|usemap|lod|bevel)(\s|$)/.test(line)
    ? 'OBJ'
    : undefined
}

/** Collects polygons as triangles, and refuses too many. */
export function triangleCollector(maxTriangles: number) {
  let indices = new Uint32Array(3 * 1024)
  let length = 0
  return {
    /** Adds a polygon as a fan of triangles around its first corner. */
    polygon(corners: readonly number[]): void {
      if (corners.length > maxCorners) throw malformed(`A polygon has ${corners.length} corners.`)
      for (let i = 2; i < corners.length; i++) {
        if (length / 3 >= maxTriangles) throw tooLarge(`The model has more than ${maxTriangles} triangles.`)
        if (length + 3 > indices.length) {
          const larger = new Uint32Array(indices.length * 2)
          larger.set(indices)
          indices = larger
        }
        indices[length++] = corners[0]!
        indices[length++] = corners[i - 1]!
        indices[length++] = corners[i]!
      }
    },
    /** @throws ConversionError when there is no triangle, or one names a missing vertex. */
    finish(vertexCount: number): Uint32Array {
      if (length === 0) {
        throw unsupported('The file has no faces: points and lines cannot be converted. Save it as a mesh with faces.')
      }
      const found = indices.slice(0, length)
      for (const vertex of found) {
        if (vertex >= vertexCount) throw malformed(`A triangle names vertex ${vertex} of ${vertexCount}.`)
      }
      return found
    },
  }
}

export const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
