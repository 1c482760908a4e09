import type { Accessor } from '@gltf-transform/core'
import { malformed } from '../../errors.ts'
import { describeAccessor } from '../error-context.ts'

/**
 * Reads an accessor as floats, `size` for each element, decoding normalized integers (glTF 2.0 §3.6.2.2). Float data of
 * this shape is returned without a copy and may be the file's own bytes: it must not be modified.
 * @param elements the elements to read; all when undefined.
 */
export function readFloats(accessor: Accessor, size: number, elements?: Uint32Array): Float32Array {
  const array = accessor.getArray()
  const stride = accessor.getElementSize()
  if (!array || stride < size) {
    throw malformed(
      `${describeAccessor(accessor)}: it is of type ${accessor.getType()}, but ${size} components are required.`,
    )
  }
  if (!elements && array instanceof Float32Array && stride === size) return array

  const top = accessor.getNormalized() ? largestOf(array) : 1
  const count = elements?.length ?? accessor.getCount()
  const out = new Float32Array(count * size)
  for (let i = 0, to = 0; i < count; i++) {
    const from = (elements ? elements[i]! : i) * stride
    for (let k = 0; k < size; k++) {
      const value = array[from + k]! / top
      out[to++] = top > 1 && value < -1 ? -1 : value
    }
  }
  return out
}

function largestOf(array: ArrayBufferView): number {
  if (array instanceof Int8Array) return 127
  if (array instanceof Uint8Array) return 255
  if (array instanceof Int16Array) return 32767
  if (array instanceof Uint16Array) return 65535
  return 1
}
