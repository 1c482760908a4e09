import { typeCode } from '../usd/crate/types.ts'
import { decompressIntegers } from './decompress.ts'
import type { Crate, Rep } from './read-crate.ts'

/** A token, string or asset path; undefined when the value is of another type. */
export function textOf(crate: Crate, rep: Rep | undefined): string | undefined {
  if (!rep?.inlined) return undefined
  if (rep.code === typeCode.token || rep.code === typeCode.asset) return crate.tokens[rep.payload]
  if (rep.code === typeCode.string) return crate.tokens[crate.strings[rep.payload]!]
  return undefined
}

/** A bool, int, float or double. */
export function numberOf(crate: Crate, rep: Rep | undefined): number | undefined {
  if (!rep || rep.array) return undefined
  if (!rep.inlined) return rep.code === typeCode.double ? viewOf(crate).getFloat64(rep.payload, true) : undefined
  if (rep.code === typeCode.bool || rep.code === typeCode.int) return rep.low | 0
  const view = new DataView(new ArrayBuffer(4))
  view.setUint32(0, rep.low)
  return rep.code === typeCode.float || rep.code === typeCode.double ? view.getFloat32(0) : undefined
}

/** The four numbers of a float4. Small whole ones may be packed into the value itself. */
export function float4Of(crate: Crate, rep: Rep | undefined): number[] | undefined {
  if (rep?.code !== typeCode.float4 || rep.array) return undefined
  const view = viewOf(crate)
  return [0, 1, 2, 3].map((i) =>
    rep.inlined ? (rep.low << (24 - i * 8)) >> 24 : view.getFloat32(rep.payload + i * 4, true),
  )
}

/** The names in a token array, a list of names or a list operation on tokens. */
export function tokensOf(crate: Crate, rep: Rep | undefined): string[] {
  if (!rep) return []
  const isList = rep.code === typeCode.tokenVector || (rep.code === typeCode.token && rep.array)
  if (!isList && rep.code !== typeCode.tokenListOp) return []
  return listOf(crate, rep, isList).map((index) => crate.tokens[index] ?? '')
}

/** The paths a list operation on paths names. */
export function pathsOf(crate: Crate, rep: Rep | undefined): string[] {
  if (rep?.code !== typeCode.pathListOp) return []
  return listOf(crate, rep, false).map((index) => crate.paths[index] ?? '')
}

/** How many elements an array has. */
export function lengthOf(crate: Crate, rep: Rep | undefined): number | undefined {
  if (!rep?.array) return undefined
  return rep.payload === 0 ? 0 : count(crate, rep.payload).value
}

/** The elements of an int array. */
export function integersOf(crate: Crate, rep: Rep | undefined): Int32Array | undefined {
  if (rep?.code !== typeCode.int || !rep.array) return undefined
  if (rep.payload === 0) return new Int32Array()
  const { value: length, end } = count(crate, rep.payload)
  if (!rep.compressed) return Int32Array.from({ length }, (_, i) => viewOf(crate).getInt32(end + i * 4, true))
  const size = Number(viewOf(crate).getBigUint64(end, true))
  return decompressIntegers(crate.bytes.subarray(end + 8, end + 8 + size), length)
}

/** The elements of a float, float2 or float3 array that is not compressed, one number after another. */
export function floatsOf(crate: Crate, rep: Rep | undefined): Float32Array | undefined {
  const sizes = new Map<number, number>([
    [typeCode.float, 1],
    [typeCode.float2, 2],
    [typeCode.float3, 3],
  ])
  const size = rep && sizes.get(rep.code)
  if (!size || !rep.array || rep.compressed) return undefined
  if (rep.payload === 0) return new Float32Array()
  const { value, end } = count(crate, rep.payload)
  return Float32Array.from({ length: value * size }, (_, i) => viewOf(crate).getFloat32(end + i * 4, true))
}

/** Counts of arrays have 64 bits since version 0.7.0, 32 before. */
function count(crate: Crate, at: number): { value: number; end: number } {
  if (crate.version[1]! < 7) return { value: viewOf(crate).getUint32(at, true), end: at + 4 }
  return { value: Number(viewOf(crate).getBigUint64(at, true)), end: at + 8 }
}

/** All items of a list operation, whatever it does with them: its first byte says which lists follow. */
function listOf(crate: Crate, rep: Rep, plain: boolean): number[] {
  const view = viewOf(crate)
  const anyItems = 0x7e
  let at = rep.payload
  let lists = 1
  if (!plain) {
    lists = [...(view.getUint8(at) & anyItems).toString(2)].filter((bit) => bit === '1').length
    at += 1
  }
  const items: number[] = []
  for (; lists > 0; lists--) {
    const length = Number(view.getBigUint64(at, true))
    for (let i = 0; i < length; i++) items.push(view.getUint32(at + 8 + i * 4, true))
    at += 8 + length * 4
  }
  return items
}

const viewOf = ({ bytes }: Crate) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
