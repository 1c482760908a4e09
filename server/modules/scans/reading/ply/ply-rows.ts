import { damaged, ScanFault } from '../../processing/inspection.ts'
import { type ByteWindow, byteWindow } from '../byte-window.ts'
import { isBlank, numberIn } from '../text-number.ts'
import type { NumberType, PlyElement, PlyHeader } from './ply-header.ts'

/** Receives the rows of one element. */
export type RowTaker = {
  /** Names of the numbers to read; a row has them in this order, missing ones as NaN. */
  numbers: readonly string[]
  /** Accepted names of the list to read. */
  lists: readonly string[]
  /** @param list its first `length` numbers are the list; both arrays are reused for the next row */
  row(numbers: Float64Array, list: Float64Array, length: number): void
}

/** More corners than a face of any real model. */
const MAX_CORNERS = 10_000
/** Maximum length of a number in ASCII. */
const LONGEST_NUMBER = 256

/** Where the value of a property goes: an index of the row, the list (`LIST`), or nowhere. */
type Column = { type: NumberType; count: NumberType | undefined; slot: number }
const NOWHERE = -1
const LIST = -2

const cutOff = () => damaged('The PLY file is cut off: it has fewer elements than its header says.')
const tooManyCorners = (count: number) =>
  new ScanFault('unsupported', `A face of the PLY file has ${count} corners: at most ${MAX_CORNERS} are read.`)

/**
 * Reads the elements of a PLY file row by row, without holding it.
 * @param bytes from after the header
 * @param takerOf the receiver of an element's rows; undefined to skip them
 * @throws ScanFault if the file is truncated or holds an invalid number
 */
export async function readPlyRows(
  header: PlyHeader,
  bytes: AsyncIterable<Uint8Array>,
  takerOf: (element: PlyElement) => RowTaker | undefined,
): Promise<void> {
  const input = byteWindow(header.format === 'ascii' ? ended(bytes) : bytes)
  const isLittle = header.format === 'binary_little_endian'
  for (const element of header.elements) {
    if (element.properties.length === 0) continue
    const taker = takerOf(element)
    const columns = element.properties.map(({ name, type, count }): Column => {
      const slot = count ? (taker?.lists.includes(name) ? LIST : NOWHERE) : (taker?.numbers.indexOf(name) ?? NOWHERE)
      return { type, count, slot }
    })
    const rows = { count: element.count, columns, taker }
    if (header.format === 'ascii') await readText(input, rows)
    else if (columns.some(({ count }) => count)) await readLists(input, rows, isLittle)
    else await readFixed(input, rows, isLittle)
  }
}

type Rows = { count: number; columns: Column[]; taker: RowTaker | undefined }

const NO_LIST = new Float64Array()
const blankRow = (taker: RowTaker) => new Float64Array(taker.numbers.length).fill(Number.NaN)

/** Rows of a fixed size. */
async function readFixed(input: ByteWindow, { count, columns, taker }: Rows, isLittle: boolean): Promise<void> {
  const stride = columns.reduce((sum, { type }) => sum + type.bytes, 0)
  if (!taker) {
    if (!(await input.skip(count * stride))) throw cutOff()
    return
  }
  let offset = 0
  const wanted: { offset: number; type: NumberType; slot: number }[] = []
  for (const { type, slot } of columns) {
    if (slot >= 0) wanted.push({ offset, type, slot })
    offset += type.bytes
  }
  const numbers = blankRow(taker)
  for (let left = count; left > 0; ) {
    if (input.left < stride && !(await input.need(stride))) throw cutOff()
    const { view, at } = input
    const here = Math.min(left, Math.floor(input.left / stride))
    for (let row = 0; row < here; row++) {
      for (const column of wanted)
        numbers[column.slot] = column.type.read(view, at + row * stride + column.offset, isLittle)
      taker.row(numbers, NO_LIST, 0)
    }
    input.step(here * stride)
    left -= here
  }
}

async function readLists(input: ByteWindow, { count, columns, taker }: Rows, isLittle: boolean): Promise<void> {
  const numbers = taker ? blankRow(taker) : NO_LIST
  const list = new Float64Array(MAX_CORNERS)
  const next = (type: NumberType) => {
    const value = type.read(input.view, input.at, isLittle)
    input.step(type.bytes)
    return value
  }
  for (let row = 0; row < count; row++) {
    let length = 0
    for (const { type, count: counted, slot } of columns) {
      const first = counted ?? type
      if (input.left < first.bytes && !(await input.need(first.bytes))) throw cutOff()
      const value = next(first)
      if (!counted) {
        if (slot >= 0) numbers[slot] = value
        continue
      }
      if (!(value >= 0)) throw damaged('A list of the PLY file has a negative length.')
      const size = Math.floor(value) * type.bytes
      if (slot !== LIST) {
        if (!(await input.skip(size))) throw cutOff()
        continue
      }
      if (value > MAX_CORNERS) throw tooManyCorners(value)
      if (input.left < size && !(await input.need(size))) throw cutOff()
      for (length = 0; length < value; length++) list[length] = next(type)
    }
    taker?.row(numbers, list, length)
  }
}

/** Whitespace-separated ASCII numbers; line ends have no meaning. */
async function readText(input: ByteWindow, { count, columns, taker }: Rows): Promise<void> {
  const numbers = taker ? blankRow(taker) : NO_LIST
  const list = new Float64Array(MAX_CORNERS)
  for (let row = 0; row < count; row++) {
    let length = 0
    for (const { count: counted, slot } of columns) {
      const value = seenNumber(input) ?? (await arrivingNumber(input))
      if (!counted) {
        if (slot >= 0) numbers[slot] = value
        continue
      }
      if (!(value >= 0)) throw damaged('A list of the PLY file has a negative length.')
      if (slot === LIST && value > MAX_CORNERS) throw tooManyCorners(value)
      for (let i = 0; i < value; i++) {
        const item = seenNumber(input) ?? (await arrivingNumber(input))
        if (slot === LIST) list[length++] = item
      }
    }
    taker?.row(numbers, list, length)
  }
}

/** The next number, if its end is buffered. */
function seenNumber(input: ByteWindow): number | undefined {
  const { bytes, at } = input
  let from = at
  while (from < bytes.length && isBlank(bytes[from]!)) from++
  let to = from
  while (to < bytes.length && !isBlank(bytes[to]!)) to++
  input.step((to === bytes.length ? from : to) - at)
  if (to - from > LONGEST_NUMBER) throw damaged('The PLY file has an invalid number.')
  return to === bytes.length ? undefined : numberIn(bytes, from, to)
}

async function arrivingNumber(input: ByteWindow): Promise<number> {
  for (;;) {
    if (!(await input.need(input.left + 1))) throw cutOff()
    const value = seenNumber(input)
    if (value !== undefined) return value
  }
}

/** Appends a blank, so that the last number has an end. */
async function* ended(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield* bytes
  yield Buffer.from('\n')
}
