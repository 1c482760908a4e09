import { latin1 } from '../bytes.ts'
import { malformed, unsupported } from '../errors.ts'

const scalars = {
  char: ['int8', 1],
  uchar: ['uint8', 1],
  short: ['int16', 2],
  ushort: ['uint16', 2],
  int: ['int32', 4],
  uint: ['uint32', 4],
  float: ['float32', 4],
  double: ['float64', 8],
} as const
type Named = keyof typeof scalars
type Scalar = (typeof scalars)[Named][0]

const sizes = new Map<string, { type: Scalar; size: number }>(
  Object.entries(scalars).flatMap(([name, [type, size]]) => [
    [name, { type, size }],
    [type, { type, size }],
  ]),
)

export type PlyScalar = { type: Scalar; size: number }
/** `count`: the type of the length of a list. */
export type PlyProperty = { name: string; value: PlyScalar; count?: PlyScalar }
export type PlyElement = { name: string; rows: number; properties: PlyProperty[] }
export type PlyHeader = {
  format: 'ascii' | 'little' | 'big'
  elements: PlyElement[]
  comments: string[]
  length: number
}

const longest = 64 * 1024
const formats = { ascii: 'ascii', binary_little_endian: 'little', binary_big_endian: 'big' } as const

/** Reads the header of a PLY. @throws ConversionError naming the line that cannot be read */
export function plyHeader(bytes: Uint8Array): PlyHeader {
  const text = latin1(bytes, 0, Math.min(bytes.length, longest))
  const end = /\nend_header\r?\n/.exec(text)
  if (!end) throw malformed('The PLY has no end_header.')
  const elements: PlyElement[] = []
  const comments: string[] = []
  let format: PlyHeader['format'] | undefined
  for (const line of text.slice(0, end.index).split(/\r?\n/).slice(1)) {
    const [word = '', ...rest] = line.trim().split(/\s+/)
    if (word === 'comment') comments.push(rest.join(' '))
    else if (word === 'format') {
      format = formats[rest[0] as keyof typeof formats]
      if (!format) throw unsupported(`The PLY has the format "${(rest[0] ?? '').slice(0, 40)}".`)
    } else if (word === 'element') {
      const rows = Number(rest[1])
      if (!Number.isSafeInteger(rows) || rows < 0)
        throw malformed(`The header of the PLY has the line "${line.slice(0, 80)}": its number of rows is not one.`)
      elements.push({ name: rest[0] ?? '', rows, properties: [] })
    } else if (word === 'property') {
      const property = propertyOf(rest)
      const element = elements.at(-1)
      if (!property || !element)
        throw malformed(
          `The header of the PLY has the line "${line.slice(0, 80)}": its type is unknown, or a name is missing.`,
        )
      element.properties.push(property)
    }
  }
  if (!format) throw malformed('The PLY names no format.')
  return { format, elements, comments, length: end.index + end[0].length }
}

/** Whether a PLY has splats, as they are or compressed, instead of faces. */
export const hasSplats = ({ elements }: PlyHeader): boolean =>
  ['f_dc_0', 'packed_rotation'].some((name) =>
    elements.some(({ properties }) => properties.some((property) => property.name === name)),
  )

function propertyOf(words: readonly string[]): PlyProperty | undefined {
  const isList = words[0] === 'list'
  const [count, value] = isList ? [sizes.get(words[1]!), sizes.get(words[2]!)] : [undefined, sizes.get(words[0]!)]
  const name = words[isList ? 3 : 1]
  if (!value || !name || (isList && !count)) return undefined
  return { name, value, ...(count && { count }) }
}
