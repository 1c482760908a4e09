import { damaged } from '../../processing/inspection.ts'

/** A property of an element: a number, or a list of numbers preceded by its count. */
export type PlyProperty = { name: string; type: NumberType; count: NumberType | undefined }
export type PlyElement = { name: string; count: number; properties: PlyProperty[] }
export type PlyHeader = {
  format: 'ascii' | 'binary_little_endian' | 'binary_big_endian'
  elements: PlyElement[]
  /** Bytes up to the first element. */
  length: number
}

/** The encoding of a number. */
export type NumberType = { bytes: number; read(view: DataView, at: number, isLittle: boolean): number }

const types: Record<string, NumberType> = {
  char: { bytes: 1, read: (view, at) => view.getInt8(at) },
  uchar: { bytes: 1, read: (view, at) => view.getUint8(at) },
  short: { bytes: 2, read: (view, at, isLittle) => view.getInt16(at, isLittle) },
  ushort: { bytes: 2, read: (view, at, isLittle) => view.getUint16(at, isLittle) },
  int: { bytes: 4, read: (view, at, isLittle) => view.getInt32(at, isLittle) },
  uint: { bytes: 4, read: (view, at, isLittle) => view.getUint32(at, isLittle) },
  float: { bytes: 4, read: (view, at, isLittle) => view.getFloat32(at, isLittle) },
  double: { bytes: 8, read: (view, at, isLittle) => view.getFloat64(at, isLittle) },
}
const sized = { int8: 'char', uint8: 'uchar', int16: 'short', uint16: 'ushort', int32: 'int', uint32: 'uint' }
const others: Record<string, string> = { ...sized, float32: 'float', float64: 'double' }

const MAX_LENGTH = 64 * 1024
const MAX_PROPERTIES = 1000

/** Reads the header of a PLY file ("The PLY Polygon File Format", Turk 1994). @param head the first 64 KiB, or the whole file @throws ScanFault */
export function readPlyHeader(head: Buffer): PlyHeader {
  const text = head.toString('latin1', 0, MAX_LENGTH)
  const end = /(?:^|\n)end_header[ \t]*(\r\n|\n|\r(?!\n))/.exec(text)
  if (!end) throw damaged('The header of the PLY file does not end.')
  const length = end.index + end[0].length
  const elements: PlyElement[] = []
  let format: string | undefined
  let properties = 0
  for (const line of text.slice(0, end.index).split(/\r?\n/)) {
    const words = line.trim().split(/\s+/)
    if (words[0] === 'format') format = words[1]
    else if (words[0] === 'element') elements.push({ name: words[1] ?? '', count: countOf(words[2]), properties: [] })
    else if (words[0] === 'property') {
      const element = elements.at(-1)
      if (!element || ++properties > MAX_PROPERTIES) throw damaged('The header of the PLY file is damaged.')
      element.properties.push(propertyOf(words))
    }
  }
  if (format !== 'ascii' && format !== 'binary_little_endian' && format !== 'binary_big_endian')
    throw damaged('The PLY file does not say how its numbers are written.')
  return { format, elements, length }
}

function propertyOf(words: string[]): PlyProperty {
  if (words[1] !== 'list') return { name: words[2] ?? '', type: typeOf(words[1]), count: undefined }
  return { name: words[4] ?? '', type: typeOf(words[3]), count: typeOf(words[2]) }
}

function typeOf(name = ''): NumberType {
  const type = types[others[name] ?? name]
  if (!type) throw damaged(`The PLY file has numbers of the type "${name.slice(0, 20)}", which is not known.`)
  return type
}

function countOf(word = ''): number {
  if (!/^\d{1,10}$/.test(word)) throw damaged('The PLY file does not say how many elements it has.')
  return Number(word)
}

/** Minimum bytes of the elements of a header: a shorter file is truncated. */
export const minBytes = ({ format, elements }: PlyHeader): number =>
  elements.reduce((sum, { count, properties }) => {
    const row = properties.reduce((bytes, { type, count: list }) => {
      if (format === 'ascii') return bytes + 2
      return bytes + (list ? list.bytes : type.bytes)
    }, 0)
    return sum + count * row
  }, 0)
