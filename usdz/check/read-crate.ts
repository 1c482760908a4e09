import { decompressChunks, decompressIntegers } from './decompress.ts'

/** A value as the file stores it: its type number, its flags, and its payload (a value, or where it is). */
export type Rep = { code: number; array: boolean; inlined: boolean; compressed: boolean; payload: number; low: number }

export type CrateSpec = { path: string; type: number; fields: Map<string, Rep> }

/** The tables of a crate file. Values stay where they are until `read-values.ts` is asked for them. */
export type Crate = {
  bytes: Uint8Array
  /** For example [0, 8, 0]. */
  version: number[]
  tokens: string[]
  /** Token numbers. */
  strings: number[]
  paths: string[]
  specs: CrateSpec[]
}

type Section = { start: number; size: number }

/**
 * Reads the structure of a .usdc file of version 0.4.0 or later: what prims and properties it has, and which fields they
 * carry. @throws Error saying what is wrong.
 */
export function readCrate(bytes: Uint8Array): Crate {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (Buffer.from(bytes.subarray(0, 8)).toString('latin1') !== 'PXR-USDC') throw new Error('It is not a crate file.')
  const version = [...bytes.subarray(8, 11)]
  if (version[0] !== 0 || version[1]! < 4) throw new Error(`Crate files of version ${version.join('.')} are not read.`)
  const sections = readSections(view)
  const open = (name: string): Cursor => {
    const section = sections.get(name)
    if (!section) throw new Error(`It has no section ${name}.`)
    return cursor(bytes, section)
  }

  const tokens = readTokens(open('TOKENS'))
  const stringCursor = open('STRINGS')
  const strings = Array.from({ length: stringCursor.u64() }, () => stringCursor.u32())
  const fields = readFields(open('FIELDS'), tokens)
  const setCursor = open('FIELDSETS')
  const sets = setCursor.integers(setCursor.u64())
  const paths = readPaths(open('PATHS'), tokens)

  const specCursor = open('SPECS')
  const count = specCursor.u64()
  const [pathNumbers, setNumbers, types] = [0, 1, 2].map(() => specCursor.integers(count))
  const specs = Array.from({ length: count }, (_, i): CrateSpec => {
    const path = paths[pathNumbers![i]!]
    if (path === undefined) throw new Error(`Spec ${i} has no path.`)
    const own = new Map<string, Rep>()
    for (let at = setNumbers![i]!; sets[at] !== undefined && sets[at] !== -1; at++) {
      const field = fields[sets[at]!]
      if (!field) throw new Error(`${path} has a field that does not exist.`)
      own.set(field.name, field.rep)
    }
    return { path, type: types![i]!, fields: own }
  })
  return { bytes, version, tokens, strings, paths, specs }
}

type Cursor = {
  u32(): number
  u64(): number
  take(size: number): Uint8Array
  /** Compressed integers with their length before them. */
  integers(count: number): Int32Array
}

function cursor(bytes: Uint8Array, { start, size }: Section): Cursor {
  if (start + size > bytes.length) throw new Error('A section lies outside the file.')
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, size)
  let at = 0
  const step = (length: number) => {
    at += length
    return at - length
  }
  const take = (length: number) => bytes.subarray(start + at, start + step(length) + length)
  const u64 = () => Number(view.getBigUint64(step(8), true))
  return {
    u32: () => view.getUint32(step(4), true),
    u64,
    take,
    integers: (count) => decompressIntegers(take(u64()), count),
  }
}

function readSections(view: DataView): Map<string, Section> {
  const contents = Number(view.getBigUint64(16, true))
  const count = Number(view.getBigUint64(contents, true))
  const sections = new Map<string, Section>()
  for (let i = 0; i < count; i++) {
    const at = contents + 8 + i * 32
    const name = Buffer.from(view.buffer, view.byteOffset + at, 16)
      .toString('latin1')
      .replace(/\0.*$/s, '')
    const start = Number(view.getBigUint64(at + 16, true))
    sections.set(name, { start, size: Number(view.getBigUint64(at + 24, true)) })
  }
  return sections
}

function readTokens(section: Cursor): string[] {
  const count = section.u64()
  const size = section.u64()
  const text = new TextDecoder().decode(decompressChunks(section.take(section.u64()), size))
  const tokens = text.split('\0').slice(0, -1)
  if (tokens.length !== count) throw new Error(`It names ${count} tokens and holds ${tokens.length}.`)
  return tokens
}

function readFields(section: Cursor, tokens: string[]): { name: string; rep: Rep }[] {
  const count = section.u64()
  const names = section.integers(count)
  const reps = decompressChunks(section.take(section.u64()), count * 8)
  const view = new DataView(reps.buffer)
  return Array.from({ length: count }, (_, i) => {
    const low = view.getUint32(i * 8, true)
    const high = view.getUint32(i * 8 + 4, true)
    const rep = {
      code: (high >>> 16) & 0xff,
      array: high >>> 31 === 1,
      inlined: ((high >>> 30) & 1) === 1,
      compressed: ((high >>> 29) & 1) === 1,
      payload: (high & 0xffff) * 2 ** 32 + low,
      low,
    }
    return { name: tokens[names[i]!] ?? '', rep }
  })
}

/** Paths stand in the order of a walk; a jump says whether a child, a sibling or both follow. */
function readPaths(section: Cursor, tokens: string[]): string[] {
  const paths = new Array<string>(section.u64())
  const count = section.u64()
  const [numbers, elements, jumps] = [0, 1, 2].map(() => section.integers(count))
  const starts: { at: number; parent: string }[] = [{ at: 0, parent: '' }]
  for (let start = starts.pop(); start; start = starts.pop()) {
    let { at, parent } = start
    for (;;) {
      if (at >= count) throw new Error('A path lies outside the table of paths.')
      const name = tokens[Math.abs(elements![at]!)] ?? ''
      const separator = elements![at]! < 0 ? '.' : '/'
      const path = at === 0 ? '/' : `${parent === '/' ? '' : parent}${separator}${name}`
      paths[numbers![at]!] = path
      const jump = jumps![at]!
      if (jump > 0) starts.push({ at: at + jump, parent })
      if (jump > 0 || jump === -1) parent = path
      else if (jump !== 0) break
      at++
    }
  }
  return paths
}
