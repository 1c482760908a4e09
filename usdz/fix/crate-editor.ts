import { joined, latin1 } from '../bytes.ts'
import type { Crate, Rep } from '../layers/read-crate.ts'
import { ByteParts, bytesOf } from '../usd/crate/byte-parts.ts'
import { compressIntegers } from '../usd/crate/integers.ts'
import { compressChunk } from '../usd/crate/lz4.ts'
import { specType } from '../usd/crate/specs.ts'
import { inlineValue, typeCode, type ValueRep, valueAtOffset } from '../usd/crate/types.ts'

type Spec = { path: number; type: number; fields: Map<string, ValueRep> }
type PathNode = { number: number; token: number; isProperty: boolean; children: PathNode[] }

const endOfSet = -1
/** The jumps of the path table: no child and no sibling, only a child, only a sibling. */
const [leaf, onlyChild, onlySibling] = [-2, -1, 0]
const sectionNames = ['TOKENS', 'STRINGS', 'FIELDS', 'FIELDSETS', 'PATHS', 'SPECS'] as const

/**
 * Edits a crate file as OpenUSD saves one: the bytes stay as they are, and new values and tables are appended, which
 * keeps everything that is not understood here.
 */
export function crateEditor(crate: Crate) {
  const file = new ByteParts()
  file.bytes(crate.bytes)
  const tokens = [...crate.tokens]
  const numbers = new Map<string, number>()
  for (const [number, text] of tokens.entries()) if (!numbers.has(text)) numbers.set(text, number)
  const nodes = pathNodes(crate, numbers)
  const specs = new Map<number, Spec>()
  for (const { pathNumber: path, type, fields } of crate.specs) {
    const reps = [...fields].map(([name, rep]) => [name, storedRep(rep)] as const)
    specs.set(path, { path, type, fields: new Map(reps) })
  }
  let nextPath = 0
  for (const number of nodes.keys()) nextPath = Math.max(nextPath, number + 1)

  const token = (text: string): number => {
    const number = numbers.get(text) ?? tokens.push(text) - 1
    numbers.set(text, number)
    return number
  }
  /** Appends numbers of 32 bits in a list with a 64-bit count, behind `head`. */
  const list = (code: number, items: readonly number[], head?: number): ValueRep => {
    file.align(8)
    const rep = valueAtOffset(code, file.length, 0)
    if (head !== undefined) file.u8(head)
    file.u64(items.length)
    for (const item of items) file.u32(item)
    return rep
  }
  const set = (path: number, name: string, value: ValueRep) => specs.get(path)?.fields.set(name, value)

  return {
    set,
    has: (text: string): boolean => numbers.has(text),
    token: (text: string): ValueRep => inlineValue(typeCode.token, token(text)),
    names: (texts: readonly string[]): ValueRep => list(typeCode.tokenVector, texts.map(token)),
    prepended: (texts: readonly string[]): ValueRep => list(typeCode.tokenListOp, texts.map(token), 0x20),
    double(value: number): ValueRep {
      file.align(8)
      const rep = valueAtOffset(typeCode.double, file.length, 0)
      file.f64(value)
      return rep
    },
    /** Appends an array of vectors of three floats. Array counts have 64 bits since version 0.7.0. */
    vectors(values: readonly number[]): ValueRep {
      file.align(8)
      const rep = valueAtOffset(typeCode.float3, file.length, 1 << 31)
      const minor = crate.version[1]!
      if (minor >= 7) file.u64(values.length / 3)
      else {
        if (minor < 5) file.u32(1)
        file.u32(values.length / 3)
      }
      for (const value of values) file.f32(value)
      return rep
    },
    /** Replaces a text wherever it is used. */
    rename(from: string, to: string): void {
      const number = numbers.get(from)
      if (number === undefined) return
      tokens[number] = to
      numbers.delete(from)
      numbers.set(to, number)
    },
    /** Adds an attribute to a prim. */
    addAttribute(prim: number, name: string, fields: Record<string, ValueRep>): void {
      const node = { number: nextPath++, token: token(name), isProperty: true, children: [] }
      nodes.get(prim)?.children.unshift(node)
      specs.set(node.number, { path: node.number, type: specType.attribute, fields: new Map(Object.entries(fields)) })
    },
    /** Returns the file with its new tables. */
    finish: (): Uint8Array => written(crate, file, tokens, nodes.get(rootOf(crate))!, [...specs.values()], token),
  }
}
export type CrateEditor = ReturnType<typeof crateEditor>

const rootOf = ({ paths }: Crate): number => paths.order[0]!

/** Returns the 64-bit representation of a value. */
const storedRep = ({ code, array, inlined, compressed, payload, low }: Rep): ValueRep => ({
  low,
  high:
    ((array ? 1 << 31 : 0) |
      (inlined ? 1 << 30 : 0) |
      (compressed ? 1 << 29 : 0) |
      (code << 16) |
      (Math.floor(payload / 2 ** 32) & 0xffff)) >>>
    0,
})

function pathNodes({ paths }: Crate, numbers: ReadonlyMap<string, number>): Map<number, PathNode> {
  const nodes = new Map<number, PathNode>()
  // Parents come before their children.
  for (const number of paths.order) {
    const token = numbers.get(paths.name(number)) ?? 0
    const node: PathNode = { number, token, isProperty: paths.isProperty(number), children: [] }
    nodes.set(number, node)
    nodes.get(paths.parent(number))?.children.push(node)
  }
  return nodes
}

function written(
  { bytes }: Crate,
  file: ByteParts,
  tokens: readonly string[],
  root: PathNode,
  specs: readonly Spec[],
  tokenOf: (text: string) => number,
): Uint8Array {
  const { fields, sets, starts } = fieldTable(specs)
  const fieldNames = fields.map(({ name }) => tokenOf(name))
  const paths = pathLists(root)
  const strings = stringsOf(bytes)
  const integers = (list: readonly number[]) => sized(compressIntegers(Int32Array.from(list)))
  const sized = (part: Uint8Array) => {
    file.u64(part.length)
    file.bytes(part)
  }
  const write: Record<(typeof sectionNames)[number], () => void> = {
    TOKENS() {
      const text = new TextEncoder().encode(`${tokens.join('\0')}\0`)
      file.u64(tokens.length)
      file.u64(text.length)
      sized(compressChunk(text))
    },
    STRINGS: () => file.bytes(strings),
    FIELDS() {
      file.u64(fields.length)
      integers(fieldNames)
      sized(compressChunk(bytesOf(Uint32Array.from(fields.flatMap(({ value }) => [value.low, value.high])))))
    },
    FIELDSETS() {
      file.u64(sets.length)
      integers(sets)
    },
    PATHS() {
      file.u64(paths.indices.length)
      file.u64(paths.indices.length)
      for (const part of [paths.indices, paths.elements, paths.jumps]) integers(part)
    },
    SPECS() {
      file.u64(specs.length)
      integers(specs.map(({ path }) => path))
      integers(starts)
      integers(specs.map(({ type }) => type))
    },
  }
  const sections = sectionNames.map((name) => {
    const start = file.length
    write[name]()
    return { name, start, size: file.length - start }
  })
  const contents = file.length
  file.u64(sections.length)
  for (const { name, start, size } of sections) {
    file.bytes(Uint8Array.from({ length: 16 }, (_, i) => name.charCodeAt(i) || 0))
    file.u64(start)
    file.u64(size)
  }
  const out = joined(file.parts())
  new DataView(out.buffer).setBigUint64(16, BigInt(contents), true)
  return out
}

/** Returns the section of strings as it is: renamed tokens keep their numbers. */
function stringsOf(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const contents = Number(view.getBigUint64(16, true))
  for (let i = 0; i < Number(view.getBigUint64(contents, true)); i++) {
    const at = contents + 8 + i * 32
    if (!latin1(bytes.subarray(at, at + 8)).startsWith('STRINGS\0')) continue
    const start = Number(view.getBigUint64(at + 16, true))
    return bytes.slice(start, start + Number(view.getBigUint64(at + 24, true)))
  }
  throw new Error('It has no section STRINGS.')
}

/** Numbers equal fields and equal sets of fields once. */
function fieldTable(specs: readonly Spec[]) {
  const fields: { name: string; value: ValueRep }[] = []
  const fieldNumbers = new Map<string, number>()
  const sets: number[] = []
  const setStarts = new Map<string, number>()
  const starts = specs.map((spec) => {
    const own = [...spec.fields].map(([name, value]) => {
      const key = `${name} ${value.high} ${value.low}`
      const number = fieldNumbers.get(key) ?? fields.push({ name, value }) - 1
      fieldNumbers.set(key, number)
      return number
    })
    const start = setStarts.get(own.join()) ?? sets.length
    if (start === sets.length) sets.push(...own, endOfSet)
    setStarts.set(own.join(), start)
    return start
  })
  return { fields, sets, starts }
}

function pathLists(root: PathNode) {
  const lists = { indices: [] as number[], elements: [] as number[], jumps: [] as number[] }
  const visit = ({ number, token, isProperty, children }: PathNode, hasSibling: boolean) => {
    const at = lists.indices.push(number) - 1
    lists.elements.push(isProperty ? -token : token)
    lists.jumps.push(hasSibling ? onlySibling! : leaf!)
    for (const [index, child] of children.entries()) visit(child, index < children.length - 1)
    if (children.length > 0) lists.jumps[at] = hasSibling ? lists.indices.length - at : onlyChild!
  }
  visit(root, false)
  return lists
}
