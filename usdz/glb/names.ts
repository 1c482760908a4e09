import { dictionaryOf } from '../check/reader/read-composition.ts'
import { textOf } from '../check/reader/read-values.ts'
import type { UsdPrim, Values } from '../stage/usd-prim.ts'

/** The name of a prim: the one it had in a GLB, the one that programs display, or its own. */
export function nameOf(values: Values, prim: UsdPrim): string {
  const { crate } = values
  const given = textOf(crate, dictionaryOf(crate, values.metadata(prim, 'customData')).get('gltfName'))
  return given ?? textOf(crate, values.metadata(prim, 'displayName')) ?? prim.name
}

/** The extras that a prim had in a GLB. */
export function extrasOf(values: Values, prim: UsdPrim): Record<string, unknown> {
  const { crate } = values
  const text = textOf(crate, dictionaryOf(crate, values.metadata(prim, 'customData')).get('gltfExtras'))
  if (text === undefined) return {}
  try {
    const extras: unknown = JSON.parse(text)
    return typeof extras === 'object' && extras !== null && !Array.isArray(extras) ? { ...extras } : {}
  } catch {
    return {}
  }
}
