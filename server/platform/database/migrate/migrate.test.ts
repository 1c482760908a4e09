import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, MIGRATIONS } from '../../../test/database.ts'
import { newDatabase } from '../../../test/processes/new-database.ts'
import { migrate, migrationsIn } from './migrate.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-migrations-'))
  // What the next release has.
  await cp(MIGRATIONS, folder, { recursive: true })
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

describe('a database whose migrations had earlier texts, from before their release, is brought to what they say now', () => {
  const upTo = async (last: string) => {
    const only = new Set((await migrationsIn(MIGRATIONS)).map(({ name }) => name).filter((name) => name <= last))
    const { url, drop } = await newDatabase()
    await migrate(url, MIGRATIONS, { only })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return { url, client, end: () => client.end().then(drop) }
  }
  const shapeOf = async (client: pg.Client) =>
    (
      await client.query(`
        select 'function ' || p.oid::regprocedure as what, pg_get_functiondef(p.oid) as is from pg_proc p
         where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.probin is null
        union all select 'trigger ' || tgrelid::regclass, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
        union all select 'index', pg_get_indexdef(oid) from pg_class where relkind = 'i' and relnamespace = 'public'::regnamespace
        union all select 'options ' || relname, array_to_string(reloptions, ' ') from pg_class where reloptions is not null
         order by 1, 2`)
    ).rows

  test('0042, when it made what 0043 makes since', async () => {
    const right = await upTo('0049_how_surveys_are_read.sql')
    const { url, client, end } = await upTo('0042_row_counts.sql')
    const made = [
      'note_rows',
      'note_rows_of_apps',
      'note_rows_of_endpoints',
      'note_rows_of_zones',
      'note_zone_change',
      'note_scan',
    ]
    for (const name of [...made, 'forget_row_counts'])
      await client.query(`create function ${name}() returns trigger language plpgsql as $$ begin return null; end $$`)
    await client.query(`
      create function scan_day(s scans) returns text language sql immutable return null;
      create function count_rows(p_relation text) returns void language sql return null;
      create trigger rows_added after insert on players for each statement execute function note_rows_of_apps();
      alter table row_count_changes reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
      update migrations set checksum = '787657fb2abd3975cd0a758f0a5ccacdbd48c34e3f26f7e0f1a62f2ec3f0b784' where name = '0042_row_counts.sql'`)
    const rest = (await migrationsIn(MIGRATIONS)).map(({ name }) => name).filter((name) => name < '0050')
    await migrate(url, MIGRATIONS, { only: new Set(rest) })
    expect(await shapeOf(client)).toEqual(await shapeOf(right.client))
    expect(await migrate(url, MIGRATIONS, { only: new Set(rest) })).toEqual([])
    await Promise.all([end(), right.end()])
  })

  test('0043, 0047, 0048 and 0049', async () => {
    const { url, client, end } = await upTo('0049_how_surveys_are_read.sql')
    const before = await shapeOf(client)
    const earlier = {
      '0043_noted_rows.sql': 'c9873ff349192b1c5f15182ffb7b4d17ca11fa3158b4c7afe0e5d8f3d66afe09',
      '0047_open_sessions.sql': '46621e97f70c59ade1d261c4a3c8a15bf1ba49cca9c433febd0836c2274b2172',
      '0048_names_by_words.sql': 'efbadf3320f3f98918d59ed20861cfa3724f95f0e4ef2de06d1c8ed50c092a9f',
      '0049_how_surveys_are_read.sql': 'cc24b9a8320c737a15e922cbd1cde29277fd872b7a819b6e3a1b3e0adc01bf47',
    }
    for (const change of Object.entries(earlier))
      await client.query('update migrations set checksum = $2 where name = $1', change)
    await client.query('create index users_username on users (from_word(lower(username), 1) collate "C")')
    expect(await migrate(url, MIGRATIONS, { only: new Set(Object.keys(earlier)) })).toEqual([])
    expect(await shapeOf(client)).toEqual(before)
    await end()
  })
})

test('a migration that is not one transaction says that it is tried again, and is', async () => {
  const { url, drop } = await createTestDatabase()
  const file = join(folder, '9001_steps.sql')
  const first = '-- one by one: the table is large\ndrop table if exists steps;\ncreate table steps (id int);\n'
  await writeFile(file, `${first}select no_such_column;\n`)
  await expect(migrate(url, folder)).rejects.toThrow('9001_steps.sql failed and will be tried again from its beginning')
  await writeFile(file, first)
  expect(await migrate(url, folder)).toEqual(['9001_steps.sql'])
  await drop()
})

test('who migrates on a machine that is gone is noticed in seconds, and holds nobody up for hours', async () => {
  const { url, drop } = await createTestDatabase()
  await writeFile(
    join(folder, '9001_seen.sql'),
    "create table seen as select current_setting('tcp_keepalives_idle') as s;",
  )
  await migrate(url, folder)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // A socket file has none.
  const isNetwork = new URL(url.replace('@/', '@local/')).hostname !== 'local'
  expect((await client.query('select s from seen')).rows).toEqual([{ s: isNetwork ? '5' : '0' }])
  await client.end()
  await drop()
})
