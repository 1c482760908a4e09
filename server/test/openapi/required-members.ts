import type { Description, Schema } from '../attack/operations.ts'

type Described = Schema & { prefixItems?: Schema[]; additionalProperties?: Schema | boolean }

/** For each optional member of a response, whether it was present and whether it was absent. */
export type Seen = Map<string, { present: number; absent: number }>

/** The optional members of responses, by schema. @param description an OpenAPI document @param seen is extended */
export function optionalMembers(description: Description, seen: Seen = new Map()) {
  /** @param value undefined to visit only the schema */
  function visit(schema: Described, value: unknown, path: string, above: readonly string[]): void {
    if (schema.$ref) {
      const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
      if (value === undefined && above.includes(name)) return
      visit(description.components.schemas[name]!, value, name, [...above, name])
      return
    }
    for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
      if (value === undefined || mayBe(one, value)) visit(one, value, path, above)
    for (const item of [schema.items ?? [], schema.prefixItems ?? []].flat())
      for (const each of itemsOf(value)) visit(item, each, `${path}[]`, above)
    const { properties = {}, required = [], additionalProperties } = schema
    if (value !== undefined && !isObject(value)) return
    for (const [name, member] of Object.entries(properties)) {
      const at = `${path}.${name}`
      const there = isObject(value) ? value[name] : undefined
      if (!required.includes(name)) note(at, value === undefined ? undefined : there !== undefined)
      if (value === undefined || there !== undefined) visit(member, there, at, above)
    }
    if (isObject(additionalProperties))
      for (const [name, each] of isObject(value) ? Object.entries(value) : [['', undefined] as const])
        if (!(name in properties)) visit(additionalProperties, each, `${path}{}`, above)
  }

  function note(at: string, isThere: boolean | undefined) {
    const counts = seen.get(at) ?? { present: 0, absent: 0 }
    seen.set(at, counts)
    if (isThere !== undefined) counts[isThere ? 'present' : 'absent']++
  }

  /** Whether a branch describes a value: an object with all required members. */
  function mayBe(schema: Described, value: unknown): boolean {
    if (schema.$ref) return mayBe(description.components.schemas[schema.$ref.split('/').at(-1)!]!, value)
    if (schema.properties) return isObject(value) && (schema.required ?? []).every((name) => name in value)
    return schema.items || schema.prefixItems ? Array.isArray(value) : !isObject(value) && !Array.isArray(value)
  }

  return {
    seen,
    /** Visits the schema of a response, and the response, if given. */
    of: (name: string, schema: Schema, answer?: unknown) => visit(schema, answer, name, []),
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const itemsOf = (value: unknown): unknown[] => (value === undefined ? [undefined] : Array.isArray(value) ? value : [])
