import { z } from 'zod'
import { fileAddress } from '../schema.ts'

/**
 * Describes a field of a record, under its name in the API. Validation, types, select lists, writes, JSON and OGC properties
 * derive from it.
 */
export type Field = {
  /** The field in a response. */
  schema: z.ZodType
  /** The field in a request that creates the record; null: not accepted. */
  create: z.ZodType | null
  /** The field in a request that changes the record; null: not accepted. */
  change: z.ZodType | null
  /**
   * SQL that reads the field, to follow the table's alias where a statement has one. By default, its column is its name in
   * snake case. `insertedValues` and `assignments` omit a field with `sql`: the module's store writes it.
   */
  sql?: string
}
export type Fields = Record<string, Field>

/** A field of a record that is also an OGC feature. */
export type LayerField = Field & {
  /** Title and JSON Schema keywords of its OGC property; null: it is not an OGC property. */
  ogc: OgcKeywords | null
}
export type LayerFields = Record<string, LayerField>

export type OgcKeywords = {
  title: string
  description?: string
  minimum?: number
  maximum?: number
  'x-ogc-role'?: 'id' | 'primary-instant' | 'reference'
  /** The layer whose features the property refers to. */
  'x-ogc-collectionId'?: string
  'x-ogc-unit'?: string
}

type Use = 'schema' | 'create' | 'change'

/** The zod shape of a response (`schema`), of a creation or of a change. */
export function shapeOf<Described extends Fields, For extends Use>(fields: Described, use: For) {
  const used = Object.entries(fields).flatMap(([name, field]) => (field[use] ? [[name, field[use]]] : []))
  return Object.fromEntries(used) as {
    [Name in keyof Described as Described[Name][For] extends z.ZodType ? Name : never]: Extract<
      Described[Name][For],
      z.ZodType
    >
  }
}

/** The same shape in the order of another one; fields that the other one does not have come last. */
export function inOrderOf<Shape extends Record<string, z.ZodType>>(
  order: Record<string, unknown>,
  shape: Shape,
): Shape {
  const places = Object.keys(order)
  const place = (name: string) => (places.includes(name) ? places.indexOf(name) : places.length)
  return Object.fromEntries(Object.entries(shape).sort(([a], [b]) => place(a) - place(b))) as Shape
}

/** A field that only the service writes. */
export const readOnly = { create: null, change: null } as const
/** A field that may be omitted, or cleared with null. */
export const optional = <Schema extends z.ZodType>(schema: Schema) => ({
  create: schema.nullish(),
  change: schema.nullish(),
})

/** The names of the fields that a change may have. */
export type ChangedName<Described extends Fields> = {
  [Name in keyof Described]: Described[Name]['change'] extends z.ZodType ? Name : never
}[keyof Described]

export type Kind = 'integer' | 'number' | 'boolean' | 'text' | 'timestamp' | 'json' | 'texts'

/** How a field is stored. @throws for a schema that no column type is known for */
export function kindOf(name: string, { schema }: Pick<Field, 'schema'>): Kind {
  const inner = unwrapped(schema)
  if (z.globalRegistry.get(inner)?.format === 'date-time') return 'timestamp'
  if (inner instanceof z.ZodNumber) return inner.format?.includes('int') ? 'integer' : 'number'
  if (inner instanceof z.ZodBoolean) return 'boolean'
  if (inner instanceof z.ZodString || inner instanceof z.ZodEnum || inner instanceof z.ZodStringFormat) return 'text'
  if (inner instanceof z.ZodArray) return inner.element instanceof z.ZodString ? 'texts' : 'json'
  if (inner instanceof z.ZodObject) return 'json'
  throw new Error(`the field ${name} has a schema that no column type is known for: add it to kindOf`)
}

/** The values of an enumeration; undefined for any other schema. */
export function optionsOf({ schema }: Field): string[] | undefined {
  const inner = unwrapped(schema)
  return inner instanceof z.ZodEnum ? inner.options.map(String) : undefined
}

/** Whether the field holds addresses of files, which are stored without the public address of the service. */
export function isFileAddress({ create, change }: Field): boolean {
  const written = change ?? create
  if (!written) return false
  const inner = unwrapped(written)
  return inner === fileAddress || (inner instanceof z.ZodArray && inner.element === fileAddress)
}

/** The schema without what makes it optional. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return unwrapped(schema.unwrap() as z.ZodType)
  return schema
}
