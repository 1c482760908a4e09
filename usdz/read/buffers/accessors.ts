import type { TypedArray } from '@gltf-transform/core'
import { malformed } from '../../errors.ts'
import type { JsonObject, ValidatedGltf } from '../json.ts'
import type { BufferViewReader } from './buffer-views.ts'
import { componentBytes, componentCounts, componentType } from './component-types.ts'

/**
 * Reads the components of an accessor as one packed array: deinterleaved, with sparse values applied and half precision
 * widened to float. Normalized integers stay integers. Format: glTF 2.0 §3.6.2.
 * @returns a view into the file's bytes where possible: it must not be modified.
 * @throws ConversionError when a sparse index is out of range.
 */
export function readAccessor(json: ValidatedGltf, index: number, view: BufferViewReader): TypedArray {
  const accessor = json.accessors[index]!
  const count = Number(accessor.count)
  const size = componentCounts.get(accessor.type)!
  const plain = elements(json, accessor, Number(accessor.componentType), size, count, view)
  if (!accessor.sparse) return plain

  const { indices, values, count: given } = accessor.sparse as Record<'indices' | 'values', JsonObject> & JsonObject
  const replaced = Number(given)
  const places = elements(json, indices, Number(indices.componentType), 1, replaced, view)
  const replacements = elements(json, values, Number(accessor.componentType), size, replaced, view)
  const array = plain.slice()
  for (let i = 0; i < replaced; i++) {
    const place = places[i]!
    if (place >= count) throw malformed(`accessor ${index}: a sparse value is for element ${place} of ${count}.`)
    for (let k = 0; k < size; k++) array[place * size + k] = replacements[i * size + k]!
  }
  return array
}

/**
 * Reads packed elements. `part` is an accessor, or the indices or values of a sparse one. Without a buffer view all
 * values are zero.
 */
function elements(
  json: ValidatedGltf,
  part: JsonObject,
  type: number,
  size: number,
  count: number,
  view: BufferViewReader,
): TypedArray {
  const width = componentBytes.get(type)!
  const length = count * size * width
  if (part.bufferView === undefined) return typed(new Uint8Array(length), type)
  const number = Number(part.bufferView)
  const offset = Number(part.byteOffset ?? 0)
  const stride = Number(json.bufferViews[number]!.byteStride ?? size * width)
  const bytes = view(number)
  if (stride !== size * width) return typed(gather(bytes, offset, stride, size * width, count), type)
  const whole = bytes.subarray(offset, offset + length)
  return typed(whole.byteOffset % width === 0 ? whole : new Uint8Array(whole), type)
}

/** Packs elements that are `stride` bytes apart, in words of four bytes where everything is aligned to four. */
function gather(bytes: Uint8Array, offset: number, stride: number, size: number, count: number): Uint8Array {
  const start = bytes.byteOffset + offset
  const isInWords = (start | stride | size) % 4 === 0
  const width = isInWords ? 4 : 1
  const last = count > 0 ? stride * (count - 1) + size : 0
  const source = isInWords ? new Uint32Array(bytes.buffer, start, last / 4) : bytes.subarray(offset, offset + last)
  const out = isInWords ? new Uint32Array((size / 4) * count) : new Uint8Array(size * count)
  const [step, length] = [stride / width, size / width]
  for (let from = 0, to = 0; to < out.length; from += step) {
    for (let k = 0; k < length; k++) out[to++] = source[from + k]!
  }
  return new Uint8Array(out.buffer)
}

function typed(bytes: Uint8Array, type: number): TypedArray {
  const at = [bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length / componentBytes.get(type)!] as const
  switch (type) {
    case componentType.byte:
      return new Int8Array(...at)
    case componentType.unsignedByte:
      return new Uint8Array(...at)
    case componentType.short:
      return new Int16Array(...at)
    case componentType.unsignedShort:
      return new Uint16Array(...at)
    case componentType.unsignedInt:
      return new Uint32Array(...at)
    case componentType.double:
      return new Float64Array(...at)
    case componentType.half:
      return Float32Array.from(new Uint16Array(...at), halfToFloat)
    default:
      return new Float32Array(...at)
  }
}

/** Converts the 16 bits of a half-precision number (IEEE 754 binary16). */
function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
