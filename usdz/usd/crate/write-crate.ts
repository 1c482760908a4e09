import type { Layer, Prim, Property } from '../prim.ts'
import { ByteParts, bytesOf } from './byte-parts.ts'
import { compressIntegers } from './integers.ts'
import { compressChunk } from './lz4.ts'
import { pathTable, pathTree, targetNumbers } from './paths.ts'
import { Tokens } from './tokens.ts'
import { type ValueRep, ValueWriter } from './values.ts'

/** Numbers of spec kinds. Source: OpenUSD pxr/usd/sdf/types.h, SdfSpecType. */
const specType = { attribute: 1, prim: 6, pseudoRoot: 7, relationship: 8 }

const headerSize = 88
const version = [0, 8, 0]
/** Closes each list of fields in the table of field sets. */
const endOfSet = -1

type Field = { name: string; value: ValueRep }

/**
 * Writes a layer as a USD crate file (.usdc) of version 0.8.0, the oldest with 64-bit array counts, which all readers in
 * use know. The same layer gives the same bytes.
 * @returns the parts of the file in order; large arrays are the layer's own, not copies.
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

type Spec = { path: number; set: number; type: number }

/**
 * The specs of a layer with their fields: equal fields and equal sets of fields are kept once. They stand in the order
 * of the walk, so that each one's place is the number of its path.
 * @param targets the numbers of the paths that properties point at.
 */
function specTable(layer: Layer, values: ValueWriter, targets: Map<string, number>) {
  const fields: Field[] = []
  const fieldNumbers = new Map<string, Map<number, Map<number, number>>>()
  const sets: number[] = []
  const setStarts = new Map<string, number>()
  const specs: Spec[] = []

  const numberOf = (field: Field): number => {
    const { low, high } = field.value
    const ofHigh = within(within(fieldNumbers, field.name), high)
    const known = ofHigh.get(low) ?? fields.push(field) - 1
    ofHigh.set(low, known)
    return known
  }
  const add = (type: number, list: Field[]) => {
    const numbers = list.map(numberOf)
    const key = numbers.join()
    let set = setStarts.get(key)
    if (set === undefined) {
      set = sets.length
      setStarts.set(key, set)
      sets.push(...numbers, endOfSet)
    }
    specs.push({ path: specs.length, set, type })
  }
  const addPrim = (prim: Prim) => {
    add(specType.prim, primFields(prim, values))
    for (const property of prim.properties) {
      const type = property.kind === 'attribute' ? specType.attribute : specType.relationship
      add(type, propertyFields(property, values, targets))
    }
    prim.children.forEach(addPrim)
  }

  const top = layer.prims.map((prim) => prim.name)
  add(specType.pseudoRoot, [
    ...layer.metadata.map(({ name, value }) => ({ name, value: values.write(value) })),
    { name: 'primChildren', value: values.names(top) },
  ])
  layer.prims.forEach(addPrim)
  return { fields, sets, specs }
}

/** The map at a key of a map of maps, made when it is first asked for. */
function within<Key, Inner, Value>(outer: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  const inner = outer.get(key) ?? new Map<Inner, Value>()
  outer.set(key, inner)
  return inner
}

function primFields(prim: Prim, values: ValueWriter): Field[] {
  const list: Field[] = [{ name: 'specifier', value: values.define() }]
  list.push({ name: 'typeName', value: values.write({ type: 'token', value: prim.typeName }) })
  if (prim.apiSchemas) list.push({ name: 'apiSchemas', value: values.prepended(prim.apiSchemas) })
  const properties = prim.properties.map(({ name }) => name)
  if (properties.length > 0) list.push({ name: 'properties', value: values.names(properties) })
  const children = prim.children.map(({ name }) => name)
  if (children.length > 0) list.push({ name: 'primChildren', value: values.names(children) })
  return list
}

function propertyFields(property: Property, values: ValueWriter, targets: Map<string, number>): Field[] {
  const to = (path: string) => {
    const number = targets.get(path)
    if (number === undefined) throw new Error(`${property.name} points at ${path}, which is not in the layer`)
    return values.paths([number])
  }
  if (property.kind === 'relationship') {
    return [
      { name: 'variability', value: values.uniform() },
      { name: 'targetPaths', value: to(property.target) },
    ]
  }
  const { typeName, uniform, interpolation, connection, value } = property
  const list: Field[] = [{ name: 'typeName', value: values.write({ type: 'token', value: typeName }) }]
  if (uniform) list.push({ name: 'variability', value: values.uniform() })
  if (interpolation) list.push({ name: 'interpolation', value: values.write({ type: 'token', value: interpolation }) })
  if (connection) list.push({ name: 'connectionPaths', value: to(connection) })
  if (value) list.push({ name: 'default', value: values.write(value) })
  return list
}
