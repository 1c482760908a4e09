import { malformed } from '../../errors.ts'
import { meshoptOf } from '../buffers/meshopt-extension.ts'
import { isCount, type JsonObject, type ValidatedGltf } from '../json.ts'

/** The element sizes that each mode supports, and each filter. Source: EXT_meshopt_compression. */
const modes: Record<string, (stride: number, count: number) => boolean> = {
  ATTRIBUTES: (stride) => stride % 4 === 0 && stride <= 256,
  TRIANGLES: (stride, count) => (stride === 2 || stride === 4) && count % 3 === 0,
  INDICES: (stride) => stride === 2 || stride === 4,
}
const filters: Record<string, (stride: number) => boolean> = {
  NONE: () => true,
  OCTAHEDRAL: (stride) => stride === 4 || stride === 8,
  QUATERNION: (stride) => stride === 8,
  EXPONENTIAL: (stride) => stride % 4 === 0,
  COLOR: (stride) => stride === 4 || stride === 8,
}

/**
 * Validates that every buffer view lies within its buffer and that compressed ones can be decoded.
 * @returns the decoded size of the compressed ones, in bytes.
 */
export function validateBufferViews(json: ValidatedGltf): number {
  let decoded = 0
  for (const [index, view] of json.bufferViews.entries()) {
    const name = `buffer view ${index}`
    const compressed = meshoptOf(view)
    validateRange(json, compressed ?? view, name)
    const { byteStride: stride, byteLength } = view
    if (stride !== undefined && !(isCount(stride) && stride >= 1 && stride <= 252)) {
      throw malformed(`${name}: its byteStride is not 4 to 252.`)
    }
    if (!isCount(byteLength)) throw malformed(`${name}: it has no valid byteLength.`)
    if (compressed) decoded += validateCompressed(compressed, byteLength, name)
  }
  return decoded
}

function validateRange(json: ValidatedGltf, part: JsonObject, name: string): void {
  const buffer = isCount(part.buffer) ? json.buffers[part.buffer] : undefined
  if (!buffer) throw malformed(`${name}: there is no buffer ${part.buffer}.`)
  const { byteOffset = 0, byteLength } = part
  if (!isCount(byteOffset) || !isCount(byteLength) || byteOffset + byteLength > Number(buffer.byteLength)) {
    throw malformed(`${name}: it lies outside buffer ${part.buffer}.`)
  }
}

function validateCompressed(part: JsonObject, byteLength: number, name: string): number {
  const { count, byteStride, mode, filter = 'NONE' } = part
  if (!isCount(count) || !isCount(byteStride) || byteStride === 0) {
    throw malformed(`${name}: it has no valid count of compressed elements.`)
  }
  if (count * byteStride !== byteLength) {
    throw malformed(`${name}: ${count} compressed elements of ${byteStride} bytes do not fill its ${byteLength} bytes.`)
  }
  const fits = Object.hasOwn(modes, String(mode)) && modes[String(mode)]!(byteStride, count)
  const isFiltered = Object.hasOwn(filters, String(filter)) && filters[String(filter)]!(byteStride)
  if (!fits || !isFiltered) {
    throw malformed(`${name}: meshopt has no ${mode} of ${byteStride} bytes with the filter ${filter}.`)
  }
  return byteLength
}
