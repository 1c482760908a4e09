/** A JSON Schema 2020-12 of the document, with the keywords that requests use. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  format?: string
  pattern?: string
}
type Parameter = { name: string; in: string; required?: boolean; schema: Schema }
type Content = Record<string, { schema?: Schema }>
type Described = {
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
export type Description = {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

export type Operation = {
  /** As in the access table: `GET /api/zones`. */
  name: string
  method: string
  /** With its parameters in braces. */
  template: string
  query: Parameter[]
  body: Content
  responses: Record<string, { content?: Content }>
}

/** All operations of an OpenAPI document. */
export const operationsOf = ({ paths }: Description): Operation[] =>
  Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([name, { parameters = [], requestBody, responses }]) => ({
      name: `${name.toUpperCase()} ${template}`,
      method: name.toUpperCase(),
      template,
      query: parameters.filter(({ in: place }) => place === 'query'),
      body: requestBody?.content ?? {},
      responses,
    })),
  )

/** Resolves a reference to a schema. */
export const resolved = (schema: Schema, { components }: Description): Schema =>
  schema.$ref ? components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]! : schema
