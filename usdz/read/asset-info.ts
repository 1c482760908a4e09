import { isObject } from './json.ts'
import type { Model } from './read-glb.ts'

const maxLength = 1000
const maxExtras = 50

/** What a model says about itself. */
type About = { generator?: string; copyright?: string; about: Record<string, string> }

/**
 * Returns the generator and copyright of a model, and the extras of its asset, where programs store author, licence,
 * title and source; values other than texts as JSON. Source: glTF 2.0 §5.10.
 */
export function assetInfoOf({ json }: Model): About {
  const asset = isObject(json.asset) ? json.asset : {}
  const [generator, copyright] = [textOf(asset.generator), textOf(asset.copyright)]
  const extras = isObject(asset.extras) ? Object.entries(asset.extras) : []
  const about = extras
    .map(([key, value]) => [textOf(key), textOf(value)] as const)
    .filter(([key, value]) => key !== '' && value !== '')
    .slice(0, maxExtras)
  return { ...(generator && { generator }), ...(copyright && { copyright }), about: Object.fromEntries(about) }
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
  return text.replaceAll('\0', '').slice(0, maxLength)
}
