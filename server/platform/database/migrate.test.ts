import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, MIGRATIONS } from '../../test/database.ts'
import { migrate } from './migrate.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-migrations-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('migrating a migrated database changes nothing', async () => {
  const { url, drop } = await createTestDatabase()
  expect(await migrate(url, MIGRATIONS)).toEqual([])
  await drop()
})

test('two processes that migrate together take turns', async () => {
  const { url, drop } = await createTestDatabase()
  await writeFile(join(folder, '9001_slow.sql'), 'select pg_sleep(0.2); create table only_once (id int);')
  const done = await Promise.all([migrate(url, folder), migrate(url, folder)])
  expect(done.flat()).toEqual(['9001_slow.sql'])
  await drop()
})

test('a migration that fails leaves nothing behind, and one that was changed after it ran is refused', async () => {
  const { url, drop } = await createTestDatabase()
  const file = join(folder, '9001_half.sql')

  await writeFile(file, 'create table half (id int); select no_such_column;')
  await expect(migrate(url, folder)).rejects.toThrow('Migration 9001_half.sql failed and changed nothing')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  expect((await client.query("select to_regclass('half') as half")).rows).toEqual([{ half: null }])

  await writeFile(file, 'create table half (id int);')
  await migrate(url, folder)
  await writeFile(file, 'create table half (id bigint);')
  await expect(migrate(url, folder)).rejects.toThrow('was changed after it was applied')
  await client.end()
  await drop()
})
