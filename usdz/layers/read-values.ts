import { fromHalfBits } from '../usd/crate/half.ts'
import { typeCode } from '../usd/crate/types.ts'
import { type ArrayRead, countOf, floatArray, integerArray, layoutOf } from './read-arrays.ts'
import { type Crate, type Rep, repOf } from './read-crate.ts'

/** Reads a token, string or asset path; undefined for other types. */
export function textOf(crate: Crate, rep: Rep | undefined): string | undefined {
  if (!rep?.inlined || rep.array) return undefined
  if (rep.code === typeCode.token || rep.code === typeCode.asset) return crate.tokens[rep.payload]
  if (rep.code === typeCode.string) return crate.tokens[crate.strings[rep.payload]!]
  return undefined
}

/** Reads a bool, int, half, float, double or time code. */
export function numberOf(crate: Crate, rep: Rep | undefined): number | undefined {
  if (!rep || rep.array) return undefined
  const isDouble = rep.code === typeCode.double || rep.code === typeCode.timeCode
  if (!rep.inlined) return isDouble ? crate.view.getFloat64(rep.payload, true) : undefined
  if (rep.code === typeCode.bool || rep.code === typeCode.int) return rep.low | 0
  if (rep.code === typeCode.uint) return rep.low
  if (rep.code === typeCode.half) return fromHalfBits(rep.low & 0xffff)
  return isDouble || rep.code === typeCode.float ? bitsAsFloat(rep.low) : undefined
}

function bitsAsFloat(bits: number): number {
  const view = new DataView(new ArrayBuffer(4))
  view.setUint32(0, bits)
  return view.getFloat32(0)
}

/** Reads a vector, quaternion (x y z w) or matrix. Small integers may be stored inline. */
export function vectorOf(crate: Crate, rep: Rep | undefined): number[] | undefined {
  const layout = rep && !rep.array ? layoutOf(rep.code) : undefined
  if (!rep || !layout || layout.size === 1) return undefined
  if (rep.inlined) return inlinedVector(rep, layout.size)
  return Array.from({ length: layout.size }, (_, i) => layout.read(crate.view, rep.payload + i * layout.bytes))
}

/** Reads a vector, quaternion, matrix or single number. */
export function numbersOf(crate: Crate, rep: Rep | undefined): number[] | undefined {
  const number = numberOf(crate, rep)
  return vectorOf(crate, rep) ?? (number === undefined ? undefined : [number])
}

/** Decodes an inline vector, matrix diagonal or half2 from four bytes. */
function inlinedVector({ code, low }: Rep, size: number): number[] {
  if (code === typeCode.half2) return [fromHalfBits(low & 0xffff), fromHalfBits(low >>> 16)]
  const byte = (i: number) => (low << (24 - i * 8)) >> 24
  const side = Math.sqrt(size)
  const isMatrix = code >= typeCode.matrix2d && code <= typeCode.matrix4d
  if (!isMatrix) return Array.from({ length: size }, (_, i) => byte(i))
  return Array.from({ length: size }, (_, i) => (i % (side + 1) === 0 ? byte(i / (side + 1)) : 0))
}

/** Reads the names in a token array, a name list or a list operation on tokens or strings. */
export function tokensOf(crate: Crate, rep: Rep | undefined): string[] {
  if (!rep) return []
  const isTexts = rep.code === typeCode.token || rep.code === typeCode.string || rep.code === typeCode.asset
  const isVector = rep.code === typeCode.tokenVector || rep.code === typeCode.stringVector
  const isList = isVector || (isTexts && rep.array)
  const isOperation = rep.code === typeCode.tokenListOp || rep.code === typeCode.stringListOp
  if (!isList && !isOperation) return []
  const isStrings = [typeCode.string, typeCode.stringListOp, typeCode.stringVector].some((code) => code === rep.code)
  return itemsOf(crate, rep, isOperation).map(
    (index) => crate.tokens[isStrings ? (crate.strings[index] ?? -1) : index] ?? '',
  )
}

/** Reads the path numbers of a list operation. */
export function pathNumbersOf(crate: Crate, rep: Rep | undefined): number[] {
  return rep?.code === typeCode.pathListOp ? itemsOf(crate, rep, true) : []
}

/** Reads the paths of a list operation. */
export const pathsOf = (crate: Crate, rep: Rep | undefined): string[] =>
  pathNumbersOf(crate, rep).map((index) => crate.paths.text(index))

/** Returns the number of elements of an array. */
export function lengthOf(crate: Crate, rep: Rep | undefined): number | undefined {
  if (!rep?.array) return undefined
  return rep.payload === 0 ? 0 : countOf(crate, rep.payload).value
}

/** Reads an int or uint array. */
export const integersOf = (crate: Crate, rep: Rep | undefined): Int32Array | undefined =>
  rep?.array && (rep.code === typeCode.int || rep.code === typeCode.uint) ? integerArray(crate, rep) : undefined

/** Reads an array of halfs, floats, doubles, vectors, quaternions or matrices as a flat list. */
export const floatsOf = (crate: Crate, rep: Rep | undefined): ArrayRead | undefined =>
  rep?.array ? floatArray(crate, rep) : undefined

/** Time samples: the times and the value representations. */
export type ReadSamples = { times: number[]; values: Rep[] }

/** Source: OpenUSD crateFile.cpp, the reading of TimeSamples: offsets are relative to their own position. */
export function samplesOf(crate: Crate, rep: Rep | undefined): ReadSamples | undefined {
  if (rep?.code !== typeCode.timeSamples) return undefined
  const { view } = crate
  const jump = (at: number) => at + Number(view.getBigInt64(at, true))
  const repAt = (at: number) => repOf(view.getUint32(at, true), view.getUint32(at + 4, true))
  const timesAt = jump(rep.payload)
  const times = timesOf(crate, repAt(timesAt))
  const valuesAt = jump(timesAt + 8)
  const count = countedItems(crate, valuesAt, 8)
  return { times, values: Array.from({ length: count }, (_, i) => repAt(valuesAt + 8 + i * 8)) }
}

function timesOf(crate: Crate, rep: Rep): number[] {
  if (rep.code !== typeCode.doubleVector) return [...(floatsOf(crate, rep) ?? [])]
  const count = countedItems(crate, rep.payload, 8)
  return Array.from({ length: count }, (_, i) => crate.view.getFloat64(rep.payload + 8 + i * 8, true))
}

/** Reads a 64-bit count of items and validates it. */
export function countedItems({ view, budget }: Crate, at: number, size: number): number {
  const count = Number(view.getBigUint64(at, true))
  if (!(at + 8 + count * size <= view.byteLength)) throw new Error('A list lies outside the file.')
  budget.spend(count)
  return count
}

/** Bits of the lists in a list operation. */
const [isExplicitBit, deletedItems] = [0x01, 0x08]
/** Lists whose items apply: explicit, added, prepended and appended ones. Those of others come after them. */
export const appliedLists = 0x66

/** Reads the items of a list, or those that a list operation applies. */
const itemsOf = (crate: Crate, rep: Rep, isOperation: boolean): number[] =>
  isOperation ? operationOf(crate, rep).items : readList(crate, rep, rep.payload).items

/** A list operation: it replaces the whole list (`isExplicit`), or adds and removes items. */
type ListOperation = { isExplicit: boolean; items: number[]; deleted: number[] }

/** Reads a list operation on paths, by their numbers. */
export const pathOperationOf = (crate: Crate, rep: Rep): ListOperation =>
  rep.code === typeCode.pathListOp ? operationOf(crate, rep) : { isExplicit: true, items: [], deleted: [] }

function operationOf(crate: Crate, rep: Rep): ListOperation {
  const lists = crate.view.getUint8(rep.payload)
  const operation: ListOperation = { isExplicit: (lists & isExplicitBit) !== 0, items: [], deleted: [] }
  let end = rep.payload + 1
  for (const bit of (lists & appliedLists).toString(2)) {
    if (bit === '0') continue
    const list = readList(crate, rep, end)
    operation.items = operation.items.concat(list.items)
    end = list.end
  }
  if (lists & deletedItems) operation.deleted = readList(crate, rep, end).items
  return operation
}

function readList(crate: Crate, rep: Rep, at: number): { items: number[]; end: number } {
  if (rep.array && rep.payload === 0) return { items: [], end: at }
  const wide = !rep.array || crate.version[1]! >= 7
  const length = wide ? countedItems(crate, at, 4) : countOf(crate, at).value
  const start = wide ? at + 8 : countOf(crate, at).end
  return { items: Array.from({ length }, (_, i) => crate.view.getUint32(start + i * 4, true)), end: start + length * 4 }
}
