import type { Attribute, Metadatum, Value } from '../usd/prim.ts'
import type { Scanner } from './scanner.ts'
import { skipValue, stringList, typedValue } from './typed-values.ts'

/** The metadata in parentheses of a layer, a prim, a variant or a property. */
export type Fields = {
  metadata: Metadatum[]
  apiSchemas?: string[]
  /** The selected variant of each set. */
  selections?: Map<string, string>
  interpolation?: NonNullable<Attribute['interpolation']>
  elementSize?: number
  bindMaterialAs?: string
}

const interpolations = ['constant', 'uniform', 'vertex', 'faceVarying'] as const

/** Fields with a value of one type. */
const typed: Record<string, string> = {
  defaultPrim: 'token',
  upAxis: 'token',
  active: 'bool',
  displayName: 'string',
  metersPerUnit: 'double',
  timeCodesPerSecond: 'double',
  framesPerSecond: 'double',
  startTimeCode: 'double',
  endTimeCode: 'double',
  autoPlay: 'bool',
  playbackMode: 'token',
}
/** What adds to a prim or a layer from elsewhere, and the field that keeps it. Classes are prims of the layer itself. */
const arcs: Record<string, string> = {
  inherits: 'references',
  references: 'references',
  payload: 'payload',
  specializes: 'payload',
  subLayers: 'subLayers',
}

/** Reads metadata. Fields that no conversion needs are read over. */
export function readMetadata(scan: Scanner): Fields {
  const fields: Fields = { metadata: [] }
  const arcsFound = new Map<string, string[]>()
  const seen = new Set<string>()
  const add = (name: string, value: Value) => {
    if (!seen.has(name)) fields.metadata.push({ name, value })
    seen.add(name)
  }
  for (scan.need('('); !scan.takes(')'); scan.takes(',')) {
    // A string alone is a comment.
    if (scan.string() !== undefined) continue
    const operation = scan.match(/(?:prepend|append|add|delete|reorder)\b/y)
    const name = scan.word()
    scan.need('=')
    const arc = arcs[name]
    if (operation === 'delete' || operation === 'reorder') skipValue(scan)
    else if (arc !== undefined) {
      const found = readReferences(scan, name === 'subLayers')
      if (name === 'subLayers') add('subLayerOffsets', { type: 'token[]', value: found.times })
      // Classes are stronger than references.
      const known = arcsFound.get(arc) ?? []
      arcsFound.set(arc, name === 'inherits' ? [...found.list, ...known] : [...known, ...found.list])
    } else readField(scan, name, fields, add)
  }
  for (const [arc, list] of arcsFound) add(arc, { type: 'token[]', value: list })
  return fields
}

function readField(scan: Scanner, name: string, fields: Fields, add: (name: string, value: Value) => void): void {
  const type = typed[name]
  if (type !== undefined) {
    const value = typedValue(scan, type)
    if (value) add(name, value)
  } else if (name === 'apiSchemas') fields.apiSchemas = stringList(scan)
  else if (name === 'elementSize') fields.elementSize = scan.number() ?? scan.fail()
  else if (name === 'bindMaterialAs') fields.bindMaterialAs = scan.string() ?? scan.fail()
  else if (name === 'interpolation') {
    const given = scan.string() ?? scan.fail()
    // Varying values are at points, as those of vertices are.
    const found = interpolations.find((each) => each === (given === 'varying' ? 'vertex' : given))
    if (found) fields.interpolation = found
  } else if (name === 'variants' && scan.next() === '{') {
    const chosen = [...readDictionary(scan)].map(([set, value]): [string, string] => [set, String(value.value)])
    fields.selections = new Map(chosen)
  } else if ((name === 'customData' || name === 'customLayerData') && scan.next() === '{') {
    add(name, { type: 'dictionary', value: Object.fromEntries(readDictionary(scan)) })
  } else skipValue(scan)
}

/** How many dictionaries may be in each other. Deeper ones are read over. */
const maxNesting = 4

/** Reads the values of a dictionary that a crate file is written with. */
function readDictionary(scan: Scanner, depth = 1): Map<string, Value> {
  const entries = new Map<string, Value>()
  for (scan.need('{'); !scan.takes('}'); scan.takes(',')) {
    const typeName = scan.match(/[A-Za-z_]\w*(?:\[\])?/y) ?? scan.fail()
    const name = scan.string() ?? scan.word()
    scan.need('=')
    if (typeName === 'dictionary' && depth < maxNesting && scan.next() === '{') {
      entries.set(name, { type: 'dictionary', value: Object.fromEntries(readDictionary(scan, depth + 1)) })
    } else if (typeName === 'dictionary') skipValue(scan)
    else {
      const value = typedValue(scan, typeName)
      if (value) entries.set(name, value)
    }
  }
  return entries
}

/** Reads references as texts "@file@<path>offset scale", or the files of sublayers with their times "offset scale". */
function readReferences(scan: Scanner, isFileOnly: boolean): { list: string[]; times: string[] } {
  const times: string[] = []
  if (scan.match(/None\b/y)) return { list: [], times }
  const read = (): string => {
    const asset = scan.asset()
    const path = scan.path()
    if (asset === undefined && path === undefined) return scan.fail()
    const time = scan.next() === '(' ? readTime(scan) : '0 1'
    times.push(time)
    return isFileOnly ? (asset ?? '') : `@${asset ?? ''}@<${path ?? ''}>${time}`
  }
  if (!scan.takes('[')) return { list: [read()], times }
  const list: string[] = []
  for (; !scan.takes(']'); scan.takes(',')) list.push(read())
  return { list, times }
}

/** Reads the time of a layer: "(offset = 10; scale = 2)", with other fields beside it. */
function readTime(scan: Scanner): string {
  const time: Record<string, number> = { offset: 0, scale: 1 }
  for (scan.need('('); !scan.takes(')'); scan.takes(',')) {
    const name = scan.word()
    scan.need('=')
    if (name in time) time[name] = scan.number() ?? scan.fail()
    else skipValue(scan)
  }
  return `${time.offset} ${time.scale}`
}
