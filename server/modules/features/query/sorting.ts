import { sql } from 'kysely'
import { z } from 'zod'
import { invalid } from '../../../platform/errors.ts'
import { recordId } from '../../places/schema.ts'
import type { CollectionId } from '../schema.ts'
import type { Condition } from './properties.ts'
import { type QueryableType, queryables } from './queryables.ts'

/** The most properties to sort by. */
const MAX_KEYS = 4

/** A property to sort by. Null comes last in either direction. */
export type SortKey = { name: string; type: QueryableType; sql: Condition; isDescending: boolean }
/** Where a page of sorted features continues: the values of the last one, as text, and its ID. */
export type SortedPlace = { values: (string | null)[]; id: number }

/** The properties that features can be sorted by. */
export const sortablesOf = (collection: CollectionId): string[] => Object.keys(queryables[collection])

/** Reads `sortby` (OGC API Features part 8, 24-030). @throws 400 */
export function readSortKeys(collection: CollectionId, text: string): SortKey[] {
  const fault = (message: string) => invalid([{ code: 'custom', message, path: ['sortby'] }])
  const keys = text.split(',').map((one) => {
    // A plus that is not encoded arrives as a space.
    const [, sign, name] = /^([+ -]?)(.*)$/s.exec(one) as unknown as [string, string, string]
    const found = Object.hasOwn(queryables[collection], name) ? queryables[collection][name] : undefined
    if (found) return { name, ...found, isDescending: sign === '-' }
    throw fault(`"${name.slice(0, 60)}" is not sortable: these are ${sortablesOf(collection).join(', ')}`)
  })
  if (keys.length > MAX_KEYS) throw fault(`names more than ${MAX_KEYS} properties`)
  if (new Set(keys.map(({ name }) => name)).size < keys.length) throw fault('names a property twice')
  return keys
}

const TYPES: Record<QueryableType, string> = { string: 'text', number: 'float8', instant: 'timestamptz' }
const FITS: Record<QueryableType, (text: string) => boolean> = {
  string: () => true,
  number: (text) => Number.isFinite(Number(text)),
  instant: (text) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(text) && !Number.isNaN(Date.parse(text)),
}

/** The cursor of a list that is sorted so. */
export const sortedCursor = (keys: SortKey[]) =>
  z.tuple([z.array(z.string().nullable()).length(keys.length), recordId]).refine(([values]) =>
    // Every list has its own kinds of values.
    keys.every(({ type }, i) => values[i] === null || FITS[type](values[i]!)),
  )

/** A value in the order of its type: texts by code points. */
const ordered = ({ type, sql: read }: Pick<SortKey, 'type' | 'sql'>): Condition =>
  type === 'string' ? sql`(${read}) collate "C"` : type === 'number' ? sql`(${read})::float8` : read

/** What to select for the place of a feature. */
export const sortValues = (keys: SortKey[]): Condition =>
  sql`array[${sql.join(keys.map((key) => sql`(${ordered(key)})::text`))}]`

export const sortOrder = (keys: SortKey[], id: Condition): Condition =>
  sql.join([
    ...keys.map((key) => sql`${ordered(key)} ${key.isDescending ? sql`desc` : sql`asc`} nulls last`),
    sql`${id} asc`,
  ])

/** Whether a feature comes after a place. */
export function isAfterPlace(keys: SortKey[], id: Condition, { values, id: last }: SortedPlace): Condition {
  const cases: Condition[] = []
  const same: Condition[] = []
  for (const [i, key] of keys.entries()) {
    const value = sql`${values[i] ?? null}::${sql.raw(TYPES[key.type])}`
    const further = key.isDescending ? sql`<` : sql`>`
    // Nothing comes after null but other IDs.
    if (values[i] != null)
      cases.push(
        sql`(${sql.join([...same, sql`(${ordered(key)} ${further} ${value} or (${key.sql}) is null)`], sql` and `)})`,
      )
    same.push(sql`${ordered(key)} is not distinct from ${value}`)
  }
  cases.push(sql`(${sql.join([...same, sql`${id} > ${last}`], sql` and `)})`)
  return sql`(${sql.join(cases, sql` or `)})`
}
