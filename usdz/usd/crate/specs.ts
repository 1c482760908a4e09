import type { Attribute, Contents, Layer, Metadatum, Prim, Property, Relationship } from '../prim.ts'
import type { ValueRep } from './types.ts'
import type { ValueWriter } from './values.ts'

/** Numbers of spec kinds. Source: OpenUSD pxr/usd/sdf/types.h, SdfSpecType. */
export const specType = { attribute: 1, prim: 6, pseudoRoot: 7, relationship: 8, variant: 10, variantSet: 11 } as const

/** The end of each list in the table of field sets. */
const endOfSet = -1

export type Field = { name: string; value: ValueRep }
type Spec = { path: number; set: number; type: number }

/**
 * Builds the specs and fields of a layer; equal fields and field sets are stored once. Specs are in depth-first order,
 * so the position of each is the number of its path.
 * @param targets the numbers of the targeted paths.
 */
export function specTable(layer: Layer, values: ValueWriter, targets: ReadonlyMap<string, number>) {
  const fields: Field[] = []
  const fieldNumbers = new Map<string, Map<number, Map<number, number>>>()
  const sets: number[] = []
  const setStarts = new Map<string, number>()
  const specs: Spec[] = []
  const write = fieldWriter(values, targets)

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
  const addInside = ({ properties, children, variantSets = [] }: Contents) => {
    for (const property of properties) add(specType[property.kind], write.property(property))
    for (const { variants } of variantSets) {
      add(specType.variantSet, [{ name: 'variantChildren', value: values.names(variants.map(({ name }) => name)) }])
      for (const variant of variants) {
        add(specType.variant, write.prim({ ...variant, typeName: '', specifier: 'over' }))
        addInside(variant)
      }
    }
    for (const child of children) {
      add(specType.prim, write.prim(child))
      addInside(child)
    }
  }

  add(specType.pseudoRoot, [
    ...write.metadata(layer.metadata),
    { name: 'primChildren', value: values.names(layer.prims.map((prim) => prim.name)) },
  ])
  addInside({ properties: [], children: layer.prims })
  return { fields, sets, specs }
}

/** Returns the inner map at a key, creating it if necessary. */
function within<Key, Inner, Value>(outer: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  const inner = outer.get(key) ?? new Map<Inner, Value>()
  outer.set(key, inner)
  return inner
}

type PrimLike = Pick<Prim, 'typeName' | 'specifier' | 'apiSchemas' | 'metadata' | 'selections'> & Contents

/** Writes the fields of prims and properties. Field names are those of OpenUSD pxr/usd/sdf/schema.h, SdfFieldKeys. */
function fieldWriter(values: ValueWriter, targets: ReadonlyMap<string, number>) {
  const metadata = (list: readonly Metadatum[]) => list.map(({ name, value }) => ({ name, value: values.write(value) }))
  const token = (name: string, value: string): Field => ({ name, value: values.write({ type: 'token', value }) })
  const numbersOf = (from: string, paths: readonly string[]): number[] =>
    paths.map((path) => {
      const number = targets.get(path)
      if (number === undefined) throw new Error(`${from} points at ${path}, which is not in the layer`)
      return number
    })
  const targetsOf = ({ name, targets: paths, edits }: Relationship): Field[] => {
    const numbers = numbersOf(name, paths)
    if (!edits) return [{ name: 'targetPaths', value: values.paths(numbers) }]
    const deleted = numbersOf(name, edits.deleted)
    const isEmpty = numbers.length + deleted.length === 0
    return isEmpty ? [] : [{ name: 'targetPaths', value: values.pathEdits(numbers, deleted) }]
  }

  const prim = ({ variantSets = [], selections = [], ...own }: PrimLike): Field[] => {
    const list: Field[] = [{ name: 'specifier', value: values.specifier(own.specifier ?? 'def') }]
    if (own.typeName) list.push(token('typeName', own.typeName))
    if (own.apiSchemas) list.push({ name: 'apiSchemas', value: values.prepended(own.apiSchemas) })
    if (own.metadata) list.push(...metadata(own.metadata))
    const properties = own.properties.map(({ name }) => name)
    if (properties.length > 0) list.push({ name: 'properties', value: values.names(properties) })
    if (variantSets.length > 0) {
      const names = variantSets.map(({ name }) => name)
      list.push({ name: 'variantSetNames', value: values.prependedStrings(names) })
      list.push({ name: 'variantSetChildren', value: values.names(names) })
    }
    const selected = [...variantSets.map((set) => [set.name, set.selected] as const), ...selections]
    if (selected.length > 0) list.push({ name: 'variantSelection', value: values.selections(selected) })
    const children = own.children.map(({ name }) => name)
    if (children.length > 0) list.push({ name: 'primChildren', value: values.names(children) })
    return list
  }

  const attribute = ({ name, typeName, value, samples, ...own }: Attribute): Field[] => {
    const list: Field[] = [token('typeName', typeName)]
    if (own.uniform) list.push({ name: 'variability', value: values.uniform() })
    if (own.interpolation) list.push(token('interpolation', own.interpolation))
    if (own.colorSpace) list.push(token('colorSpace', own.colorSpace))
    if (own.elementSize) {
      list.push({ name: 'elementSize', value: values.write({ type: 'int', value: own.elementSize }) })
    }
    if (own.connection !== undefined) {
      const paths = own.connection === null ? [] : [own.connection]
      list.push({ name: 'connectionPaths', value: values.paths(numbersOf(name, paths)) })
    }
    if (value) list.push({ name: 'default', value: values.write(value) })
    if (samples) list.push({ name: 'timeSamples', value: values.samples(samples) })
    return list
  }

  const property = (own: Property): Field[] => {
    if (own.kind === 'attribute') return attribute(own)
    return [
      { name: 'variability', value: values.uniform() },
      ...targetsOf(own),
      ...(own.bindMaterialAs === undefined ? [] : [token('bindMaterialAs', own.bindMaterialAs)]),
    ]
  }
  return { metadata, prim, property }
}
