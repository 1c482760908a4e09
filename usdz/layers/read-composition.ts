import { typeCode } from '../usd/crate/types.ts'
import { type Crate, type Rep, repOf } from './read-crate.ts'
import { appliedLists, countedItems, tokensOf } from './read-values.ts'
import type { Stage } from './stage.ts'

/** Reads the selected variant of each variant set. Source: OpenUSD crateFile.cpp, the reading of VariantSelectionMap. */
export function variantSelectionsOf(crate: Crate, rep: Rep | undefined): Map<string, string> {
  if (rep?.code !== typeCode.variantSelectionMap) return new Map()
  const count = countedItems(crate, rep.payload, 8)
  const text = (at: number) => stringAt(crate, rep.payload + 8 + at * 4)
  return new Map(Array.from({ length: count }, (_, i) => [text(i * 2), text(i * 2 + 1)]))
}

/** Reads the entries of a dictionary. Source: OpenUSD crateFile.cpp, the reading of VtDictionary. */
export function dictionaryOf(crate: Crate, rep: Rep | undefined): Map<string, Rep> {
  const entries = new Map<string, Rep>()
  if (rep?.code !== typeCode.dictionary) return entries
  const { view } = crate
  const count = countedItems(crate, rep.payload, 20)
  let at = rep.payload + 8
  for (let i = 0; i < count; i++) {
    // A key, then the distance to the value, which follows its nested values.
    const valueAt = at + 4 + Number(view.getBigInt64(at + 4, true))
    entries.set(stringAt(crate, at), repOf(view.getUint32(valueAt, true), view.getUint32(valueAt + 4, true)))
    at = valueAt + 8
  }
  return entries
}

/** The value in a field, or in dictionaries in it. @param keys from the outer dictionary to the inner ones. */
export const valueIn = (crate: Crate, field: Rep | undefined, keys: readonly string[]): Rep | undefined =>
  keys.reduce((rep, key) => dictionaryOf(crate, rep).get(key), field)

const stringAt = ({ view, strings, tokens }: Crate, at: number): string =>
  tokens[strings[view.getUint32(at, true)] ?? -1] ?? ''

/** How the time codes of a layer become those of the layer that brings it in: `offset + scale * time`. */
export type LayerTime = { offset: number; scale: number }

/** Reads the time of each sublayer, which text layers keep as texts "offset scale". */
export function subLayerTimesOf(crate: Crate, rep: Rep | undefined): LayerTime[] {
  if (rep?.code !== typeCode.layerOffsetVector) return tokensOf(crate, rep).map(timeOfText)
  const count = countedItems(crate, rep.payload, 16)
  return Array.from({ length: count }, (_, at) => timeAt(crate, rep.payload + 8 + at * 16))
}

const timeAt = ({ view }: Crate, at: number): LayerTime => ({
  offset: view.getFloat64(at, true),
  scale: view.getFloat64(at + 8, true),
})

function timeOfText(text: string): LayerTime {
  const [offset = '0', scale = '1'] = text.split(' ')
  return { offset: Number(offset), scale: Number(scale) }
}

/** A reference or payload: a file, or '' for the layer itself; a prim, or '' for its default prim. */
export type Reference = { asset: string; path: string; time: LayerTime }

/**
 * Reads references and payloads, which text layers keep as texts "@file@<path>offset scale". Source: OpenUSD
 * crateFile.cpp, the reading of SdfReference, SdfPayload and their list operations.
 */
export function referencesOf(crate: Crate, rep: Rep | undefined): Reference[] {
  if (!rep) return []
  if (rep.code === typeCode.token) return tokensOf(crate, rep).map(referenceOfText)
  const { view } = crate
  const isPayload = rep.code === typeCode.payload || rep.code === typeCode.payloadListOp
  const isTimed = !isPayload || crate.version[1]! >= 8
  let at = rep.payload
  const read = (): Reference => {
    const asset = stringAt(crate, at)
    const path = crate.paths.text(view.getUint32(at + 4, true))
    const time = isTimed ? timeAt(crate, at + 8) : { offset: 0, scale: 1 }
    at += isTimed ? 24 : 8
    if (!isPayload) at = dictionaryEnd(crate, at)
    return { asset, path: path === '/' ? '' : path, time }
  }
  if (rep.code === typeCode.payload) return [read()]
  if (rep.code !== typeCode.referenceListOp && rep.code !== typeCode.payloadListOp) return []
  const lists = [...(view.getUint8(at) & appliedLists).toString(2)].filter((bit) => bit === '1').length
  at += 1
  return Array.from({ length: lists }, () => {
    const count = countedItems(crate, at, isTimed ? 24 : 8)
    at += 8
    return Array.from({ length: count }, read)
  }).flat()
}

function referenceOfText(text: string): Reference {
  const [, asset = '', path = '', time = ''] = /^@(.*)@<([^<]*)>([^>]*)$/s.exec(text) ?? []
  return { asset, path, time: timeOfText(time || '0 1') }
}

/** The end of a dictionary that begins at an offset. */
function dictionaryEnd({ view, budget }: Crate, start: number): number {
  const count = Number(view.getBigUint64(start, true))
  let at = start + 8
  for (let i = 0; i < count; i++) {
    budget.spend(1)
    at = at + 4 + Number(view.getBigInt64(at + 4, true)) + 8
  }
  return at
}

/** The layers that a prim brings in, besides its own. */
export const layersOfPrim = (crate: Crate, fields: ReadonlyMap<string, Rep>): string[] =>
  ['references', 'payload']
    .flatMap((field) => referencesOf(crate, fields.get(field)).map(({ asset }) => asset))
    .filter((asset) => asset !== '')

/** The paths of all layers that a layer brings in. */
export const layerPathsOf = ({ crate, metadata, prims }: Stage): string[] => [
  ...tokensOf(crate, metadata.get('subLayers')),
  ...prims.flatMap(({ fields }) => layersOfPrim(crate, fields)),
]
