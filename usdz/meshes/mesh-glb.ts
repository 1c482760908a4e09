import { utf8 } from '../bytes.ts'
import { decodeSrgb } from '../textures/images/pixel-edits.ts'
import { type Loss, type MeshFile, type MeshKind, meshKindOf } from './mesh-file.ts'
import { readObj } from './read-obj.ts'
import { readPly } from './read-ply.ts'
import { readStl } from './read-stl.ts'

const readers: Record<MeshKind, (bytes: Uint8Array, maxTriangles: number) => MeshFile> = {
  PLY: readPly,
  STL: readStl,
  OBJ: readObj,
}

/**
 * Returns the GLB of a PLY, STL or OBJ file with one mesh in a plain, rough material, and what it leaves out; undefined
 * for other bytes. Units and axes stay as in the file.
 * @throws ConversionError when the file is malformed, has no triangles or too many.
 */
export function glbOfMesh(bytes: Uint8Array, maxTriangles: number): { glb: Uint8Array; leftOut: Loss[] } | undefined {
  const kind = meshKindOf(bytes)
  if (!kind) return undefined
  const mesh = readers[kind](bytes, maxTriangles)
  return { glb: glbOf(kind, mesh), leftOut: mesh.leftOut }
}

const float = 5126
const unsignedInt = 5125

function glbOf(kind: MeshKind, { positions, indices, normals, colors, uvs }: MeshFile): Uint8Array {
  const linear = colors?.map((value) => decodeSrgb(Math.min(1, Math.max(0, value))))
  const flipped = uvs?.map((value, i) => (i % 2 === 1 ? 1 - value : value))
  const attributes = {
    POSITION: { array: positions, type: 'VEC3', size: 3, ...extent(positions) },
    ...(normals && { NORMAL: { array: normals, type: 'VEC3', size: 3 } }),
    ...(linear && { COLOR_0: { array: linear, type: 'VEC3', size: 3 } }),
    ...(flipped && { TEXCOORD_0: { array: flipped, type: 'VEC2', size: 2 } }),
  }
  const arrays = [...Object.values(attributes), { array: indices, type: 'SCALAR', size: 1 }]
  let byteLength = 0
  const bufferViews = arrays.map(({ array }) => {
    const view = { buffer: 0, byteOffset: byteLength, byteLength: array.byteLength }
    byteLength += array.byteLength
    return view
  })
  const accessors = arrays.map(({ array, size, ...rest }, bufferView) => ({
    ...rest,
    bufferView,
    count: array.length / size,
    componentType: array instanceof Uint32Array ? unsignedInt : float,
  }))
  const primitive = {
    attributes: Object.fromEntries(Object.keys(attributes).map((name, accessor) => [name, accessor])),
    indices: arrays.length - 1,
    material: 0,
  }
  return container(
    {
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0, name: kind }],
      meshes: [{ primitives: [primitive], name: kind }],
      materials: [{ name: 'Plain', pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0.8 } }],
      buffers: [{ byteLength }],
      bufferViews,
      accessors,
    },
    arrays.map(({ array }) => array),
  )
}

function extent(positions: Float32Array): { min: number[]; max: number[] } {
  const [min, max] = [new Array<number>(3).fill(Infinity), new Array<number>(3).fill(-Infinity)]
  for (let i = 0; i < positions.length; i++) {
    min[i % 3] = Math.min(min[i % 3]!, positions[i]!)
    max[i % 3] = Math.max(max[i % 3]!, positions[i]!)
  }
  return { min, max }
}

function container(json: object, arrays: readonly (Float32Array | Uint32Array)[]): Uint8Array {
  const text = utf8(JSON.stringify(json))
  const padding = (4 - (text.length % 4)) % 4
  const binary = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const glb = new Uint8Array(28 + text.length + padding + binary)
  const view = new DataView(glb.buffer)
  const head = [0x46546c67, 2, glb.length, text.length + padding, 0x4e4f534a]
  for (const [i, value] of head.entries()) view.setUint32(i * 4, value, true)
  glb.set(text, 20)
  glb.fill(0x20, 20 + text.length, 20 + text.length + padding)
  let at = 20 + text.length + padding
  view.setUint32(at, binary, true)
  view.setUint32(at + 4, 0x004e4942, true)
  at += 8
  for (const { buffer, byteOffset, byteLength } of arrays) {
    glb.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += byteLength
  }
  return glb
}
