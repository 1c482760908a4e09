import { z } from 'zod'
import { unwrapped } from '../../../platform/records/fields.ts'
import { type Property, properties } from '../query/properties.ts'
import type { CollectionId } from '../schema.ts'

/** The kinds of writes of a feature: an update has only what changes. */
export type WriteKind = 'create' | 'replace' | 'update'

/** Properties that a feature must have. */
export const REQUIRED: Record<CollectionId, string[]> = {
  pins: ['title', 'contentType'],
  gcps: ['title', 'gcpType'],
  zones: ['title'],
}

const WORDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'maxItems', 'format'] as const
type Limits = Partial<Record<(typeof WORDS)[number], unknown>>

/** The limits of what a property may be set to, in the words of JSON Schema. */
function limitsOf(schema: z.ZodType): Limits {
  const said = z.toJSONSchema(unwrapped(schema), { io: 'input', unrepresentable: 'any' })
  const words = WORDS.filter((word) => said[word] !== undefined && said[word] !== Number.MAX_SAFE_INTEGER)
  return Object.fromEntries(words.map((word) => [word, said[word]]))
}

/** The names of the properties that a write may set. */
export const receivableNames = (collection: CollectionId, kind: WriteKind): string[] =>
  Object.entries(properties[collection]).flatMap(([name, { receives }]) =>
    receives?.[kind === 'create' ? 'create' : 'change'] ? [name] : [],
  )

/** A property with the limits that a request must keep; `readOnly` if no request sets it. */
export function receivable(
  collection: CollectionId,
  name: string,
): Omit<Property, keyof Limits> & Limits & { readOnly?: true } {
  const { property, receives } = properties[collection][name]!
  const schema = receives?.change ?? receives?.create
  return schema ? { ...property, ...limitsOf(schema) } : { ...property, readOnly: true }
}
