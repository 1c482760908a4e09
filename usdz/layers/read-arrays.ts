import { fromHalfBits } from '../usd/crate/half.ts'
import { typeCode } from '../usd/crate/types.ts'
import { decompressIntegers, eachBlock } from './decompress.ts'
import type { Crate, Rep } from './read-crate.ts'

/** Values of an array in any numeric type. */
export type ArrayRead = Float32Array | Float64Array

/** The layout of a type: components per element, bytes per component. */
type Layout = { size: number; bytes: number; read(view: DataView, at: number): number }

const half = { bytes: 2, read: (view: DataView, at: number) => fromHalfBits(view.getUint16(at, true)) }
const single = { bytes: 4, read: (view: DataView, at: number) => view.getFloat32(at, true) }
const double = { bytes: 8, read: (view: DataView, at: number) => view.getFloat64(at, true) }
const whole = { bytes: 4, read: (view: DataView, at: number) => view.getInt32(at, true) }

const layouts = new Map<number, Layout>([
  ...[typeCode.half, typeCode.half2, typeCode.half3, typeCode.half4].map(
    (c, i) => [c, { size: i + 1, ...half }] as const,
  ),
  ...[typeCode.float, typeCode.float2, typeCode.float3, typeCode.float4].map(
    (code, i) => [code, { size: i + 1, ...single }] as const,
  ),
  ...[typeCode.double, typeCode.double2, typeCode.double3, typeCode.double4].map(
    (code, i) => [code, { size: i + 1, ...double }] as const,
  ),
  ...[typeCode.int2, typeCode.int3, typeCode.int4].map((code, i) => [code, { size: i + 2, ...whole }] as const),
  [typeCode.quath, { size: 4, ...half }],
  [typeCode.quatf, { size: 4, ...single }],
  [typeCode.quatd, { size: 4, ...double }],
  [typeCode.matrix2d, { size: 4, ...double }],
  [typeCode.matrix3d, { size: 9, ...double }],
  [typeCode.matrix4d, { size: 16, ...double }],
])

/** Returns the storage of floating-point types; undefined for others. */
export const layoutOf = (code: number): Layout | undefined => layouts.get(code)

/** Shorter arrays are not compressed, whatever their flag says. Source: OpenUSD crateFile.cpp, MinCompressedArraySize. */
const minCompressed = 16

/** Array counts have 64 bits since version 0.7.0, 32 before; before 0.5.0 a number of dimensions comes first. */
export function countOf({ view, version }: Crate, at: number): { value: number; end: number } {
  const minor = version[1]!
  if (minor >= 7) return { value: Number(view.getBigUint64(at, true)), end: at + 8 }
  const start = minor < 5 ? at + 4 : at
  return { value: view.getUint32(start, true), end: start + 4 }
}

const isCompressed = ({ version }: Crate, rep: Rep, count: number, since: number) =>
  rep.compressed && version[1]! >= since && count >= minCompressed

function plainBytes(crate: Crate, at: number, size: number): Uint8Array {
  if (!(at + size <= crate.bytes.length)) throw new Error('An array lies outside the file.')
  return crate.bytes.subarray(at, at + size)
}

/** Reads compressed integers with a length prefix. */
function compressedAt(crate: Crate, at: number): { bytes: Uint8Array; end: number } {
  const size = Number(crate.view.getBigUint64(at, true))
  return { bytes: plainBytes(crate, at + 8, size), end: at + 8 + size }
}

/** Reads an array of 32-bit integers. */
export function integerArray(crate: Crate, rep: Rep): Int32Array {
  if (rep.payload === 0) return new Int32Array()
  const { value: count, end } = countOf(crate, rep.payload)
  crate.budget.spend(count)
  if (isCompressed(crate, rep, count, 5)) return decompressIntegers(compressedAt(crate, end).bytes, count)
  const bytes = plainBytes(crate, end, count * 4)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Int32Array.from({ length: count }, (_, i) => view.getInt32(i * 4, true))
}

/** Reads an array of integers block by block, without keeping it: index arrays are the largest arrays of a file. */
export function walkIntegers(crate: Crate, rep: Rep, take: (block: Int32Array) => void): void {
  if (rep.payload === 0) return
  const { value: count, end } = countOf(crate, rep.payload)
  if (!isCompressed(crate, rep, count, 5)) {
    take(integerArray(crate, rep))
    return
  }
  crate.budget.spend(count)
  eachBlock(compressedAt(crate, end).bytes, count, take)
}

/** Reads an array of floating-point elements; undefined for other types. */
export function floatArray(crate: Crate, rep: Rep): ArrayRead | undefined {
  const layout = layoutOf(rep.code)
  if (!layout) return undefined
  const { size, bytes, read } = layout
  const made = (length: number) => (bytes === 8 ? new Float64Array(length) : new Float32Array(length))
  if (rep.payload === 0) return made(0)
  const { value: count, end } = countOf(crate, rep.payload)
  crate.budget.spend(count * size)
  if (size === 1 && isCompressed(crate, rep, count, 6)) return compressedFloats(crate, layout, made(count), end)
  const plain = plainBytes(crate, end, count * size * bytes)
  // Usually the bytes are aligned and can be used without a copy.
  if (read === single.read && plain.byteOffset % 4 === 0) {
    return new Float32Array(plain.buffer, plain.byteOffset, count * size)
  }
  const view = new DataView(plain.buffer, plain.byteOffset, plain.byteLength)
  const numbers = made(count * size)
  for (let i = 0; i < numbers.length; i++) numbers[i] = read(view, i * bytes)
  return numbers
}

/**
 * Decodes floats stored as integers ("i") or table indices ("t"). Source: OpenUSD crateFile.cpp,
 * _ReadPossiblyCompressedArray.
 */
function compressedFloats(crate: Crate, { bytes, read }: Layout, out: ArrayRead, at: number): ArrayRead {
  const { view } = crate
  const code = String.fromCharCode(view.getUint8(at))
  if (code === 'i') {
    let written = 0
    eachBlock(compressedAt(crate, at + 1).bytes, out.length, (block) => {
      out.set(block, written)
      written += block.length
    })
    return out
  }
  if (code !== 't') throw new Error('An array uses an unknown compression.')
  const size = view.getUint32(at + 1, true)
  const table = at + 5
  plainBytes(crate, table, size * bytes)
  let written = 0
  eachBlock(compressedAt(crate, table + size * bytes).bytes, out.length, (block) => {
    for (const index of block) {
      if (!(index >= 0 && index < size)) throw new Error('An array has an index outside its table.')
      out[written++] = read(view, table + index * bytes)
    }
  })
  return out
}
