import type { Origin } from '../scene/origin.ts'
import type { Prim, Value } from './prim.ts'

/**
 * Returns the metadata that keeps an element's name, where its prim has another one, and its extras, as JSON. They are
 * in `customData`: readers before OpenUSD 22.11 refuse the `displayName` of a prim.
 */
export function originMetadata(primName: string, origin: Origin | undefined): Pick<Prim, 'metadata'> {
  const kept: Record<string, Value> = {
    ...(origin?.extras && { gltfExtras: { type: 'string', value: origin.extras } }),
    ...(origin?.name && origin.name !== primName && { gltfName: { type: 'string', value: origin.name } }),
  }
  if (Object.keys(kept).length === 0) return {}
  return { metadata: [{ name: 'customData', value: { type: 'dictionary', value: kept } }] }
}
