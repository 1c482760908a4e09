import { Primitive } from '@gltf-transform/core'
import { malformed } from '../../errors.ts'
import { describeAccessor } from '../error-context.ts'

/**
 * Returns the triangles of a primitive as a list of vertex indices, three for each; undefined for points and lines.
 * Strips and fans are unrolled (glTF 2.0 §3.7.2.1) and restart at the largest index (KHR_mesh_primitive_restart). A
 * list of indices is returned without a copy.
 */
export function triangleIndices(primitive: Primitive, vertexCount: number): Uint32Array | undefined {
  const mode = primitive.getMode()
  if (!modes.has(mode)) throw malformed(`${mode} is not a primitive mode.`)
  if (!isOfTriangles(primitive)) return undefined

  const source = vertexIndices(primitive) ?? sequence(vertexCount)
  const restart = source instanceof Uint8Array ? 0xff : source instanceof Uint16Array ? 0xffff : 0xffffffff
  let indices: Uint32Array
  if (mode === Primitive.Mode.TRIANGLES) {
    const whole = source.length - (source.length % 3)
    indices = source instanceof Uint32Array ? source.subarray(0, whole) : Uint32Array.from(source.subarray(0, whole))
  } else {
    indices = unroll(source, restart, mode === Primitive.Mode.TRIANGLE_STRIP)
  }
  for (let i = 0; i < indices.length; i++) {
    if (indices[i]! >= vertexCount) {
      throw malformed(`a triangle names vertex ${indices[i]} of ${vertexCount}.`)
    }
  }
  return indices
}

const modes = new Set<number>(Object.values(Primitive.Mode))

function isOfTriangles(primitive: Primitive): boolean {
  const mode = primitive.getMode()
  const { TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN } = Primitive.Mode
  return mode === TRIANGLES || mode === TRIANGLE_STRIP || mode === TRIANGLE_FAN
}

/** Returns a lower bound of the number of triangles, before any is built. */
export function minTriangles(primitive: Primitive): number {
  if (primitive.getMode() !== Primitive.Mode.TRIANGLES) return 0
  return Math.floor(((primitive.getIndices() ?? primitive.getAttribute('POSITION'))?.getCount() ?? 0) / 3)
}

function vertexIndices(primitive: Primitive): Uint8Array | Uint16Array | Uint32Array | undefined {
  const accessor = primitive.getIndices()
  const array = accessor?.getArray()
  if (!accessor || !array) return undefined
  const isWhole = array instanceof Uint8Array || array instanceof Uint16Array || array instanceof Uint32Array
  if (isWhole && accessor.getElementSize() === 1) return array
  throw malformed(`${describeAccessor(accessor)}: it holds indices that are not scalar unsigned integers.`)
}

/** Returns 0, 1, 2 … */
export function sequence(length: number): Uint32Array {
  const indices = new Uint32Array(length)
  for (let i = 0; i < length; i++) indices[i] = i
  return indices
}

function unroll(source: ArrayLike<number>, restart: number, strip: boolean): Uint32Array {
  const out = new Uint32Array(Math.max(0, source.length - 2) * 3)
  let length = 0
  let start = 0
  for (let i = 0; i < source.length; i++) {
    if (source[i] === restart) {
      start = i + 1
    } else if (i - start >= 2) {
      const odd = strip && (i - start) % 2 === 1
      // Every second triangle of a strip has reversed winding, so its last two corners are swapped.
      out[length++] = source[strip ? i - 2 : i - 1]!
      out[length++] = source[strip ? (odd ? i : i - 1) : i]!
      out[length++] = source[strip ? (odd ? i - 1 : i) : start]!
    }
  }
  return out.slice(0, length)
}
