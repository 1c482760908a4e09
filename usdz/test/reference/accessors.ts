import type { GltfFile } from './gltf.ts'

const components: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }

type Read = { size: number; at: (view: DataView, offset: number) => number; top: number }
const kinds: Record<number, Read> = {
  5120: { size: 1, at: (view, offset) => view.getInt8(offset), top: 127 },
  5121: { size: 1, at: (view, offset) => view.getUint8(offset), top: 255 },
  5122: { size: 2, at: (view, offset) => view.getInt16(offset, true), top: 32767 },
  5123: { size: 2, at: (view, offset) => view.getUint16(offset, true), top: 65535 },
  5125: { size: 4, at: (view, offset) => view.getUint32(offset, true), top: 1 },
  5126: { size: 4, at: (view, offset) => view.getFloat32(offset, true), top: 1 },
}

/**
 * All values of an accessor, resolved: strides, sparse substitution (glTF 2.0 §3.6.2.3) and normalized integers (§3.6.2.2). Does
 * not read matrices of smaller components than floats.
 */
export function valuesOf({ json, buffers }: GltfFile, index: number): Float64Array {
  const accessor = json.accessors![index]!
  const width = components[accessor.type]!
  const out = new Float64Array(accessor.count * width)
  const view = (bufferView: number) => {
    const { buffer, byteOffset = 0, byteStride } = json.bufferViews![bufferView]!
    return { data: buffers[buffer]!, byteOffset, byteStride }
  }
  const decode = (kind: Read, data: DataView, offset: number) => {
    const value = kind.at(data, offset)
    return accessor.normalized && kind.top > 1 ? Math.max(value / kind.top, -1) : value
  }
  const kind = kinds[accessor.componentType]!
  if (accessor.bufferView !== undefined) {
    const { data, byteOffset, byteStride = width * kind.size } = view(accessor.bufferView)
    const start = byteOffset + (accessor.byteOffset ?? 0)
    for (let i = 0; i < out.length; i++) {
      const offset = start + Math.floor(i / width) * byteStride + (i % width) * kind.size
      out[i] = decode(kind, data, offset)
    }
  }
  if (accessor.sparse) {
    const { count, indices, values } = accessor.sparse
    const places = view(indices.bufferView)
    const placeKind = kinds[indices.componentType]!
    const news = view(values.bufferView)
    for (let i = 0; i < count; i++) {
      const place = placeKind.at(places.data, places.byteOffset + (indices.byteOffset ?? 0) + i * placeKind.size)
      for (let k = 0; k < width; k++) {
        const offset = news.byteOffset + (values.byteOffset ?? 0) + (i * width + k) * kind.size
        out[place * width + k] = decode(kind, news.data, offset)
      }
    }
  }
  return out
}

/** The values of an accessor in rows, one an element. */
export function rowsOf(file: GltfFile, index: number): number[][] {
  const { count } = file.json.accessors![index]!
  const values = valuesOf(file, index)
  const width = count > 0 ? values.length / count : 0
  return Array.from({ length: count }, (_, i) => [...values.subarray(i * width, (i + 1) * width)])
}
