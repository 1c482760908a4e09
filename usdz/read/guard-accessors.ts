import { malformed, tooLarge } from '../errors.ts'
import { type GuardedJson, isCount, isObject, type JsonObject } from './json.ts'

const componentBytes = new Map<unknown, number>([
  [5120, 1],
  [5121, 1],
  [5122, 2],
  [5123, 2],
  [5125, 4],
  [5126, 4],
  [5130, 8], // KHR_accessor_float64
  [5131, 2], // KHR_accessor_float16
])
const components = new Map<unknown, number>([
  ['SCALAR', 1],
  ['VEC2', 2],
  ['VEC3', 3],
  ['VEC4', 4],
  ['MAT2', 4],
  ['MAT3', 9],
  ['MAT4', 16],
])

/** All accessors decoded together may take this much; a file of a few bytes can otherwise ask for any amount. */
const maxDecodedBytes = 2 ** 30

/** Checks that every view lies in its buffer and every accessor in its view, before anything is allocated for them. */
export function guardAccessors(json: GuardedJson): void {
  json.bufferViews.forEach((view, index) => {
    guardView(json, view, `Buffer view ${index}`)
  })

  let decoded = 0
  for (const view of json.bufferViews) {
    const compressed = meshopt(view)
    if (compressed) decoded += Number(compressed.count) * Number(compressed.byteStride)
  }
  json.accessors.forEach((accessor, index) => {
    const name = `Accessor ${index}`
    const size = (componentBytes.get(accessor.componentType) ?? 0) * (components.get(accessor.type) ?? 0)
    if (size === 0) throw malformed(`${name} has an unknown type or component type.`)
    if (!isCount(accessor.count)) throw malformed(`${name} has no valid count.`)
    decoded += size * accessor.count
    guardRange(json, accessor, size, accessor.count, name)
    guardSparse(json, accessor, size, accessor.count, name)
  })
  if (decoded > maxDecodedBytes) throw tooLarge(`The GLB decodes to more than ${maxDecodedBytes} bytes of mesh data.`)
}

function guardView(json: GuardedJson, view: JsonObject, name: string): void {
  const compressed = meshopt(view)
  for (const part of compressed ? [compressed] : [view]) {
    const buffer = isCount(part.buffer) ? json.buffers[part.buffer] : undefined
    if (!buffer) throw malformed(`${name} names a buffer that does not exist.`)
    const { byteOffset = 0, byteLength } = part
    if (!isCount(byteOffset) || !isCount(byteLength) || byteOffset + byteLength > Number(buffer.byteLength)) {
      throw malformed(`${name} lies outside its buffer.`)
    }
  }
  const stride = view.byteStride
  if (stride !== undefined && !(isCount(stride) && stride >= 1 && stride <= 252)) {
    throw malformed(`${name} has a byteStride that is not 4 to 252.`)
  }
  if (compressed && !(isCount(compressed.count) && isCount(compressed.byteStride))) {
    throw malformed(`${name} has no valid count of compressed elements.`)
  }
}

function guardRange(json: GuardedJson, part: JsonObject, size: number, count: number, name: string): void {
  if (part.bufferView === undefined) return
  const view = isCount(part.bufferView) ? json.bufferViews[part.bufferView] : undefined
  const { byteOffset = 0 } = part
  if (!view || !isCount(byteOffset)) throw malformed(`${name} names a buffer view that does not exist.`)
  const length = Number(view.byteLength)
  const stride = Number(view.byteStride ?? size)
  if (count > 0 && !(byteOffset + stride * (count - 1) + size <= length)) {
    throw malformed(`${name} reads past the end of its buffer view.`)
  }
}

function guardSparse(json: GuardedJson, accessor: JsonObject, size: number, count: number, name: string): void {
  const { sparse } = accessor
  if (sparse === undefined) return
  const { indices, values, count: replaced } = isObject(sparse) ? sparse : {}
  if (!isObject(indices) || !isObject(values) || !isCount(replaced) || replaced > count) {
    throw malformed(`${name} has sparse values that cannot be read.`)
  }
  const indexSize = componentBytes.get(indices.componentType)
  if (!indexSize) throw malformed(`${name} has sparse indices of an unknown component type.`)
  if (indices.bufferView === undefined || values.bufferView === undefined) {
    throw malformed(`${name} has sparse values without a buffer view.`)
  }
  guardRange(json, indices, indexSize, replaced, name)
  guardRange(json, values, size, replaced, name)
}

function meshopt(view: JsonObject): JsonObject | undefined {
  const extension = isObject(view.extensions) ? view.extensions.EXT_meshopt_compression : undefined
  return isObject(extension) ? extension : undefined
}
