import type { Layer } from '../prim.ts'
import { ByteParts, bytesOf } from './byte-parts.ts'
import { compressIntegers } from './integers.ts'
import { compressChunk } from './lz4.ts'
import { pathTable, pathTree, targetNumbers } from './paths.ts'
import { specTable } from './specs.ts'
import { Tokens } from './tokens.ts'
import { ValueWriter } from './values.ts'

const headerSize = 88
const version = [0, 8, 0]

/**
 * Writes a layer as a USD crate file (.usdc) of version 0.8.0, the oldest with 64-bit array counts, which all current
 * readers support. Deterministic.
 * @returns the parts of the file in order; large arrays are not copied.
 */
export function writeCrate(layer: Layer): Uint8Array[] {
  const header = new DataView(new ArrayBuffer(headerSize))
  const file = new ByteParts()
  file.bytes(bytesOf(header))
  const tokens = new Tokens()
  const values = new ValueWriter(file, tokens)
  const specs = specTable(layer, values, targetNumbers(layer))
  const paths = pathTable(pathTree(layer), tokens)
  const fieldNames = specs.fields.map((field) => tokens.token(field.name))

  const sections: { name: string; start: number; size: number }[] = []
  const section = (name: string, write: () => void) => {
    const start = file.length
    write()
    sections.push({ name, start, size: file.length - start })
  }
  const integers = (list: readonly number[]) => sized(file, compressIntegers(Int32Array.from(list)))

  section('TOKENS', () => {
    const text = new TextEncoder().encode(`${tokens.listTokens().join('\0')}\0`)
    file.u64(tokens.listTokens().length)
    file.u64(text.length)
    sized(file, compressChunk(text))
  })
  section('STRINGS', () => {
    file.u64(tokens.listStrings().length)
    for (const token of tokens.listStrings()) file.u32(token)
  })
  section('FIELDS', () => {
    file.u64(specs.fields.length)
    integers(fieldNames)
    const reps = Uint32Array.from(specs.fields.flatMap(({ value }) => [value.low, value.high]))
    sized(file, compressChunk(bytesOf(reps)))
  })
  section('FIELDSETS', () => {
    file.u64(specs.sets.length)
    integers(specs.sets)
  })
  section('PATHS', () => {
    file.u64(paths.indices.length)
    file.u64(paths.indices.length)
    integers(paths.indices)
    integers(paths.elements)
    integers(paths.jumps)
  })
  section('SPECS', () => {
    file.u64(specs.specs.length)
    integers(specs.specs.map((spec) => spec.path))
    integers(specs.specs.map((spec) => spec.set))
    integers(specs.specs.map((spec) => spec.type))
  })
  return finish(file, header, sections)
}

function finish(file: ByteParts, header: DataView, sections: { name: string; start: number; size: number }[]) {
  const contents = file.length
  file.u64(sections.length)
  for (const { name, start, size } of sections) {
    const padded = new Uint8Array(16)
    new TextEncoder().encodeInto(name, padded)
    file.bytes(padded)
    file.u64(start)
    file.u64(size)
  }
  const [first, ...rest] = file.parts()
  new TextEncoder().encodeInto('PXR-USDC', bytesOf(header))
  for (const [index, number] of version.entries()) header.setUint8(8 + index, number)
  header.setBigUint64(16, BigInt(contents), true)
  first!.set(bytesOf(header))
  return [first!, ...rest]
}

function sized(file: ByteParts, bytes: Uint8Array): void {
  file.u64(bytes.length)
  file.bytes(bytes)
}
