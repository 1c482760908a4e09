import { latin1 } from '../bytes.ts'
import { type CratePaths, readPathTree } from './crate-paths.ts'
import { decompressChunks, decompressIntegers } from './decompress.ts'
import { type Budget, budget } from './work-budget.ts'

/** A stored value: type number, flags and payload (the value or its offset). */
export type Rep = { code: number; array: boolean; inlined: boolean; compressed: boolean; payload: number; low: number }

/** The fields at one path. Specs with equal fields share the map. */
export type CrateSpec = { readonly path: string; pathNumber: number; type: number; fields: ReadonlyMap<string, Rep> }

/** The tables of a crate file. Values are read on demand by `read-values.ts`. */
export type Crate = {
  bytes: Uint8Array
  view: DataView
  /** For example [0, 8, 0]. */
  version: number[]
  tokens: string[]
  /** Token numbers. */
  strings: number[]
  paths: CratePaths
  specs: CrateSpec[]
  budget: Budget
}

type Section = { start: number; size: number }

/** The largest number of tokens, fields, paths or specs, ten times that of the largest scenes in use. */
const mostEntries = 4_000_000

/** Whether bytes begin as a binary layer does. */
export const isCrate = (bytes: Uint8Array): boolean => latin1(bytes.subarray(0, 8)) === 'PXR-USDC'

/**
 * Reads the structure of a .usdc file of version 0.4.0 or later: prims, properties and their fields. Source: OpenUSD
 * pxr/usd/sdf/crateFile.cpp.
 * @throws Error naming the problem.
 */
export function readCrate(bytes: Uint8Array, limits: Budget = budget()): Crate {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!isCrate(bytes)) throw new Error('It is not a USD layer: it begins neither with PXR-USDC nor with #usda.')
  const version = [...bytes.subarray(8, 11)]
  if (version[0] !== 0 || version[1]! < 4) throw new Error(`Crate files of version ${version.join('.')} are not read.`)
  const sections = readSections(view)
  const open = (name: string): Cursor => {
    const section = sections.get(name)
    if (!section) throw new Error(`It has no section ${name}.`)
    return cursor(bytes, section, limits)
  }

  const tokens = readTokens(open('TOKENS'), limits)
  const stringCursor = open('STRINGS')
  const strings = Array.from({ length: stringCursor.count(4) }, () => stringCursor.u32())
  const fields = readFields(open('FIELDS'), tokens)
  const setCursor = open('FIELDSETS')
  const sets = setCursor.integers(setCursor.u64())
  const paths = readPaths(open('PATHS'), tokens)
  const specs = readSpecs(open('SPECS'), paths, fieldSets(fields, sets, limits))
  return { bytes, view, version, tokens, strings, paths, specs, budget: limits }
}

type Cursor = {
  u32(): number
  u64(): number
  /** Reads a count and validates it against the remaining bytes. */
  count(size: number): number
  take(size: number): Uint8Array
  /** Reads compressed integers with a length prefix. */
  integers(count: number): Int32Array
}

function cursor(bytes: Uint8Array, { start, size }: Section, limits: Budget): Cursor {
  if (!(start + size <= bytes.length)) throw new Error('A section lies outside the file.')
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, size)
  let at = 0
  const step = (length: number) => {
    if (!(at + length <= size)) throw new Error('A section is cut off.')
    at += length
    return at - length
  }
  const take = (length: number) => {
    const from = start + step(length)
    return bytes.subarray(from, from + length)
  }
  const u64 = () => Number(view.getBigUint64(step(8), true))
  return {
    u32: () => view.getUint32(step(4), true),
    u64,
    count: (each) => {
      const count = u64()
      if (!(count * each <= size - at)) throw new Error('A section is cut off.')
      return count
    },
    take,
    integers: (count) => {
      if (!(count <= mostEntries)) throw new Error(`A table of ${count} entries is larger than is read here.`)
      limits.spend(count)
      return decompressIntegers(take(u64()), count)
    },
  }
}

const sectionSize = 32
const mostSections = 100

function readSections(view: DataView): Map<string, Section> {
  const contents = Number(view.getBigUint64(16, true))
  if (!(contents + 8 <= view.byteLength)) throw new Error('It is cut off.')
  const count = Number(view.getBigUint64(contents, true))
  if (!(count <= mostSections && contents + 8 + count * sectionSize <= view.byteLength)) {
    throw new Error('Its table of contents is damaged.')
  }
  const sections = new Map<string, Section>()
  for (let i = 0; i < count; i++) {
    const at = contents + 8 + i * sectionSize
    const name = latin1(new Uint8Array(view.buffer, view.byteOffset + at, 16)).replace(/\0.*$/s, '')
    const start = Number(view.getBigUint64(at + 16, true))
    sections.set(name, { start, size: Number(view.getBigUint64(at + 24, true)) })
  }
  return sections
}

function readTokens(section: Cursor, limits: Budget): string[] {
  const count = section.u64()
  const size = section.u64()
  limits.spend(size)
  const bytes = decompressChunks(section.take(section.u64()), size)
  let ends = 0
  for (const byte of bytes) if (byte === 0) ends++
  if (ends !== count || count > mostEntries) throw new Error(`It names ${count} tokens and holds ${ends}.`)
  return new TextDecoder().decode(bytes).split('\0').slice(0, -1)
}

type Field = { name: string; rep: Rep }

function readFields(section: Cursor, tokens: string[]): Field[] {
  const count = section.u64()
  const names = section.integers(count)
  const reps = decompressChunks(section.take(section.u64()), count * 8)
  const view = new DataView(reps.buffer)
  return Array.from({ length: count }, (_, i) => ({
    name: tokens[names[i]!] ?? '',
    rep: repOf(view.getUint32(i * 8, true), view.getUint32(i * 8 + 4, true)),
  }))
}

/** Splits the 64-bit representation of a value. */
export const repOf = (low: number, high: number): Rep => ({
  code: (high >>> 16) & 0xff,
  array: high >>> 31 === 1,
  inlined: ((high >>> 30) & 1) === 1,
  compressed: ((high >>> 29) & 1) === 1,
  payload: (high & 0xffff) * 2 ** 32 + low,
  low,
})

/** Returns the fields of a set by its start; each set ends with -1 and is built once. */
function fieldSets(
  fields: readonly Field[],
  sets: Int32Array,
  limits: Budget,
): (start: number) => ReadonlyMap<string, Rep> {
  const made = new Map<number, ReadonlyMap<string, Rep>>()
  return (start) => {
    const known = made.get(start)
    if (known) return known
    const own = new Map<string, Rep>()
    for (let at = start; sets[at] !== undefined && sets[at] !== -1; at++) {
      const field = fields[sets[at]!]
      if (!field) throw new Error('A spec has a field that does not exist.')
      if (own.has(field.name)) throw new Error(`A spec has the field ${field.name} twice.`)
      own.set(field.name, field.rep)
      limits.spend(1)
    }
    made.set(start, own)
    return own
  }
}

function readPaths(section: Cursor, tokens: string[]): CratePaths {
  const size = section.u64()
  const count = section.u64()
  const [numbers, elements, jumps] = [0, 1, 2].map(() => section.integers(count)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  if (size !== count) throw new Error('Its table of paths is damaged.')
  return readPathTree(size, { numbers, elements, jumps }, tokens)
}

function readSpecs(
  section: Cursor,
  paths: CratePaths,
  fieldsOf: (start: number) => ReadonlyMap<string, Rep>,
): CrateSpec[] {
  const count = section.u64()
  const [pathNumbers, setNumbers, types] = [0, 1, 2].map(() => section.integers(count))
  const seen = new Set<number>()
  return Array.from({ length: count }, (_, i) => {
    const pathNumber = pathNumbers![i]!
    if (!paths.has(pathNumber)) throw new Error(`Spec ${i} has no path.`)
    if (seen.has(pathNumber)) throw new Error(`${paths.text(pathNumber)} occurs twice.`)
    seen.add(pathNumber)
    return new Spec(paths, pathNumber, types![i]!, fieldsOf(setNumbers![i]!))
  })
}

class Spec implements CrateSpec {
  readonly #paths: CratePaths
  readonly pathNumber: number
  readonly type: number
  readonly fields: ReadonlyMap<string, Rep>

  constructor(paths: CratePaths, pathNumber: number, type: number, fields: ReadonlyMap<string, Rep>) {
    this.#paths = paths
    this.pathNumber = pathNumber
    this.type = type
    this.fields = fields
  }

  get path(): string {
    return this.#paths.text(this.pathNumber)
  }
}
