import { render } from '../../preview/render.ts'
import { upOf } from '../../preview/up-axis.ts'
import { damaged, type Inspection } from '../../processing/inspection.ts'
import { type OpenFile, unread } from '../open-file.ts'
import { positionsReader } from '../positions.ts'
import { isSplats, splatsTaker } from '../splats.ts'
import { minBytes, type PlyHeader, readPlyHeader } from './ply-header.ts'
import { readPlyRows } from './ply-rows.ts'
import { facesTaker, MESH_MAX_VERTICES, pointsTaker, verticesTaker } from './ply-shapes.ts'

const FACES = 'face'
const VERTICES = 'vertex'

/** Reads a PLY file as a mesh, a point cloud or 3D Gaussian splats, by its header. @throws ScanFault */
export async function inspectPly(file: OpenFile): Promise<Inspection> {
  const header = readPlyHeader(file.head)
  if (minBytes(header) > file.size - header.length)
    throw damaged('The PLY file is cut off: its header declares more elements than the file has.')
  const vertices = header.elements.find(({ name }) => name === VERTICES)
  const has = (name: string) => vertices?.properties.some((property) => property.name === name && !property.count)
  if (!vertices || !['x', 'y', 'z'].every(has))
    return unread('PLY', 'The PLY file has no vertices with x, y and z: it is kept without a preview.')
  const rest = behind(file.bytes, header.length)
  if (isSplats(vertices)) return inspectSplats(header, rest)
  const faces = header.elements.find(({ name }) => name === FACES)
  return faces && faces.count > 0
    ? inspectMesh(header, rest, vertices.count)
    : inspectCloud(header, rest, vertices.count)
}

async function inspectSplats(header: PlyHeader, bytes: AsyncIterable<Uint8Array>): Promise<Inspection> {
  const count = header.elements.find(({ name }) => name === VERTICES)!.count
  const taker = splatsTaker(count)
  await readPlyRows(header, bytes, ({ name }) => (name === VERTICES ? taker : undefined))
  return {
    ...unread('SPLAT', ...strayNotes(taker.strays())),
    bounds: taker.bounds(),
    points: count,
    // Splats are trained in camera axes: y points down.
    preview: await render({ meshes: [], pointClouds: [], splats: taker.splats(), up: 'y-down' }),
  }
}

async function inspectCloud(header: PlyHeader, bytes: AsyncIterable<Uint8Array>, count: number): Promise<Inspection> {
  const positions = positionsReader()
  const taker = pointsTaker(positions, count)
  await readPlyRows(header, bytes, ({ name }) => (name === VERTICES ? taker : undefined))
  const bounds = positions.bounds()
  return {
    ...unread('PLY', ...strayNotes(positions.strays())),
    bounds,
    points: count,
    preview: await render({ meshes: [], pointClouds: [taker.cloud()], up: upOf(bounds, 'z') }),
  }
}

async function inspectMesh(header: PlyHeader, bytes: AsyncIterable<Uint8Array>, count: number): Promise<Inspection> {
  const positions = positionsReader()
  const vertices = verticesTaker(positions, count)
  const faces = facesTaker(count, count <= MESH_MAX_VERTICES)
  await readPlyRows(header, bytes, ({ name }) => (name === VERTICES ? vertices : name === FACES ? faces : undefined))
  const bounds = positions.bounds()
  const found = {
    ...unread('PLY', ...strayNotes(positions.strays()), ...faces.notes()),
    bounds,
    triangles: faces.triangles(),
  }
  const indices = faces.indices()
  if (!indices) return found
  const surface = vertices.surface(indices)
  return { ...found, preview: await render({ meshes: [surface], pointClouds: [], up: upOf(bounds, 'y') }) }
}

const strayNotes = (strays: number) =>
  strays > 0 ? [`${strays} points have coordinates that are not finite numbers: they are left out.`] : []

async function* behind(bytes: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array, void, undefined> {
  let passed = 0
  for await (const piece of bytes) {
    const from = Math.min(piece.length, length - passed)
    passed += from
    if (from < piece.length) yield piece.subarray(from)
  }
}
