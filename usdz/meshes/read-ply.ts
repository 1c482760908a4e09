import { malformed, unsupported } from '../errors.ts'
import { type Loss, type MeshFile, triangleCollector } from './mesh-file.ts'
import { hasSplats, type PlyElement, type PlyHeader, plyHeader } from './ply-header.ts'
import { type PlyRow, plyRows } from './ply-rows.ts'
import { floatList } from './vertex-table.ts'

/** Reads the triangles of a PLY, text or binary, with normals, colours and texture coordinates of its vertices. */
export function readPly(bytes: Uint8Array, maxTriangles: number): MeshFile {
  const header = plyHeader(bytes)
  const vertex = header.elements.find(({ name }) => name === 'vertex')
  const face = header.elements.find(({ name }) => name === 'face')
  if (!vertex || !face || face.rows === 0) throw withoutFaces(header)
  const corners = placesOf(face, ['vertex_indices'])?.[0] ?? placesOf(face, ['vertex_index'])?.[0]
  const positions = placesOf(vertex, ['x', 'y', 'z'])
  if (corners === undefined || !positions) throw malformed('The PLY has no positions, or no indices of faces.')
  const attributes = {
    normals: placesOf(vertex, ['nx', 'ny', 'nz']),
    colors:
      placesOf(vertex, ['red', 'green', 'blue']) ?? placesOf(vertex, ['diffuse_red', 'diffuse_green', 'diffuse_blue']),
    alpha: placesOf(vertex, ['alpha']),
    uvs: placesOf(vertex, ['s', 't']) ?? placesOf(vertex, ['u', 'v']) ?? placesOf(vertex, ['texture_u', 'texture_v']),
  }
  const list = (size: number) => floatList(size, 3 * maxTriangles)
  const [points, normals, colors, uvs] = [list(3), list(3), list(3), list(2)]
  // Colours of whole numbers go up to 255 or 65535, others up to 1.
  const { type, size } = vertex.properties[attributes.colors?.[0] ?? 0]!.value
  const most = type.startsWith('float') ? 1 : 2 ** (8 * size) - 1
  const triangles = triangleCollector(maxTriangles)
  let isTransparent = false
  for (const { element, row } of plyRows(bytes, header)) {
    if (element === face) triangles.polygon(row[corners] as number[])
    if (element !== vertex) continue
    add(points, row, positions)
    add(normals, row, attributes.normals)
    add(colors, row, attributes.colors)
    add(uvs, row, attributes.uvs)
    if (attributes.colors && attributes.alpha && (row[attributes.alpha[0]!] as number) < most) isTransparent = true
  }
  const indices = triangles.finish(points.length() / 3)
  return {
    positions: points.finish(),
    indices,
    ...(attributes.normals && { normals: normals.finish() }),
    ...(attributes.colors && { colors: colors.finish().map((value) => value / most) }),
    ...(attributes.uvs && { uvs: uvs.finish() }),
    leftOut: [
      ...(isTransparent ? [transparency] : []),
      ...(!attributes.colors && placesOf(face, ['red', 'green', 'blue']) ? [faceColors] : []),
      ...(header.comments.some((comment) => /^TextureFile\b/i.test(comment)) ? [image] : []),
    ],
  }
}

const transparency: Loss = { code: 'vertex_alpha', message: 'The transparency of vertex colours is left out.' }
const faceColors: Loss = { code: 'face_colors', message: 'The colours of faces are left out.' }
const image: Loss = {
  code: 'ply_image',
  message: 'The image of the PLY is left out: it is in another file, which is not read.',
}

/** Says what a PLY without faces has instead, and what to do. */
function withoutFaces(header: PlyHeader): Error {
  const { elements } = header
  const has = (name: string) => elements.some((element) => element.rows > 0 && element.name === name)
  if (hasSplats(header)) {
    return unsupported(
      'The PLY has Gaussian splats, and AR viewers show triangles only. Export a mesh from the program that made them, or convert it with the profile "spec" for programs that read OpenUSD 26.03.',
    )
  }
  if (has('tristrips')) return unsupported('The PLY has triangle strips and no faces. Save it with faces.')
  return unsupported(
    has('vertex')
      ? 'The PLY is a point cloud without faces. Reconstruct a surface from its points, and convert that.'
      : 'The PLY has no vertices and no faces.',
  )
}

/** The places of these properties in a row, if the element has all of them. */
function placesOf({ properties }: PlyElement, names: readonly string[]): number[] | undefined {
  const places = names.map((name) => properties.findIndex((property) => property.name === name))
  return places.every((place) => place >= 0) ? places : undefined
}

function add(to: ReturnType<typeof floatList>, row: PlyRow, places: readonly number[] | undefined): void {
  for (const place of places ?? []) to.push(row[place] as number)
}
