import { type UsdPrim, values } from '../stage/usd-prim.ts'

/** The name of a prim: the one it had in a GLB, the one that programs display, or its own. */
export const nameOf = (prim: UsdPrim): string =>
  values.metadata(prim, 'customData', 'gltfName') ?? values.metadata(prim, 'displayName') ?? prim.name

/** The extras that a prim had in a GLB. */
export function extrasOf(prim: UsdPrim): Record<string, unknown> {
  const text = values.metadata(prim, 'customData', 'gltfExtras')
  if (text === undefined) return {}
  try {
    const extras: unknown = JSON.parse(text)
    return typeof extras === 'object' && extras !== null && !Array.isArray(extras) ? { ...extras } : {}
  } catch {
    return {}
  }
}
