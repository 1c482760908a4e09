import { malformed, unsupported } from '../errors.ts'
import { type MeshFile, triangleCollector } from './mesh-file.ts'
import { type PlyElement, plyHeader } from './ply-header.ts'
import { type PlyRow, plyRows } from './ply-rows.ts'
import { floatList } from './vertex-table.ts'

/** Reads the triangles of a PLY, text or binary, with normals, colours and texture coordinates of its vertices. */
export function readPly(bytes: Uint8Array, maxTriangles: number): MeshFile {
  const header = plyHeader(bytes)
  const vertex = header.elements.find(({ name }) => name === 'vertex')
  const face = header.elements.find(({ name }) => name === 'face')
  if (!vertex || !face || face.rows === 0) {
    throw unsupported('The PLY has no faces: point clouds and splats cannot be converted.')
  }
  const corners = placesOf(face, ['vertex_indices'])?.[0] ?? placesOf(face, ['vertex_index'])?.[0]
  const positions = placesOf(vertex, ['x', 'y', 'z'])
  if (corners === undefined || !positions) throw malformed('The PLY has no positions, or no indices of faces.')
  const attributes = {
    normals: placesOf(vertex, ['nx', 'ny', 'nz']),
    colors: placesOf(vertex, ['red', 'green', 'blue']),
    uvs: placesOf(vertex, ['s', 't']) ?? placesOf(vertex, ['u', 'v']) ?? placesOf(vertex, ['texture_u', 'texture_v']),
  }
  const [points, normals, colors, uvs] = [floatList(), floatList(), floatList(), floatList()]
  // Colours of whole numbers go up to 255 or 65535, others up to 1.
  const { type, size } = vertex.properties[attributes.colors?.[0] ?? 0]!.value
  const most = type.startsWith('float') ? 1 : 2 ** (8 * size) - 1
  const triangles = triangleCollector(maxTriangles)
  for (const { element, row } of plyRows(bytes, header)) {
    if (element === face) triangles.polygon(row[corners] as number[])
    if (element !== vertex) continue
    add(points, row, positions)
    add(normals, row, attributes.normals)
    add(colors, row, attributes.colors)
    add(uvs, row, attributes.uvs)
  }
  const indices = triangles.finish(points.length() / 3)
  return {
    positions: points.finish(),
    indices,
    ...(attributes.normals && { normals: normals.finish() }),
    ...(attributes.colors && { colors: colors.finish().map((value) => value / most) }),
    ...(attributes.uvs && { uvs: uvs.finish() }),
  }
}

/** The places of these properties in a row, if the element has all of them. */
function placesOf({ properties }: PlyElement, names: readonly string[]): number[] | undefined {
  const places = names.map((name) => properties.findIndex((property) => property.name === name))
  return places.every((place) => place >= 0) ? places : undefined
}

function add(to: ReturnType<typeof floatList>, row: PlyRow, places: readonly number[] | undefined): void {
  for (const place of places ?? []) to.push(row[place] as number)
}
