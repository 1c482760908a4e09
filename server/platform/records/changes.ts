import type { Kysely } from 'kysely'
import type { AnyTables } from '../database/database.ts'
import { type Fields, isFileAddress } from './fields.ts'

/**
 * Asserts what the writer of a record assumes of it, in the transaction of the write and with the record locked. @throws the
 * error of the write, which then changes nothing
 */
export type WriteCheck = (within: Kysely<AnyTables>) => Promise<void>
/** The same of the record as it is now. */
export type RecordCheck<Current> = (within: Kysely<AnyTables>, current: Current) => Promise<void>

type Values = Record<string, unknown>

/** Applies a change to the changeable fields of a record: absent fields are unchanged, null clears. */
export function changedRecord(fields: Fields, record: Values, change: Values): Values {
  const changeable = Object.entries(fields).filter(([, field]) => field.change)
  return Object.fromEntries(
    changeable.map(([name]) => [name, change[name] === undefined ? record[name] : change[name]]),
  )
}

/** Copies a record and maps each file address in it; null and undefined are unchanged. */
export function mapFileAddresses<Described extends Fields, Value extends object>(
  fields: Described,
  record: Value,
  map: (address: string, name: keyof Described & keyof Value) => string,
): Value {
  const copy = { ...record }
  for (const [name, field] of Object.entries(fields) as [keyof Described & keyof Value, Described[string]][]) {
    const value = copy[name]
    if (typeof value === 'string' && isFileAddress(field)) copy[name] = map(value, name) as never
  }
  return copy
}
