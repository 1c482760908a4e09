import type { Notes } from '../report.ts'
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
export function assetInfoOf({ json }: Model, notes: Notes): About {
  const asset = isObject(json.asset) ? json.asset : {}
  const [generator, copyright] = [
    textOf(asset.generator).slice(0, maxLength),
    textOf(asset.copyright).slice(0, maxLength),
  ]
  const extras = (isObject(asset.extras) ? Object.entries(asset.extras) : [])
    .map(([key, value]) => [textOf(key), textOf(value)] as const)
    .filter(([key, value]) => key !== '' && value !== '')
  const about = extras.filter(([key, text]) => key.length <= maxLength && text.length <= maxLength).slice(0, maxExtras)
  const left = extras.length - about.length
  if (left > 0)
    notes.leftOut(
      'extras',
      `Extras of the asset beyond ${maxExtras}, and those of more than ${maxLength} characters, are left out.`,
      left,
    )
  return { ...(generator && { generator }), ...(copyright && { copyright }), about: Object.fromEntries(about) }
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
  return text.replaceAll('\0', '')
}
