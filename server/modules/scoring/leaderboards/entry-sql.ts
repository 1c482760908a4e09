import { z } from 'zod'
import { kindOf } from '../../../platform/records/fields.ts'
import { type EntryField, entryFields } from './record.ts'

/** The columns of an entry, and what it is ordered by. */
export const entryColumns = [
  ...Object.entries(entryFields).map(([name, { sql }]) => `${sql} as "${name}"`),
  'b.rank_key as "rankKey"',
  'b.achieved_at::text as "achievedAt"',
].join(', ')

/** An entry with its rank as JSON text; adjacent literals are joined. `$4` is the public address. The connection's time zone must be UTC. */
export const entryJson = `concat('{', ${membersOf((field) => !field.isOptional)
  .map((name) => `'"${name}":', ${jsonOf(name)}, ','`)
  .join(', ')}, '"ranking":', rank() over (order by b.rank_key desc), ${membersOf((field) => field.isOptional)
  // Null if the value is null, and then left out.
  .map((name) => `',"${name}":' || ${entryFields[name].sql}::text`)
  .join(', ')}, '}')`.replaceAll("', '", '')

function membersOf(which: (field: EntryField) => boolean | undefined) {
  return (Object.keys(entryFields) as (keyof typeof entryFields)[]).filter((name) => which(entryFields[name]))
}

/** The arguments of `concat` that write the value. */
function jsonOf(name: keyof typeof entryFields): string {
  const { schema, sql, isFileAddress }: EntryField = entryFields[name]
  const kind = kindOf(name, { schema })
  if (kind === 'number' || kind === 'integer') return sql
  if (kind === 'timestamp') return `'"', to_char(${sql}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '"'`
  if (kind !== 'text') throw new Error(`leaderboards/entry-sql.ts cannot write the field ${name}, a ${kind}, as JSON`)
  if (schema instanceof z.ZodUUID) return `'"', ${sql}, '"'`
  return `coalesce(to_json(${isFileAddress ? `written_address(${sql}, $4)` : sql}), 'null')`
}
