import { crc32 } from 'node:zlib'
import { haveEqualBytes } from '../../bytes.ts'
import { type ByteParts, bytesOf } from './byte-parts.ts'
import { compressFloats } from './floats.ts'
import { halfBits } from './half.ts'
import { sizedIntegers } from './integers.ts'
import { arrayFlag, compressedFlag, typeCode, type ValueRep, valueAtOffset } from './types.ts'

type NumberArray = Int32Array | Uint32Array | Float32Array | Float64Array

/** The type number of each array type and the number of components per element. */
const layouts = {
  'int[]': { code: typeCode.int, size: 1 },
  'float[]': { code: typeCode.float, size: 1 },
  'float2[]': { code: typeCode.float2, size: 2 },
  'float3[]': { code: typeCode.float3, size: 3 },
  'float4[]': { code: typeCode.float4, size: 4 },
  'quatf[]': { code: typeCode.quatf, size: 4 },
  'half3[]': { code: typeCode.half3, size: 3 },
  'double[]': { code: typeCode.double, size: 1 },
  'matrix4d[]': { code: typeCode.matrix4d, size: 16 },
} as const
export type ArrayType = keyof typeof layouts

/** Shorter arrays are not compressed. Source: OpenUSD crateFile.cpp, MinCompressedArraySize. */
const minCompressed = 16
/**
 * Candidates for equal arrays are found by a checksum of their ends, so that large arrays are compared only when those
 * match.
 */
const sampleSize = 1024

type Stored = { bytes: Uint8Array; offset: number; flags: number }

/** Writes arrays in sequence. Equal arrays are written once, whatever the types of their attributes. */
export class ArrayWriter {
  readonly #file: ByteParts
  readonly #stored = new Map<string, Stored[]>()
  readonly #seen = new Map<NumberArray, { type: ArrayType; rep: ValueRep }>()

  constructor(file: ByteParts) {
    this.#file = file
  }

  write(type: ArrayType, array: NumberArray): ValueRep {
    const { code, size } = layouts[type]
    // An empty array has offset 0.
    if (array.length === 0) return valueAtOffset(code, 0, arrayFlag)
    const seen = this.#seen.get(array)
    if (seen?.type === type) return seen.rep
    const { offset, flags } = this.#place(type, type === 'half3[]' ? halves(array) : array, array.length / size)
    const rep = valueAtOffset(code, offset, arrayFlag | flags)
    this.#seen.set(array, { type, rep })
    return rep
  }

  /** Returns the position of an array; writes it unless an equal one exists. */
  #place(type: ArrayType, array: NumberArray | Uint16Array, elements: number): Stored {
    const bytes = bytesOf(array)
    const ends = crc32(bytes.subarray(0, sampleSize), crc32(bytes.subarray(-sampleSize)))
    const coding = type === 'int[]' || type === 'float[]' ? type : ''
    const key = `${coding} ${elements} ${bytes.length} ${ends}`
    const alike = this.#stored.get(key) ?? []
    const known = alike.find((other) => haveEqualBytes(other.bytes, bytes))
    if (known) return known
    const coded = coding === '' || array.length < minCompressed ? undefined : compressedForm(array)
    this.#file.align(8)
    const place = { bytes, offset: this.#file.length, flags: coded ? compressedFlag : 0 }
    alike.push(place)
    this.#stored.set(key, alike)
    this.#file.u64(elements)
    this.#file.bytes(coded ?? bytes)
    return place
  }
}

const halves = (array: NumberArray) => Uint16Array.from(array, halfBits)

/** Integers are always compressed, floats only where it makes them smaller. */
const compressedForm = (array: NumberArray | Uint16Array): Uint8Array | undefined =>
  array instanceof Float32Array ? compressFloats(array) : sizedIntegers(array as Int32Array | Uint32Array)
