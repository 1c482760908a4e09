import { haveEqualBytes, utf8 } from '../bytes.ts'
import { readTextLayer, type TextPlaces } from '../text/read-text-layer.ts'
import type { Attribute, Prim } from '../usd/prim.ts'
import { boxAround, counted } from './extents.ts'
import { missingMetadata } from './metadata.ts'

/** A line to insert into a text. */
type Insertion = { at: number; text: string }

/**
 * Repairs a text layer by inserting lines: stage metadata of the root layer, extents of meshes that have none, and the
 * paths of files that are renamed. All else stays as it is written.
 * @param renamed the new path of each renamed file, as the layer names it.
 * @returns the layer, and a sentence for each repair.
 * @throws Error when the layer cannot be read.
 */
export function fixTextLayer(data: Uint8Array, isRoot: boolean, renamed: ReadonlyMap<string, string>) {
  let text = new TextDecoder().decode(data)
  if (!haveEqualBytes(utf8(text), data)) return { data, fixes: [] }
  const places: TextPlaces = { metadata: undefined, prims: new Map() }
  const { metadata, prims } = readTextLayer(data, places)
  const fixes: string[] = []
  const insertions: Insertion[] = []

  if (isRoot) {
    const given = (name: string) => metadata.find((one) => one.name === name)?.value.value
    const missing = missingMetadata(
      given,
      prims.map(({ name }) => name),
    ).filter(({ name }) => given(name) === undefined)
    fixes.push(...missing.map(({ sentence }) => sentence))
    const lines = missing.map(({ name, value }) => `\n    ${name} = ${JSON.stringify(value)}`).join('')
    if (lines !== '' && places.metadata !== undefined) insertions.push({ at: places.metadata, text: lines })
    else if (lines !== '') insertions.push({ at: endOfLine(text), text: `\n(${lines}\n)` })
  }
  let extents = 0
  for (const [prim, at] of places.prims) {
    const box = missingExtent(prim)
    if (!box) continue
    extents++
    const [from, to] = [box.slice(0, 3), box.slice(3)].map((point) => `(${point.join(', ')})`)
    insertions.push({ at, text: `\n    float3[] extent = [${from}, ${to}]` })
  }
  if (extents > 0) fixes.push(`The extent of ${counted(extents, 'mesh', 'meshes')} is computed from the points.`)
  for (const { at, text: line } of insertions.sort((a, b) => b.at - a.at)) {
    text = `${text.slice(0, at)}${line}${text.slice(at)}`
  }
  for (const [from, to] of renamed) text = text.replaceAll(`@${from}@`, () => `@${to}@`)
  return { data: utf8(text), fixes }
}

const endOfLine = (text: string): number => {
  const end = text.indexOf('\n')
  return end < 0 ? text.length : end
}

/** The box of a mesh without an extent; undefined for other prims. */
function missingExtent({ typeName, properties }: Prim): number[] | undefined {
  const attributes = properties.filter((property): property is Attribute => property.kind === 'attribute')
  if (typeName !== 'Mesh' || attributes.some(({ name }) => name === 'extent')) return undefined
  const points = attributes.find(({ name }) => name === 'points')
  const values = [points?.value, ...(points?.samples?.values ?? [])]
  return boxAround(values.flatMap((value) => (value?.type === 'float3[]' ? [value.value] : [])))
}
