import { malformed } from '../../errors.ts'
import type { JsonObject, ValidatedGltf } from '../json.ts'
import { meshoptOf } from './meshopt-extension.ts'

/** Returns the bytes of a buffer view, decompressed: a view into the buffer where possible, not to be modified. */
export type BufferViewReader = (index: number) => Uint8Array

type Decoder = typeof import('meshoptimizer').MeshoptDecoder

/** Reads validated buffer views; each is decompressed once, on first use. */
export async function bufferViewReader(json: ValidatedGltf, buffers: readonly Uint8Array[]): Promise<BufferViewReader> {
  const decoder = json.bufferViews.some(meshoptOf) ? await meshoptDecoder() : undefined
  const decoded = new Map<number, Uint8Array>()

  const slice = ({ buffer, byteOffset = 0, byteLength }: JsonObject): Uint8Array => {
    const start = Number(byteOffset)
    return buffers[Number(buffer)]!.subarray(start, start + Number(byteLength))
  }
  return (index) => {
    const view = json.bufferViews[index]!
    const compressed = meshoptOf(view)
    if (!compressed || !decoder) return slice(view)
    const bytes = decoded.get(index) ?? decompress(decoder, compressed, slice(compressed), index)
    decoded.set(index, bytes)
    return bytes
  }
}

/** Loads the decoder on first use. */
export async function meshoptDecoder(): Promise<Decoder> {
  const { MeshoptDecoder } = await import('meshoptimizer')
  await MeshoptDecoder.ready
  return MeshoptDecoder
}

function decompress(decoder: Decoder, part: JsonObject, source: Uint8Array, index: number): Uint8Array {
  const [count, stride] = [Number(part.count), Number(part.byteStride)]
  const bytes = new Uint8Array(count * stride)
  try {
    decoder.decodeGltfBuffer(bytes, count, stride, source, String(part.mode), String(part.filter ?? 'NONE'))
  } catch (error) {
    throw malformed(`buffer view ${index}: its meshopt data cannot be decoded.`, { cause: error })
  }
  return bytes
}
