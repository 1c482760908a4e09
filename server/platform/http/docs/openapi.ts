import { STATUS_CODES } from 'node:http'
import swagger from '@fastify/swagger'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { release } from '../../process/release.ts'
import { ErrorBody } from '../../schema.ts'
import { formatBytes, MAX_BODY_BYTES, MAX_BODY_LEVELS } from '../bodies/body-limits.ts'
import { acceptsIdempotencyKey } from '../idempotency/idempotency.ts'
import { needsDiskSpace } from '../limits/database-reserve.ts'
import { dropIntegerBounds } from './integer-bounds.ts'
import { tags } from './tags.ts'

/** The credential that an operation needs: the `security` of a route's schema. */
export const needs: Record<
  'appKey' | 'user' | 'optionalUser' | 'optionalCaller' | 'identity',
  Record<string, string[]>[]
> = {
  appKey: [{ appKey: [] }, { session: [], appId: [] }],
  user: [{ session: [] }],
  optionalUser: [{}, { session: [] }],
  optionalCaller: [{}, { session: [] }, { appKey: [] }],
  identity: [{ identity: [] }, { session: [] }],
}

/** A response in several content types; it is sent as text or as a stream of text. */
export const inForms = (description: string, forms: Record<string, z.ZodType>) =>
  ({
    description,
    content: Object.fromEntries(Object.entries(forms).map(([type, schema]) => [type, { schema }])),
  }) as never

const zodToJsonConfig: Parameters<typeof createJsonSchemaTransform>[0]['zodToJsonConfig'] = {
  override: ({ zodSchema, jsonSchema }) => {
    const { def } = zodSchema._zod
    // Zod omits the default of a value parsed from text, and keeps the text's pattern for numbers and booleans.
    if (def.type === 'default')
      jsonSchema.default = jsonSchema.type === 'string' ? String(def.defaultValue) : (def.defaultValue as never)
    else if (def.type === 'optional') {
      const usual = z.globalRegistry.get(zodSchema)?.default
      if (usual !== undefined) jsonSchema.default = usual as never
    }
    if (jsonSchema.type === 'integer' || jsonSchema.type === 'number') delete jsonSchema.pattern
    if (jsonSchema.type === 'boolean') delete jsonSchema.enum
    // Records may get members later; generated clients must not refuse them.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  },
}
const jsonSchemaTransform = createJsonSchemaTransform({ zodToJsonConfig })
const jsonSchemaTransformObject = createJsonSchemaTransformObject({ zodToJsonConfig })

type Operation = {
  description?: string
  security?: unknown
  params?: unknown
  querystring?: unknown
  body?: unknown
  consumes?: unknown
  response?: object
}

/** Collects the OpenAPI 3.1 document from the routes' schemas. Register it before the routes. */
export async function describeApi(app: FastifyInstance) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Cairn',
        version: '1.0.0',
        description: `Games and content in real places: apps, players and rankings; files in AR formats; ground control points, zones and pins.\n\nTimes are ISO 8601 in UTC. A JSON body can have up to ${formatBytes(MAX_BODY_BYTES)}, unless its operation says otherwise, and ${MAX_BODY_LEVELS} levels.\n\nErrors have the body \`{"error": …}\`: a sentence or, for a malformed request, a list of \`{code, message, path}\`. A path with an unknown ID returns 404; an unknown \`fileId\` or \`uploadedFileIds\` in a query or a body returns 400. A body of another media type than those of the operation returns 415.\n\nLists without \`page\` return up to 10,000 rows, or \`limit\`. \`Link\` (rel="next") has the next page. \`X-Total-Count\` has the number of rows; it counts up to 10,000 for filtered lists, apps, jobs and everyone's files.\n\n\`RateLimit\` in every response says how many requests are left. Over the quota, the response is 429 with \`Retry-After\`. While the database or the file storage is unavailable, operations that need it return 503 with \`Retry-After\`.`,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        // Changes with every release; `version` is that of the interface.
        ...({ 'x-service-version': await release() } as object),
      },
      tags,
      components: {
        securitySchemes: {
          appKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-app-api-key',
            description: 'The API key of an app: a server key, or a client key where the operation says so',
          },
          appId: {
            type: 'apiKey',
            in: 'header',
            name: 'x-app-id',
            description: 'The ID of an app, beside the session token of a member, instead of an app key',
          },
          session: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'A session token of this service',
          },
          personalToken: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A personal token of a user, instead of a session token. A token with the scope `read` gets 403 for any method but GET. HTTP Basic with the token as the password works, too',
          },
          identity: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'A token of an identity provider',
          },
        },
      },
    },
    transform: (document) =>
      jsonSchemaTransform({
        ...document,
        schema: withBound(
          withKey(
            withPersonalToken(
              withKeyKind(withErrors(document.schema as Operation, document.route), document.route),
              document.route,
            ),
            document.route,
          ),
          document.route,
        ),
      } as never),
    transformObject: (document) =>
      nameAnswers(
        letBodiesBeAbsent(dropIntegerBounds(dropUnused(jsonSchemaTransformObject(document) as never))),
      ) as never,
  })
}

/**
 * Adds error responses: 429, 500 and 503 to every operation, 400 to those with input (including any method with a
 * body), 401 to those with a credential, 507 to those that create rows or files.
 */
function withErrors(schema: Operation | undefined, { method, config }: Route): Operation {
  const { security, params, querystring, body, response } = schema ?? {}
  const takesBody = [method].flat().some((one) => one !== 'GET' && one !== 'HEAD')
  const errors = {
    ...(params || querystring || body ? { 400: ErrorBody } : {}),
    ...(takesBody ? { 400: ErrorBody, 408: ErrorBody, 413: ErrorBody, 415: ErrorBody } : {}),
    ...(security ? { 401: ErrorBody } : {}),
    429: ErrorBody,
    500: ErrorBody,
    503: ErrorBody,
    ...(needsDiskSpace(method, config) ? { 507: ErrorBody } : {}),
  }
  return { ...schema, response: { ...errors, ...response } }
}

/** Says of an operation with an app key whether a client key will do. */
function withKeyKind(schema: Operation, { config }: Route): Operation {
  const takesKey = JSON.stringify(schema.security ?? []).includes('"appKey"')
  if (!takesKey) return schema
  const use = config?.clientKey
  const sentence =
    use === true
      ? 'Client keys are accepted.'
      : use === 'besideSession'
        ? 'A client key is accepted together with a session.'
        : use === 'player'
          ? 'Besides the key, requires the token of the player in `Authorization: Bearer`.'
          : use
            ? 'With a client key, also send the token of this player in `Authorization: Bearer`; otherwise the response is 403.'
            : 'A client key returns 403.'
  return {
    ...schema,
    description: schema.description ? `${schema.description} ${sentence}` : sentence,
    response: use === true ? schema.response! : { 403: ErrorBody, ...schema.response },
  }
}

/** Adds the personal token to an operation that takes it where a session would do. */
function withPersonalToken(schema: Operation, { config }: Route): Operation {
  if (!config?.personalToken || !Array.isArray(schema.security)) return schema
  const security = (schema.security as Record<string, string[]>[]).flatMap((one) =>
    Object.keys(one).join() === 'session' ? [one, { personalToken: [] }] : [one],
  )
  return {
    ...schema,
    security,
    ...(security.length > schema.security.length && { response: { 403: ErrorBody, ...schema.response } }),
  }
}

const IdempotencyKey = z.object({
  'idempotency-key': z
    .string()
    .max(255)
    .optional()
    .describe('Makes the request safe to retry: a repeat within 24 hours gets the first response'),
})

function withKey(schema: Operation, { method, config }: Route): Operation & { headers?: unknown } {
  if (!acceptsIdempotencyKey(method, config)) return schema
  return { ...schema, headers: IdempotencyKey, response: { 409: ErrorBody, ...schema.response } }
}

/** Documents a body limit other than the default. */
function withBound(schema: Operation, { bodyLimit, config }: Route): Operation {
  if (bodyLimit === undefined || bodyLimit === MAX_BODY_BYTES) return schema
  const characters = config?.charactersOutsideStrings
  const outside = characters === undefined ? '' : ` At most ${formatBytes(characters)} of it may be outside strings.`
  const bound = `The body can have up to ${formatBytes(bodyLimit)}.${outside}`
  return { ...schema, description: schema.description ? `${schema.description} ${bound}` : bound }
}

type Route = { method: string | string[]; config?: FastifyContextConfig; bodyLimit?: number }

/** Describes responses without a description by their status. */
function nameAnswers(document: Document): Document {
  const paths = JSON.stringify(document.paths).replace(
    /"(\d{3})":\{"description":"Default Response"/g,
    (_all, status: string) => `"${status}":{"description":"${STATUS_CODES[status]}"`,
  )
  return { ...document, paths: JSON.parse(paths) }
}

/** A body that can be null can be omitted, for which OpenAPI uses `required`. */
function letBodiesBeAbsent(document: Document): Document {
  const paths = JSON.parse(JSON.stringify(document.paths)) as Record<string, Record<string, Described>>
  for (const { requestBody } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const content = requestBody?.content['application/json']
    const kinds = content?.schema.anyOf
    const [kind] = kinds?.filter(({ type }) => type !== 'null') ?? []
    if (!requestBody || !content || kinds?.length !== 2 || !kinds.some(({ type }) => type === 'null')) continue
    requestBody.required = false
    content.schema = kind!
  }
  return { ...document, paths }
}

type JsonSchema = { type?: string; anyOf?: JsonSchema[] }
type Described = { requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema } | undefined> } }
type Document = { paths: unknown; components: { schemas: Record<string, unknown> } }

/**
 * The transform also creates input variants of named schemas; removes unreferenced ones. The rest is sorted by name, so that
 * the load order of modules does not matter.
 */
function dropUnused(document: Document): Document {
  const { schemas } = document.components
  const used = new Set<string>()
  const visit = (part: unknown) => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name!) || !schemas[name!]) continue
      used.add(name!)
      visit(schemas[name!])
    }
  }
  visit(document.paths)
  const kept = Object.entries(schemas).filter(([name]) => used.has(name))
  kept.sort(([one], [other]) => (one < other ? -1 : 1))
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(kept) } }
}
