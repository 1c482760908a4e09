import { malformed, tooLarge } from '../../errors.ts'
import { componentBytes, componentCounts, componentType } from '../buffers/component-types.ts'
import { isCount, isObject, type JsonObject, type ValidatedGltf } from '../json.ts'

/** The largest total size of decoded accessors: a file of a few bytes can otherwise request any amount. */
const maxDecodedBytes = 2 ** 30
/** The largest total size of accessors without data in the file, which are filled with zeros. */
const maxZeroBytes = 2 ** 28

/**
 * Validates that every accessor lies within its buffer view and has a known type, before anything is allocated.
 * @param decompressed the decoded size of the compressed views, in bytes.
 */
export function validateAccessors(json: ValidatedGltf, decompressed: number): void {
  let decoded = decompressed
  let zeros = 0
  for (const [index, accessor] of json.accessors.entries()) {
    const name = `accessor ${index}`
    const size = (componentBytes.get(accessor.componentType) ?? 0) * (componentCounts.get(accessor.type) ?? 0)
    if (size === 0) throw malformed(`${name}: its type or component type is unknown.`)
    if (!isCount(accessor.count)) throw malformed(`${name}: it has no valid count.`)
    decoded += size * accessor.count
    if (accessor.bufferView === undefined) zeros += size * accessor.count
    validateRange(json, accessor, size, accessor.count, name)
    validateSparse(json, accessor, size, accessor.count, name)
  }
  if (decoded > maxDecodedBytes) throw tooLarge(`The GLB decodes to more than ${maxDecodedBytes} bytes of mesh data.`)
  if (zeros > maxZeroBytes) throw tooLarge(`The GLB asks for more than ${maxZeroBytes} bytes of zeros.`)
}

function validateRange(json: ValidatedGltf, part: JsonObject, size: number, count: number, name: string): void {
  if (part.bufferView === undefined) return
  const view = isCount(part.bufferView) ? json.bufferViews[part.bufferView] : undefined
  if (!view) throw malformed(`${name}: there is no buffer view ${part.bufferView}.`)
  const { byteOffset = 0 } = part
  if (!isCount(byteOffset)) throw malformed(`${name}: it has no valid byteOffset.`)
  const length = Number(view.byteLength)
  const stride = Number(view.byteStride ?? size)
  if (count > 0 && !(byteOffset + stride * (count - 1) + size <= length)) {
    throw malformed(`${name}: it reads past the end of buffer view ${part.bufferView}.`)
  }
}

const indexTypes: readonly unknown[] = [
  componentType.unsignedByte,
  componentType.unsignedShort,
  componentType.unsignedInt,
]

function validateSparse(json: ValidatedGltf, accessor: JsonObject, size: number, count: number, name: string): void {
  const { sparse } = accessor
  if (sparse === undefined) return
  const { indices, values, count: replaced } = isObject(sparse) ? sparse : {}
  if (!isObject(indices) || !isObject(values) || !isCount(replaced) || replaced > count) {
    throw malformed(`${name}: its sparse values cannot be read.`)
  }
  if (!indexTypes.includes(indices.componentType)) {
    throw malformed(`${name}: its sparse indices are not unsigned integers.`)
  }
  if (indices.bufferView === undefined || values.bufferView === undefined) {
    throw malformed(`${name}: its sparse values have no buffer view.`)
  }
  validateRange(json, indices, componentBytes.get(indices.componentType)!, replaced, `${name}, sparse indices`)
  validateRange(json, values, size, replaced, `${name}, sparse values`)
}
