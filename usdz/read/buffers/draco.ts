import type { TypedArray } from '@gltf-transform/core'
import { malformed } from '../../errors.ts'
import { primitiveLabel } from '../element-label.ts'
import { isCount, isObject, type JsonObject, type ValidatedGltf } from '../json.ts'
import type { BufferViewReader } from './buffer-views.ts'
import { componentCounts, componentType } from './component-types.ts'
import { dracoDecoder } from './draco-decoder.ts'
import type { Attribute, Decoder, DracoModule, Mesh } from './draco-module.ts'

const name = 'KHR_draco_mesh_compression'

/**
 * Decodes KHR_draco_mesh_compression.
 * @returns the components of each decoded accessor, by its index.
 * @throws ConversionError naming the primitive whose data cannot be decoded.
 */
export async function readDraco(json: ValidatedGltf, view: BufferViewReader): Promise<Map<number, TypedArray>> {
  const arrays = new Map<number, TypedArray>()
  const coded = json.meshes.flatMap((mesh, meshIndex) =>
    (mesh.primitives as JsonObject[]).flatMap((primitive, index) => {
      const extension = isObject(primitive.extensions) ? primitive.extensions[name] : undefined
      if (extension === undefined) return []
      return [{ primitive, extension, place: primitiveLabel(meshIndex, mesh.name, index) }]
    }),
  )
  if (coded.length === 0) return arrays

  const newModule = await dracoDecoder()
  // Each model gets its own module, so that damaged data cannot affect the next.
  const module = await newModule()
  for (const { primitive, extension, place } of coded) {
    const { bufferView, attributes } = isObject(extension) ? extension : {}
    if (!isCount(bufferView) || bufferView >= json.bufferViews.length || !isObject(attributes)) {
      throw malformed(`${place}: its Draco data is missing.`)
    }
    try {
      decodePrimitive(json, module, primitive, attributes, view(bufferView), arrays)
    } catch (error) {
      throw malformed(`${place}: its Draco data cannot be decoded.`, { cause: error })
    }
  }
  return arrays
}

function decodePrimitive(
  json: ValidatedGltf,
  module: DracoModule,
  primitive: JsonObject,
  ids: JsonObject,
  data: Uint8Array,
  arrays: Map<number, TypedArray>,
): void {
  const [decoder, mesh] = [new module.Decoder(), new module.Mesh()]
  try {
    const status = decoder.DecodeArrayToMesh(data, data.length, mesh)
    if (!status.ok() || mesh.ptr === 0) throw new Error(status.error_msg())
    const attributes = primitive.attributes as Record<string, number>
    for (const [semantic, id] of Object.entries(ids)) {
      const index = attributes[semantic]
      if (index === undefined) continue
      const attribute = decoder.GetAttributeByUniqueId(mesh, Number(id))
      arrays.set(index, attributeValues(module, decoder, mesh, attribute, json.accessors[index]!))
    }
    if (isCount(primitive.indices)) arrays.set(primitive.indices, triangles(module, decoder, mesh))
  } finally {
    module.destroy(mesh)
    module.destroy(decoder)
  }
}

/** The Draco data type and array for each glTF component type. */
const dataTypes = new Map<unknown, { type: keyof DracoModule & `DT_${string}`; array: Constructor }>([
  [componentType.byte, { type: 'DT_INT8', array: Int8Array }],
  [componentType.unsignedByte, { type: 'DT_UINT8', array: Uint8Array }],
  [componentType.short, { type: 'DT_INT16', array: Int16Array }],
  [componentType.unsignedShort, { type: 'DT_UINT16', array: Uint16Array }],
  [componentType.unsignedInt, { type: 'DT_UINT32', array: Uint32Array }],
  [componentType.float, { type: 'DT_FLOAT32', array: Float32Array }],
])
type Constructor = (new (buffer: ArrayBuffer) => TypedArray) & { BYTES_PER_ELEMENT: number }

function attributeValues(
  module: DracoModule,
  decoder: Decoder,
  mesh: Mesh,
  attribute: Attribute,
  accessor: JsonObject,
): TypedArray {
  const kind = dataTypes.get(accessor.componentType)
  if (attribute.ptr === 0 || !kind) throw new Error('There is no such attribute.')
  const size = attribute.num_components()
  if (size !== componentCounts.get(accessor.type)) throw new Error(`${accessor.type} with ${size} components.`)
  const length = mesh.num_points() * size * kind.array.BYTES_PER_ELEMENT
  const bytes = copyFromModule(module, length, (at) =>
    decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, module[kind.type], length, at),
  )
  return new kind.array(bytes.buffer)
}

function triangles(module: DracoModule, decoder: Decoder, mesh: Mesh): Uint32Array<ArrayBuffer> {
  const length = mesh.num_faces() * 3 * Uint32Array.BYTES_PER_ELEMENT
  return new Uint32Array(
    copyFromModule(module, length, (at) => decoder.GetTrianglesUInt32Array(mesh, length, at)).buffer,
  )
}

/** Lets the module fill memory of its own and copies the result. */
function copyFromModule(module: DracoModule, length: number, fill: (at: number) => boolean): Uint8Array<ArrayBuffer> {
  const at = module._malloc(length)
  if (at === 0 && length > 0) throw new Error('There is no memory left.')
  try {
    if (!fill(at)) throw new Error('The values cannot be given out.')
    return module.HEAPU8.slice(at, at + length)
  } finally {
    module._free(at)
  }
}
