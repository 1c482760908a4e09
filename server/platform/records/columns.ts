import { type RawBuilder, sql } from 'kysely'
import { type Fields, isFileAddress, type Kind, kindOf } from './fields.ts'

type Sql = RawBuilder<unknown>

/** SQL that reads a field. @param alias the table's alias in the statement */
export function columnOf(fields: Fields, name: string, alias?: string): string {
  const column = fields[name]!.sql ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return alias ? `${alias}.${column}` : column
}

/** `title, geo_pose as "geoPose", …`: the record as the API names its fields. */
export const selectText = (fields: Fields, alias?: string): string =>
  Object.keys(fields)
    .map((name) => `${columnOf(fields, name, alias)} as "${name}"`)
    .join(', ')

/** The same as a part of a built statement. */
export const selectList = (fields: Fields, alias?: string): Sql => sql.raw(selectText(fields, alias))

/**
 * The same for `row_to_json`, which then writes the record as a response has it: times in ISO 8601, addresses of own
 * files in full.
 */
export function jsonList(fields: Fields, alias: string, publicUrl: string): Sql {
  const shown = Object.entries(fields).map(([name, field]) => {
    const column = sql.raw(columnOf(fields, name, alias))
    return sql`${jsonValue(kindOf(name, field), column, isFileAddress(field) ? publicUrl : undefined)} as ${sql.ref(name)}`
  })
  return sql.join(shown)
}

const isoTime = (column: Sql) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
/** SQL that reads a time as ISO 8601 with milliseconds. */
export const isoTimeOf = (column: string): Sql => isoTime(sql.raw(column))

function jsonValue(kind: Kind, column: Sql, publicUrl: string | undefined): Sql {
  if (kind === 'timestamp') return isoTime(column)
  if (publicUrl === undefined) return column
  return kind === 'texts'
    ? sql`written_addresses(${column}, ${publicUrl})`
    : sql`written_address(${column}, ${publicUrl})`
}

/** `(title, geo_pose, …) values (…)` of the fields that a creation may have; absent ones are null. @param others further columns */
export function insertedValues(fields: Fields, record: Record<string, unknown>, others: Record<string, unknown>): Sql {
  const further = Object.entries(others).map(([column, value]) => ({ column, value: sql`${value}` }))
  const all = [...valuesOf(fields, record, 'create'), ...further]
  const columns = all.map(({ column }) => sql.ref(column))
  return sql`(${sql.join(columns)}) values (${sql.join(all.map(({ value }) => value))})`
}

/** `title = …, geo_pose = …` of the fields that a change may have; absent ones become null. */
export const assignments = (fields: Fields, record: Record<string, unknown>): Sql =>
  sql.join(valuesOf(fields, record, 'change').map(({ column, value }) => sql`${sql.ref(column)} = ${value}`))

/** `title = …` of the fields that a change has; undefined if it has none. */
export function changeAssignments(fields: Fields, change: Record<string, unknown>): Sql | undefined {
  const given = Object.fromEntries(Object.entries(fields).filter(([name]) => change[name] !== undefined))
  return valuesOf(given, change, 'change').length > 0 ? assignments(given, change) : undefined
}

const valuesOf = (fields: Fields, record: Record<string, unknown>, use: 'create' | 'change') =>
  Object.entries(fields)
    .filter(([, field]) => field[use] && !field.sql)
    .map(([name, field]) => {
      const value = record[name] ?? null
      const isJson = kindOf(name, field) === 'json'
      return {
        column: columnOf(fields, name),
        value: isJson ? sql`${value && JSON.stringify(value)}::jsonb` : sql`${value}`,
      }
    })
