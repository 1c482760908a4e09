import { isObject } from './json.ts'
import type { Model } from './read-glb.ts'

const maxLength = 1000

/** Returns the generator and copyright of a model. Source: glTF 2.0 §5.10. */
export function assetInfoOf({ json }: Model): { generator?: string; copyright?: string } {
  const asset = isObject(json.asset) ? json.asset : {}
  const text = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '').slice(0, maxLength) : '')
  const [generator, copyright] = [text(asset.generator), text(asset.copyright)]
  return { ...(generator && { generator }), ...(copyright && { copyright }) }
}
