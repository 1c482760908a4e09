import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, MIGRATIONS } from '../../../test/database.ts'
import { recordFormerHistory } from '../../../test/processes/former-history.ts'
import { release } from '../../process/release.ts'
import { migrate } from './migrate.ts'
import { versionsOn } from './service-versions.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-migrations-'))
  // The migrations of the next release.
  await cp(MIGRATIONS, folder, { recursive: true })
})
afterEach(() => rm(folder, { recursive: true }))

test('migrating again changes nothing', async () => {
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

test('a failed migration leaves nothing behind, and one changed after it ran is refused', async () => {
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

describe('a database from before the baseline', () => {
  let url: string
  let client: pg.Client
  let drop: () => Promise<void>
  beforeEach(async () => {
    ;({ url, drop } = await createTestDatabase())
    client = new pg.Client({ connectionString: url })
    await client.connect()
  })
  afterEach(async () => {
    await client.end()
    await drop()
  })
  const history = async () =>
    (await client.query('select name, checksum, needs from migrations order by name')).rows as { name: string }[]

  test('is recorded as created by the baseline, if it has every migration that the baseline replaced', async () => {
    const made = await history()
    await recordFormerHistory(client)
    await client.query(`insert into users (id, issuer, subject) values (gen_random_uuid(), 'local', 'ada')`)
    expect(await migrate(url, MIGRATIONS, { isDryRun: true })).toEqual([])
    expect(await migrate(url, MIGRATIONS)).toEqual([])
    expect(await history()).toEqual(made)
    expect((await client.query('select subject from users')).rows).toEqual([{ subject: 'ada' }])
  })

  test('receives the migrations after the baseline', async () => {
    await recordFormerHistory(client)
    await writeFile(join(folder, '9001_later.sql'), 'create table later (id int);')
    expect(await migrate(url, folder)).toEqual(['9001_later.sql'])
    expect((await history()).at(-1)).toMatchObject({ name: '9001_later.sql' })
  })

  test('is refused with what to do, and not changed, if it lacks one of them', async () => {
    await recordFormerHistory(client, '0058_photos_by_owner.sql')
    const before = await history()
    await expect(migrate(url, MIGRATIONS)).rejects.toThrow(
      'start the last release that has 0060_rows_of_strangers.sql on it once, then this one',
    )
    expect(await history()).toEqual(before)
  })

  test('is refused if one of them differs', async () => {
    await recordFormerHistory(client)
    await client.query(`update migrations set checksum = 'another' where name = '0042_row_counts.sql'`)
    await expect(migrate(url, MIGRATIONS)).rejects.toThrow('This database is from before the baseline of migrations')
  })

  test('is refused by releases from before the baseline after the baseline is recorded', async () => {
    await recordFormerHistory(client)
    await migrate(url, MIGRATIONS)
    for (const name of await readdir(folder)) await rm(join(folder, name))
    await writeFile(join(folder, '0001_platform.sql'), 'create table signing_keys (kid text);')
    await expect(migrate(url, folder)).rejects.toThrow('This database was migrated by a newer release')
  })
})

describe('a database that a newer release has used', () => {
  let url: string
  let client: pg.Client
  let drop: () => Promise<void>
  beforeEach(async () => {
    ;({ url, drop } = await createTestDatabase())
    client = new pg.Client({ connectionString: url })
    await client.connect()
  })
  afterEach(async () => {
    await client.end()
    await drop()
  })
  /** Lets version 9.9.0 apply the migrations of the folder. */
  const useWithNewer = async (name: string, sql: string) => {
    await writeFile(join(folder, name), sql)
    await migrate(url, folder)
    await client.query(`update service_versions set version = '9.9.0'`)
  }

  test('is refused with the version to install, if a migration excludes this release', async () => {
    await useWithNewer('9001_contract.sql', '-- needs 9001_contract.sql: why\nselect 1;')
    await expect(migrate(url, MIGRATIONS)).rejects.toThrow(
      /This database was migrated by a newer release .*: install Cairn 9\.9\.0 or newer, or restore the backup from before the upgrade/,
    )
  })

  test('is accepted, if its migrations only expand, and records both versions, the last one first', async () => {
    await useWithNewer('9001_expand.sql', 'create table later (id int);')
    expect(await migrate(url, MIGRATIONS)).toEqual([])
    const versions = (await versionsOn(client)).map(({ version, lastMigration }) => [version, lastMigration])
    expect(versions).toEqual([
      [await release(), (await readdir(MIGRATIONS)).toSorted().at(-1)],
      ['9.9.0', '9001_expand.sql'],
    ])
  })

  test('is not changed by a dry run', async () => {
    await client.query('delete from service_versions')
    await migrate(url, MIGRATIONS, { isDryRun: true })
    expect(await versionsOn(client)).toEqual([])
  })
})

test('a failed migration without a transaction is retried from its beginning', async () => {
  const { url, drop } = await createTestDatabase()
  const file = join(folder, '9001_steps.sql')
  const first = '-- one by one: the table is large\ndrop table if exists steps;\ncreate table steps (id int);\n'
  await writeFile(file, `${first}select no_such_column;\n`)
  await expect(migrate(url, folder)).rejects.toThrow('9001_steps.sql failed and will be retried from its beginning')
  await writeFile(file, first)
  expect(await migrate(url, folder)).toEqual(['9001_steps.sql'])
  await drop()
})

test('a migrating process on a machine that is gone is noticed within seconds', async () => {
  const { url, drop } = await createTestDatabase()
  await writeFile(
    join(folder, '9001_seen.sql'),
    "create table seen as select current_setting('tcp_keepalives_idle') as s;",
  )
  await migrate(url, folder)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // A socket file has no keepalive.
  const isNetwork = new URL(url.replace('@/', '@local/')).hostname !== 'local'
  expect((await client.query('select s from seen')).rows).toEqual([{ s: isNetwork ? '5' : '0' }])
  await client.end()
  await drop()
})
