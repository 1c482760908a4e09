import { malformed } from '../errors.ts'
import { viewOf } from './mesh-file.ts'
import type { PlyElement, PlyHeader, PlyScalar } from './ply-header.ts'
import { inLine, numberIn, textLines } from './text-lines.ts'

/** Longest list of a row, so that a damaged length is noticed. */
const maxList = 10_000

/** A row: scalars, and lists, in the order of the properties. */
export type PlyRow = (number | number[])[]

/** Yields the rows of each element in the order of the file. The same array is reused for every row. */
export function* plyRows(bytes: Uint8Array, header: PlyHeader): Generator<{ element: PlyElement; row: PlyRow }> {
  const source = header.format === 'ascii' ? textSource(bytes, header.length) : binarySource(bytes, header)
  for (const element of header.elements) {
    const row: PlyRow = new Array(element.properties.length)
    if (element.properties.length === 0) continue
    for (let i = 0; i < element.rows; i++) {
      source.next()
      for (const [k, { value, count }] of element.properties.entries()) {
        if (!count) row[k] = source.read(value)
        else row[k] = listOf(source.read(count), () => source.read(value))
      }
      yield { element, row }
    }
  }
}

function listOf(length: number, read: () => number): number[] {
  if (!Number.isInteger(length) || length < 0 || length > maxList)
    throw malformed(`A list says that it has ${length} values; the PLY is damaged.`)
  return Array.from({ length }, read)
}

type Source = { next(): void; read(type: PlyScalar): number }

function textSource(bytes: Uint8Array, from: number): Source {
  const lines = textLines(bytes, from)
  let words: string[] = []
  let at = 0
  return {
    next() {
      const { value, done } = lines.next()
      if (done) throw cutOff()
      words = value
      at = 0
    },
    read: () => inLine(words, () => numberIn(words[at++])),
  }
}

function binarySource(bytes: Uint8Array, { format, length }: PlyHeader): Source {
  const view = viewOf(bytes)
  const isLittle = format === 'little'
  let at = length
  return {
    next() {},
    read({ type, size }) {
      if (at + size > bytes.length) throw cutOff()
      at += size
      const from = at - size
      if (type === 'float32') return view.getFloat32(from, isLittle)
      if (type === 'uint8') return view.getUint8(from)
      if (type === 'int32') return view.getInt32(from, isLittle)
      if (type === 'uint32') return view.getUint32(from, isLittle)
      if (type === 'float64') return view.getFloat64(from, isLittle)
      if (type === 'int16') return view.getInt16(from, isLittle)
      if (type === 'uint16') return view.getUint16(from, isLittle)
      return view.getInt8(from)
    },
  }
}

const cutOff = () => malformed('The PLY is cut off.')
