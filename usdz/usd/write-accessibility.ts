import type { Settings } from '../options/options.ts'
import { attribute, type Prim } from './prim.ts'

/** Describes the default prim to assistive technologies. Source: OpenUSD 25.05, UsdUI AccessibilityAPI. */
export function withAccessibility(root: Prim, { label, description }: Pick<Settings, 'label' | 'description'>): Prim {
  const texts = Object.entries({ label, description }).filter(([, text]) => text !== undefined)
  if (texts.length === 0) return root
  return {
    ...root,
    apiSchemas: [...(root.apiSchemas ?? []), 'AccessibilityAPI:default'],
    properties: [
      ...root.properties,
      ...texts.map(([name, text]) => attribute(`accessibility:default:${name}`, 'string', text!)),
    ],
  }
}
