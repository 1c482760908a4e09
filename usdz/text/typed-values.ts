import { malformed } from '../errors.ts'
import type { Value } from '../usd/prim.ts'
import type { Scanner } from './scanner.ts'

/**
 * How a crate file stores a declared type. Sizes of vectors count; single precision is enough for a GLB, except of
 * matrices. Source: "USD Basic Datatypes" of OpenUSD.
 */
function storageOf(typeName: string): string | undefined {
  const [, base = '', list = ''] = /^(\w+?)(\[\])?$/.exec(typeName) ?? []
  const stored = plainTypes[base] ?? /^(?:half|float|double)([234])$/.exec(base)?.[0].replace(/^[a-z]+/, 'float')
  const role = /^(?:color|texCoord|point|normal|vector)([234])[hfd]$/.exec(base)
  const name = stored ?? (role ? `float${role[1]}` : undefined)
  return name && name + list
}

const plainTypes: Record<string, string> = {
  bool: 'bool',
  int: 'int',
  uint: 'int',
  uchar: 'int',
  half: 'float',
  float: 'float',
  double: 'double',
  timecode: 'double',
  string: 'string',
  token: 'token',
  asset: 'asset',
  quath: 'quatf',
  quatf: 'quatf',
  quatd: 'quatf',
  matrix4d: 'matrix4d',
  frame4d: 'matrix4d',
}

const sizes: Record<string, number> = { float2: 2, float3: 3, float4: 4, quatf: 4, matrix4d: 16 }

/**
 * Reads a value of a declared type. Types that are not stored are read over.
 * @returns undefined for those, and for None.
 */
export function typedValue(scan: Scanner, typeName: string): Value | undefined {
  const type = storageOf(typeName)
  if (scan.match(/None\b/y)) return undefined
  if (!type) {
    skipValue(scan)
    return undefined
  }
  if (type.endsWith('[]')) return listValue(scan, type.slice(0, -2))
  if (type === 'bool') return { type, value: /^(?:true|1)$/.test(scan.match(/true|false|[01]\b/y) ?? scan.fail()) }
  if (type === 'string' || type === 'token') return { type, value: scan.string() ?? scan.fail() }
  if (type === 'asset') return { type, value: scan.asset() ?? scan.fail() }
  if (type === 'int' || type === 'float' || type === 'double') return { type, value: scan.number() ?? scan.fail() }
  const numbers = scan.numbers()
  if (numbers.length !== sizes[type]) return scan.fail()
  return { type, value: type === 'quatf' ? realLast(numbers) : numbers } as Value
}

function listValue(scan: Scanner, base: string): Value | undefined {
  if (base === 'token' || base === 'string') return { type: 'token[]', value: stringList(scan) }
  if (base === 'bool' || base === 'asset') {
    skipValue(scan)
    return undefined
  }
  if (scan.next() !== '[') scan.fail()
  const numbers = scan.numbers()
  if (numbers.length % (sizes[base] ?? 1) !== 0) return scan.fail()
  if (base === 'int') return { type: 'int[]', value: Int32Array.from(numbers) }
  if (base === 'double' || base === 'matrix4d') return { type: `${base}[]`, value: Float64Array.from(numbers) }
  const values = base === 'quatf' ? realLast(numbers) : numbers
  return { type: `${base}[]`, value: Float32Array.from(values) } as Value
}

/** Text has the real part of a quaternion first, a crate file last. */
function realLast(numbers: readonly number[]): number[] {
  return numbers.map((_, at) => numbers[at % 4 === 3 ? at - 3 : at + 1]!)
}

/** Reads strings in brackets, or a single one. */
export function stringList(scan: Scanner): string[] {
  const one = scan.string()
  if (one !== undefined) return [one]
  if (scan.match(/None\b/y)) return []
  const list: string[] = []
  for (scan.need('['); !scan.takes(']'); scan.takes(',')) list.push(scan.string() ?? scan.fail())
  return list
}

/** Deeper nesting is damage. */
const maxNesting = 50

/** Reads over a value of any kind. */
export function skipValue(scan: Scanner, depth = 0): void {
  if (depth > maxNesting) throw malformed('The text layer has values in values, more than fifty deep.')
  const ends: Record<string, string> = { '(': ')', '[': ']', '{': '}' }
  const end = ends[scan.next()]
  if (end !== undefined) {
    scan.match(/[([{]/y)
    while (!scan.takes(end)) if (scan.match(/[,:=]/y) === undefined) skipValue(scan, depth + 1)
    return
  }
  if (scan.string() !== undefined || scan.number() !== undefined) return
  if (scan.asset() !== undefined) {
    // A reference may have a path and an offset.
    scan.path()
    if (scan.next() === '(') skipValue(scan, depth + 1)
    return
  }
  if (scan.path() !== undefined) return
  scan.word()
  scan.match(/\[\]/y)
}
