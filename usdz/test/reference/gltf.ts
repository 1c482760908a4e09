/** The parts of a glTF file that the reference evaluator reads, named as in the glTF 2.0 schema. */
export type Gltf = {
  scene?: number
  scenes?: { nodes?: number[] }[]
  nodes?: GltfNode[]
  meshes?: { primitives: GltfPrimitive[]; weights?: number[] }[]
  skins?: { joints: number[]; inverseBindMatrices?: number }[]
  animations?: { name?: string; channels: GltfChannel[]; samplers: GltfSampler[] }[]
  accessors?: GltfAccessor[]
  bufferViews?: { buffer: number; byteOffset?: number; byteLength: number; byteStride?: number }[]
  buffers?: { uri?: string; byteLength: number }[]
  extensionsUsed?: string[]
  images?: unknown[]
  textures?: unknown[]
  materials?: unknown[]
}
export type GltfNode = {
  name?: string
  children?: number[]
  mesh?: number
  skin?: number
  weights?: number[]
  matrix?: number[]
  translation?: number[]
  rotation?: number[]
  scale?: number[]
  extensions?: {
    EXT_mesh_gpu_instancing?: { attributes: Record<string, number> }
    KHR_node_visibility?: { visible?: boolean }
  }
}
export type GltfPrimitive = {
  attributes: Record<string, number>
  indices?: number
  mode?: number
  material?: number
  targets?: Record<string, number>[]
  extensions?: { KHR_materials_variants?: { mappings: { material: number }[] } }
}
export type GltfChannel = {
  sampler: number
  target: { node?: number; path: string; extensions?: { KHR_animation_pointer?: { pointer: string } } }
}
export type GltfSampler = { input: number; output: number; interpolation?: 'LINEAR' | 'STEP' | 'CUBICSPLINE' }
type GltfAccessor = {
  bufferView?: number
  byteOffset?: number
  componentType: number
  normalized?: boolean
  count: number
  type: string
  sparse?: {
    count: number
    indices: { bufferView: number; byteOffset?: number; componentType: number }
    values: { bufferView: number; byteOffset?: number }
  }
}

export type GltfFile = { json: Gltf; buffers: DataView[] }

/** Opens a GLB (glTF 2.0 §4.4): its JSON, and its buffers from the binary chunk or from data URIs. */
export function openGlb(glb: Uint8Array): GltfFile {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength)
  const length = view.getUint32(12, true)
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length))) as Gltf
  const chunk = 20 + length + 8
  const buffers = (json.buffers ?? []).map(({ uri }) => {
    // A buffer without a URI may have no data, if nothing uses it.
    const at = Math.min(chunk, glb.byteLength)
    if (uri === undefined) return new DataView(glb.buffer, glb.byteOffset + at, glb.byteLength - at)
    const bytes = Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64')
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  })
  return { json, buffers }
}
