import { typeCode } from '../../usd/crate/types.ts'
import { type Crate, type Rep, repOf } from './read-crate.ts'
import { countedItems } from './read-values.ts'

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

const stringAt = ({ view, strings, tokens }: Crate, at: number): string =>
  tokens[strings[view.getUint32(at, true)] ?? -1] ?? ''
