import { malformed, tooLarge } from '../errors.ts'
import type { Attribute, Layer, Prim, Relationship, Variant, VariantSet } from '../usd/prim.ts'
import { type Fields, readMetadata } from './metadata.ts'
import { resolveTargets } from './resolve-targets.ts'
import { type Scanner, scanner } from './scanner.ts'
import { skipValue, typedValue } from './typed-values.ts'

/** The largest text layer: its numbers take several times the memory. */
const maxBytes = 100_000_000
const maxDepth = 500

/** Places in the text of a layer. */
export type TextPlaces = {
  /** Behind the bracket that begins the metadata; undefined without one. */
  metadata: number | undefined
  /** Behind the brace that begins each prim, except those in variants. */
  prims: Map<Prim, number>
}

/**
 * Reads a text layer (.usda): prims, variants, attributes with their samples, relationships, and the metadata that a
 * conversion needs. Values of other types are read over. Source: "USDA file format specification" of OpenUSD.
 * @param places is given the places of what is read.
 * @throws ConversionError naming the line that cannot be read.
 */
export function readTextLayer(bytes: Uint8Array, places?: TextPlaces): Layer {
  if (bytes.length > maxBytes) throw tooLarge(`The text layer has ${bytes.length} bytes; at most ${maxBytes} are read.`)
  const scan = scanner(new TextDecoder().decode(bytes))
  const hasMetadata = scan.next() === '('
  if (places && hasMetadata) places.metadata = scan.offset() + 1
  const { metadata } = hasMetadata ? readMetadata(scan) : { metadata: [] }
  const prims: Prim[] = []
  for (;;) {
    const prim = readPrim(scan, 1, places)
    if (prim === undefined) break
    prims.push(prim)
  }
  if (scan.next() !== '') scan.fail()
  const layer = { metadata, prims }
  return { ...layer, otherPaths: resolveTargets(layer) }
}

type Body = {
  properties: Map<string, Attribute | Relationship>
  children: Prim[]
  variantSets: VariantSet[]
}

/** @returns undefined when no prim follows. A class is an over: alone, it draws nothing. */
function readPrim(scan: Scanner, depth: number, places?: TextPlaces): Prim | undefined {
  const specifier = scan.match(/(?:def|over|class)\b/y)
  if (!specifier) return undefined
  if (depth > maxDepth) throw tooLarge(`The text layer has prims more than ${maxDepth} deep.`)
  const typeName = scan.match(/[A-Za-z_]\w*/y) ?? ''
  const name = scan.string() ?? scan.fail()
  const fields: Fields = scan.next() === '(' ? readMetadata(scan) : { metadata: [] }
  scan.need('{')
  const start = scan.offset()
  const body = readBody(scan, fields, depth, places)
  const prim: Prim = {
    name,
    typeName,
    specifier: specifier === 'def' ? 'def' : 'over',
    ...(fields.apiSchemas && { apiSchemas: fields.apiSchemas }),
    ...(fields.metadata.length > 0 && { metadata: fields.metadata }),
    ...contentsOf(body, fields),
  }
  places?.prims.set(prim, start)
  return prim
}

function contentsOf({ properties, children, variantSets }: Body, fields: Fields) {
  const selections = [...(fields.selections ?? [])].filter(([set]) => !variantSets.some(({ name }) => name === set))
  return {
    properties: [...properties.values()],
    children,
    ...(variantSets.length > 0 && { variantSets }),
    ...(selections.length > 0 && { selections }),
  }
}

/** Reads what is in a prim or a variant, up to its closing brace. */
function readBody(scan: Scanner, fields: Fields, depth: number, places?: TextPlaces): Body {
  const body: Body = { properties: new Map(), children: [], variantSets: [] }
  while (!scan.takes('}')) {
    const prim = readPrim(scan, depth + 1, places)
    if (prim) body.children.push(prim)
    else if (scan.match(/variantSet\b/y)) body.variantSets.push(readVariantSet(scan, fields, depth + 1))
    else if (scan.match(/reorder\b/y)) {
      scan.word()
      scan.need('=')
      skipValue(scan)
    } else readProperty(scan, body)
  }
  const names = new Set(body.children.map(({ name }) => name))
  if (names.size < body.children.length) throw malformed('The text layer has two prims of one name in one place.')
  return body
}

function readVariantSet(scan: Scanner, fields: Fields, depth: number): VariantSet {
  if (depth > maxDepth) throw tooLarge(`The text layer has prims more than ${maxDepth} deep.`)
  const name = scan.string() ?? scan.fail()
  const variants: Variant[] = []
  scan.need('=')
  for (scan.need('{'); !scan.takes('}'); ) {
    const variant = scan.string() ?? scan.fail()
    const own: Fields = scan.next() === '(' ? readMetadata(scan) : { metadata: [] }
    scan.need('{')
    const metadata = own.metadata.length > 0 && { metadata: own.metadata }
    variants.push({ name: variant, ...metadata, ...contentsOf(readBody(scan, own, depth), own) })
  }
  return { name, selected: fields.selections?.get(name) ?? '', variants }
}

function readProperty(scan: Scanner, { properties }: Body): void {
  const operation = scan.match(/(?:prepend|append|add|delete|reorder)\b/y)
  let isUniform = false
  for (;;) {
    const word = scan.match(/(?:custom|uniform|varying|config)\b(?!\s*=)/y)
    if (word === undefined) break
    isUniform ||= word === 'uniform'
  }
  const typeName = scan.match(/[A-Za-z_]\w*(?:\[\])?/y) ?? scan.fail()
  const name = scan.word()
  if (typeName === 'rel') {
    readRelationship(scan, name, operation, properties)
    return
  }
  const field = scan.match(/\.(?:timeSamples|connect)\b/y)
  const known = properties.get(name)
  const attribute: Attribute = known?.kind === 'attribute' ? known : { kind: 'attribute', name, typeName }
  properties.set(name, attribute)
  if (isUniform) attribute.uniform = true
  if (scan.takes('=')) {
    if (field === '.connect') {
      const [connection] = readPaths(scan)
      if (operation === undefined) attribute.connection = connection ?? null
      else if (connection !== undefined && !isRemoval(operation)) attribute.connection = connection
    } else if (field === '.timeSamples') {
      attribute.samples = readSamples(scan, typeName)
      // Samples count without a value.
      if (attribute.value?.type === 'block') delete attribute.value
    } else if (scan.match(/None\b/y)) {
      if (!attribute.samples) attribute.value = { type: 'block', value: undefined }
    } else {
      const value = typedValue(scan, typeName)
      if (value) attribute.value = value
    }
  }
  if (scan.next() !== '(') return
  const { interpolation, elementSize } = readMetadata(scan)
  if (interpolation) attribute.interpolation = interpolation
  if (elementSize !== undefined) attribute.elementSize = elementSize
}

const isRemoval = (operation: string | undefined) => operation === 'delete' || operation === 'reorder'

/** Reads a statement about a relationship: what is added and deleted are edits of the targets that weaker layers have. */
function readRelationship(
  scan: Scanner,
  name: string,
  operation: string | undefined,
  properties: Body['properties'],
): void {
  const given = scan.takes('=') ? readPaths(scan) : undefined
  const { bindMaterialAs }: Fields = scan.next() === '(' ? readMetadata(scan) : { metadata: [] }
  const known = properties.get(name)
  const relationship: Relationship =
    known?.kind === 'relationship' ? known : { kind: 'relationship', name, targets: [], edits: { deleted: [] } }
  properties.set(name, relationship)
  if (bindMaterialAs !== undefined) relationship.bindMaterialAs = bindMaterialAs
  if (!given || operation === 'reorder') return
  if (operation === undefined) {
    relationship.targets = given
    delete relationship.edits
  } else if (operation !== 'delete') relationship.targets = [...relationship.targets, ...given]
  else if (relationship.edits) relationship.edits.deleted = given
}

function readSamples(scan: Scanner, typeName: string): NonNullable<Attribute['samples']> {
  const samples = new Map<number, NonNullable<Attribute['value']>>()
  for (scan.need('{'); !scan.takes('}'); scan.takes(',')) {
    const time = scan.number() ?? scan.fail()
    scan.need(':')
    const value = typedValue(scan, typeName)
    if (value) samples.set(time, value)
  }
  const times = [...samples.keys()].sort((a, b) => a - b)
  return { times, values: times.map((time) => samples.get(time)!) }
}

function readPaths(scan: Scanner): string[] {
  const one = scan.path()
  if (one !== undefined) return [one]
  if (scan.match(/None\b/y)) return []
  const paths: string[] = []
  for (scan.need('['); !scan.takes(']'); scan.takes(',')) paths.push(scan.path() ?? scan.fail())
  return paths
}
