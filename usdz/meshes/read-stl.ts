import { malformed, tooLarge } from '../errors.ts'
import { type MeshFile, triangleCollector, viewOf } from './mesh-file.ts'
import { numberIn, textLines } from './text-lines.ts'
import { vertexTable } from './vertex-table.ts'

/**
 * Reads an STL, binary or text. Corners at the same position become one vertex, without normals: those of the file are
 * of its triangles, which are flat anyway.
 */
export function readStl(bytes: Uint8Array, maxTriangles: number): MeshFile {
  const vertices = vertexTable()
  const triangles = triangleCollector(maxTriangles)
  const position = new Float32Array(3)
  const bits = new Int32Array(position.buffer)
  const vertexAt = (x: number, y: number, z: number): number => {
    // Adding 0 turns −0 into 0.
    position[0] = x + 0
    position[1] = y + 0
    position[2] = z + 0
    return vertices.numberOf(bits[0]!, bits[1]!, bits[2]!)
  }
  if (isBinary(bytes)) readBinary(bytes, maxTriangles, vertexAt, triangles.polygon)
  else readText(bytes, vertexAt, triangles.polygon)
  return {
    positions: new Float32Array(vertices.finish().buffer),
    indices: triangles.finish(vertices.count()),
    leftOut: [],
  }
}

type VertexAt = (x: number, y: number, z: number) => number
type Polygon = (corners: readonly number[]) => void

const isBinary = (bytes: Uint8Array) =>
  bytes.length >= 84 && bytes.length === 84 + 50 * viewOf(bytes).getUint32(80, true)

function readBinary(bytes: Uint8Array, maxTriangles: number, vertexAt: VertexAt, polygon: Polygon): void {
  const view = viewOf(bytes)
  const count = view.getUint32(80, true)
  if (count > maxTriangles) throw tooLarge(`The model has more than ${maxTriangles} triangles.`)
  for (let i = 0; i < count; i++) {
    const corner = (k: number) => {
      const at = 84 + 50 * i + 12 + 12 * k
      const [x, y, z] = [0, 4, 8].map((offset) => view.getFloat32(at + offset, true)) as [number, number, number]
      if (!Number.isFinite(x + y + z)) throw malformed(`Triangle ${i} has a position that is not finite.`)
      return vertexAt(x, y, z)
    }
    polygon([corner(0), corner(1), corner(2)])
  }
}

function readText(bytes: Uint8Array, vertexAt: VertexAt, polygon: Polygon): void {
  let corners: number[] = []
  for (const [keyword, ...rest] of textLines(bytes)) {
    const word = keyword!.toLowerCase()
    if (word === 'vertex') {
      const [x, y, z] = [0, 1, 2].map((k) => Math.fround(numberIn(rest[k]))) as [number, number, number]
      corners.push(vertexAt(x, y, z))
    } else if (word === 'endloop' || word === 'endfacet') {
      if (corners.length > 0) polygon(corners)
      corners = []
    }
  }
  if (corners.length > 0) throw malformed('The STL is cut off within a facet.')
}
