import { crc32 } from 'node:zlib'
import type { Value } from '../prim.ts'
import { type ByteParts, bytesOf } from './byte-parts.ts'
import { compressIntegers } from './integers.ts'
import type { Tokens } from './tokens.ts'

/** Type numbers of crate files. Source: OpenUSD pxr/usd/sdf/crateDataTypes.h. */
export const typeCode = {
  bool: 1,
  int: 3,
  float: 8,
  double: 9,
  string: 10,
  token: 11,
  asset: 12,
  matrix4d: 15,
  float2: 20,
  float3: 24,
  float4: 28,
  tokenListOp: 32,
  pathListOp: 34,
  tokenVector: 41,
  specifier: 42,
  variability: 44,
} as const

/** The 64 bits that stand for a value in the table of fields: the low half and the high half. */
export type ValueRep = { low: number; high: number }

const isArray = 1 << 31
const isInlined = 1 << 30
const isCompressed = 1 << 29

/** A list operation that replaces the whole list ("explicit"), and one that puts items before what is there. */
const explicitItems = 0x03
const prependedItems = 0x20
/** Shorter integer arrays are not compressed. Source: OpenUSD crateFile.cpp, MinCompressedArraySize. */
const minCompressedIntegers = 16
/** Arrays that may be equal are found by their ends, so that large ones are read whole only when those agree. */
const sampleSize = 1024

/** Writes values behind each other and gives out what stands for them. Equal values are written once. */
export class ValueWriter {
  readonly #file: ByteParts
  readonly #tokens: Tokens
  readonly #small = new Map<string, ValueRep>()
  readonly #arrays = new Map<string, { bytes: Uint8Array; rep: ValueRep }[]>()
  readonly #seen = new Map<ArrayBufferView, ValueRep>()

  constructor(file: ByteParts, tokens: Tokens) {
    this.#file = file
    this.#tokens = tokens
  }

  write(value: Value): ValueRep {
    switch (value.type) {
      case 'token':
      case 'asset':
        return inlined(typeCode[value.type], this.#tokens.token(value.value))
      case 'string':
        return inlined(typeCode.string, this.#tokens.string(value.value))
      case 'bool':
        return inlined(typeCode.bool, value.value ? 1 : 0)
      case 'int':
        return inlined(typeCode.int, value.value)
      case 'float':
        return inlined(typeCode.float, floatBits(value.value))
      case 'double':
        return this.#double(value.value)
      case 'token[]':
        return this.#tokenList(typeCode.token, value.value, isArray)
      case 'int[]':
        return this.#array(value.value, typeCode.int, 1)
      case 'float[]':
        return this.#array(value.value, typeCode.float, 1)
      case 'float2[]':
        return this.#array(value.value, typeCode.float2, 2)
      case 'float3[]':
        return this.#array(value.value, typeCode.float3, 3)
      case 'matrix4d':
        return this.#once(`matrix4d ${value.value}`, typeCode.matrix4d, 0, 8, () => {
          for (const number of value.value) this.#file.f64(number)
        })
      default:
        return this.#once(`${value.type} ${value.value}`, typeCode[value.type], 0, 4, () => {
          for (const number of value.value) this.#file.f32(number)
        })
    }
  }

  /** Names in an order: the children and properties of a prim. */
  names(names: readonly string[]): ValueRep {
    return this.#tokenList(typeCode.tokenVector, names, 0)
  }

  /** `over`, `def` or `class`: only `def` (0) is ever written here. */
  define(): ValueRep {
    return inlined(typeCode.specifier, 0)
  }

  uniform(): ValueRep {
    return inlined(typeCode.variability, 1)
  }

  prepended(tokens: readonly string[]): ValueRep {
    const indices = tokens.map((token) => this.#tokens.token(token))
    return this.#once(`prepend ${indices}`, typeCode.tokenListOp, 0, 8, () => {
      this.#file.u8(prependedItems)
      this.#list(indices)
    })
  }

  paths(indices: readonly number[]): ValueRep {
    return this.#once(`paths ${indices}`, typeCode.pathListOp, 0, 8, () => {
      this.#file.u8(explicitItems)
      this.#list(indices)
    })
  }

  #double(value: number): ValueRep {
    if (Math.fround(value) === value) return inlined(typeCode.double, floatBits(value))
    return this.#once(`double ${value}`, typeCode.double, 0, 8, () => this.#file.f64(value))
  }

  #tokenList(code: number, tokens: readonly string[], flags: number): ValueRep {
    const indices = tokens.map((token) => this.#tokens.token(token))
    return this.#once(`${code} ${indices}`, code, flags, 8, () => this.#list(indices))
  }

  #list(indices: readonly number[]): void {
    this.#file.u64(indices.length)
    for (const index of indices) this.#file.u32(index)
  }

  #once(key: string, code: number, flags: number, alignment: number, write: () => void): ValueRep {
    const known = this.#small.get(key)
    if (known) return known
    this.#file.align(alignment)
    const rep = at(code, this.#file.length, flags)
    this.#small.set(key, rep)
    write()
    return rep
  }

  #array(array: Int32Array | Uint32Array | Float32Array, code: number, size: number): ValueRep {
    if (array.length === 0) return { low: 0, high: ((code << 16) | isArray) >>> 0 }
    const seen = this.#seen.get(array)
    if (seen) return seen
    const bytes = bytesOf(array)
    const key = `${code} ${bytes.length} ${crc32(bytes.subarray(0, sampleSize), crc32(bytes.subarray(-sampleSize)))}`
    const alike = this.#arrays.get(key) ?? []
    const rep =
      alike.find((other) => Buffer.compare(other.bytes, bytes) === 0)?.rep ?? this.#newArray(array, code, size)
    this.#arrays.set(key, [...alike, { bytes, rep }])
    this.#seen.set(array, rep)
    return rep
  }

  #newArray(array: Int32Array | Uint32Array | Float32Array, code: number, size: number): ValueRep {
    this.#file.align(8)
    const integers = array instanceof Float32Array || array.length < minCompressedIntegers ? undefined : array
    const rep = at(code, this.#file.length, isArray | (integers ? isCompressed : 0))
    this.#file.u64(array.length / size)
    if (integers) {
      const compressed = compressIntegers(integers)
      this.#file.u64(compressed.length)
      this.#file.bytes(compressed)
    } else {
      this.#file.bytes(bytesOf(array))
    }
    return rep
  }
}

const inlined = (code: number, payload: number): ValueRep => ({
  low: payload >>> 0,
  high: ((code << 16) | isInlined) >>> 0,
})

const at = (code: number, offset: number, flags: number): ValueRep => ({
  low: offset % 2 ** 32,
  high: ((code << 16) | Math.floor(offset / 2 ** 32) | flags) >>> 0,
})

const floatBits = (value: number): number => {
  const view = new DataView(new ArrayBuffer(4))
  view.setFloat32(0, value)
  return view.getUint32(0)
}
