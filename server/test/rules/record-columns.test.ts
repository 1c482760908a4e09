import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gcpFields } from '../../modules/gcps/record.ts'
import { pinFields } from '../../modules/pins/record.ts'
import { sessionFields } from '../../modules/scoring/sessions/record.ts'
import { typeFields } from '../../modules/scoring/types/record.ts'
import { columnOf } from '../../platform/records/columns.ts'
import { type Fields, type Kind, kindOf } from '../../platform/records/fields.ts'
import { type Service, startService } from '../service.ts'
import { sqlOn } from '../sql.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const types: Record<Kind, string[]> = {
  integer: ['bigint', 'integer', 'smallint'],
  number: ['double precision'],
  boolean: ['boolean'],
  text: ['text', 'uuid'],
  timestamp: ['timestamp with time zone'],
  json: ['jsonb'],
  texts: ['ARRAY'],
}

/** The records described by fields, and the columns of their tables that are not fields. */
const records: { table: string; fields: Fields; others: string[] }[] = [
  { table: 'pins', fields: pinFields, others: ['place'] },
  { table: 'gcps', fields: gcpFields, others: ['title_key', 'survey', 'user_id', 'csv_upload_id', 'edited_at'] },
  {
    table: 'mini_game_types',
    fields: typeFields,
    others: [
      'app_id',
      'name_key',
      'ascending',
      'score_mode',
      'scored',
      'are_segments_ready',
      'segments_changed_at',
      'hidden_at',
    ],
  },
  { table: 'game_sessions', fields: sessionFields, others: ['app_id', 'type_key', 'status', 'open_until'] },
]

describe.each(records)('a record of $table', ({ table, fields, others }) => {
  type Column = { name: string; type: string; nullable: boolean }
  const columns = () =>
    sqlOn(service)<Column>(
      `select column_name as name, data_type as type, is_nullable = 'YES' as nullable
         from information_schema.columns where table_schema = 'public' and table_name = $1`,
      [table],
    )
  const stored = Object.entries(fields).filter(([, { sql }]) => sql === undefined)

  test('has a column of its type for each field, nullable where the field is', async () => {
    const found = new Map((await columns()).map((column) => [column.name, column]))
    for (const [name, field] of stored) {
      const column = found.get(columnOf(fields, name))
      expect(column, `no column for the field ${name}: add it in a migration`).toBeDefined()
      expect(types[kindOf(name, field)], `the type of the field ${name}`).toContain(column!.type)
      expect([name, column!.nullable]).toEqual([name, field.schema.safeParse(null).success])
    }
  })

  test('has a field for each column', async () => {
    const known = [...stored.map(([name]) => columnOf(fields, name)), ...others]
    for (const { name } of await columns())
      expect(known, `no field for the column ${name}: describe it in record.ts of the module`).toContain(name)
  })
})
