import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { readTables, type Table } from './data-model/catalog.ts'
import { pageOf } from './data-model/page.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let tables: Table[]
beforeAll(async () => {
  database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  tables = await readTables(client)
  await client.end()
})
afterAll(() => database.drop())

test('docs/data-model.md describes the schema: run node server/scripts/data-model.ts after a change', async () => {
  const page = new URL('../../docs/data-model.md', import.meta.url)
  expect(await readFile(page, 'utf8')).toBe(pageOf(tables))
})

test('a table without a comment is refused, with the comment to add', () => {
  const silent = tables.map((table) => (table.name === 'pins' ? { ...table, comment: null } : table))
  expect(() => pageOf(silent)).toThrow('Add a "comment on table pins" to its migration')
})

test('a table that is in no area is refused, with the file that lists them', () => {
  const more = [...tables, { ...tables[0]!, name: 'next_table' }]
  expect(() => pageOf(more)).toThrow('Add the table next_table to an area in server/scripts/data-model/areas.ts')
})
