import { z } from 'zod'

/** Words of JSON Schema that OpenAPI 3.0 does not have (3.0.3, 4.7.24). */
const UNKNOWN = ['$schema', '$id', 'const', 'examples', 'if', 'prefixItems', 'patternProperties', 'propertyNames']

const Reference = z.strictObject({ $ref: z.string().startsWith('#/components/') })
const Schema: z.ZodType = z
  .looseObject({
    type: z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object']).optional(),
    exclusiveMinimum: z.boolean().optional(),
    exclusiveMaximum: z.boolean().optional(),
    get items() {
      return Schema.optional()
    },
    get properties() {
      return z.record(z.string(), Schema).optional()
    },
    get oneOf() {
      return z.array(Schema).optional()
    },
  })
  .refine((schema) => schema.type !== 'array' || schema.items !== undefined, 'an array has items')
  .refine((schema) => UNKNOWN.every((word) => !(word in schema)), 'a word that OpenAPI 3.0 does not have')
const content = z.record(z.string().includes('/'), z.strictObject({ schema: Schema }))
const Parameter = z
  .strictObject({
    name: z.string().min(1),
    in: z.enum(['query', 'header', 'path', 'cookie']),
    required: z.boolean().optional(),
    description: z.string().optional(),
    style: z.string().optional(),
    explode: z.boolean().optional(),
    schema: Schema,
  })
  .refine((parameter) => parameter.in !== 'path' || parameter.required === true, 'a parameter of a path is required')
const Response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), z.strictObject({ schema: Schema })).optional(),
  content: content.optional(),
})
const Operation = z.strictObject({
  operationId: z.string().min(1),
  summary: z.string().min(1),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z.array(z.union([Reference, Parameter])).optional(),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z
    .record(z.string().regex(/^[1-5]\d\d$/), z.union([Reference, Response]))
    .refine((responses) => Object.keys(responses).some((status) => status.startsWith('2'))),
})
const method = Operation.optional()

/** A document of OpenAPI 3.0.3, as far as this interface uses it; nothing else may be in it. */
export const OpenApi30 = z.strictObject({
  openapi: z.string().regex(/^3\.0\.\d+$/),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  servers: z.array(z.strictObject({ url: z.url() })),
  paths: z.record(
    z.string().startsWith('/'),
    z.strictObject({ get: method, post: method, put: method, patch: method, delete: method }),
  ),
  components: z.strictObject({
    parameters: z.record(z.string(), Parameter),
    responses: z.record(z.string(), Response),
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.literal('http'), scheme: z.string() })),
  }),
})
