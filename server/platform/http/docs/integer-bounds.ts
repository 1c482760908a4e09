type Operation = { parameters?: unknown; requestBody?: unknown; responses?: unknown }
type Described = { paths: unknown; components: { schemas: Record<string, unknown> } }

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g
const namedIn = (schema: unknown): string[] =>
  [...JSON.stringify(schema ?? null).matchAll(REFERENCE)].map(([, name]) => name!)

/** Leaves out the bounds of integers that a double can hold. */
const withoutBounds = <Schema>(schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema), (key, value) => {
    const isBound =
      (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
      (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
    return isBound ? undefined : value
  })

/**
 * Leaves the bounds that zod gives every integer out of responses, where they say nothing: a size would seem to be
 * negative at times. Requests beyond them are 400, so what a request contains keeps them.
 */
export function dropIntegerBounds<Document extends Described>(document: Document): Document {
  const paths = Object.values(document.paths as Record<string, Record<string, Operation>>)
  const operations = paths.flatMap((methods) => Object.values(methods))
  const { schemas } = document.components
  const sent = new Set<string>()
  const add = (names: string[]) => {
    for (const name of names.filter((name) => !sent.has(name))) {
      sent.add(name)
      add(namedIn(schemas[name]))
    }
  }
  for (const { parameters, requestBody } of operations) add(namedIn([parameters, requestBody]))
  for (const operation of operations) if (operation.responses) operation.responses = withoutBounds(operation.responses)
  for (const [name, schema] of Object.entries(schemas)) if (!sent.has(name)) schemas[name] = withoutBounds(schema)
  return document
}
