// @module-tag long
import { createWriteStream } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { writeBackup } from '../../platform/backup/backup.ts'
import { checkBackup } from '../../platform/backup/check.ts'
import { restoreBackup } from '../../platform/backup/restore.ts'
import { keepSecret } from '../../platform/backup/sealed-secret.ts'
import { createJobs } from '../../platform/database/jobs/jobs.ts'
import { migrate } from '../../platform/database/migrate/migrate.ts'
import { createLog } from '../../platform/logging/log.ts'
import { folderObjects } from '../../platform/storage/folder/folder-objects.ts'
import { MIGRATIONS } from '../../test/database.ts'
import { recordFormerHistory } from '../../test/processes/former-history.ts'
import { newDatabase } from '../../test/processes/new-database.ts'
import { elsewhere, PUBLIC, SECRET } from '../../test/processes/restore-target.ts'
import { appUrl } from '../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../test/service.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const id = (n: number) => `0193a7c0-0000-7000-8000-${String(n).padStart(12, '0')}`

let service: Service
let folder: string
let old: Awaited<ReturnType<typeof newDatabase>>
let objects: ReturnType<typeof folderObjects>
let key: string
const bytes = Buffer.from('written long ago')
beforeAll(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'cairn-older-'))
  old = await newDatabase()
  await fillOlderService()
})
afterAll(async () => {
  await service.stop()
  await old.drop()
  await rm(folder, { recursive: true })
})

/** The content of a service of an older release: its tables, rows and one file. */
async function fillOlderService() {
  await migrate(old.url, MIGRATIONS)
  objects = folderObjects({ folder: join(folder, 'objects'), publicUrl: () => PUBLIC })
  const stored = await objects.put(Readable.from([bytes]), { extension: 'txt' })
  key = stored.key
  await withOld(async (client) => {
    await client.query(`
    insert into users (id, issuer, subject, username) values ('${id(1)}', 'https://login.example', 'one', 'one');
    insert into apps (id, owner_id, name, description, visibility) values ('${id(2)}', '${id(1)}', 'Older', 'Made before', 'PUBLIC');
    insert into mini_game_types (app_id, id, name, name_key, description) values ('${id(2)}', '${id(3)}', 'Race', 'race', '');
    insert into game_sessions (app_id, id, type_key) values ('${id(2)}', '${id(4)}', '${id(3)}');
    insert into players (app_id, id, display_name, name_key)
      select '${id(2)}', ('0193a7c0-0000-7000-8000-' || lpad((10 + n)::text, 12, '0'))::uuid, 'P' || n, 'p' || n from generate_series(1, 3) n;
    insert into session_players (app_id, session_id, player_id, type_key)
      select '${id(2)}', '${id(4)}', id, '${id(3)}' from players;
    insert into player_best (app_id, type_key, player_id) select '${id(2)}', '${id(3)}', id from players;
    insert into app_keys (key_id, app_id, hash, encrypted) values ('older', '${id(2)}', '\\x00', 'of an older secret');
    insert into zones (title) select 'Zone ' || n from generate_series(1, 7) n;
    insert into pins (title, latitude, longitude, content_type, zone_id) select 'Pin ' || n, 47, 8 + n / 1000.0, 'GLB', 7 from generate_series(1, 5) n;
    insert into files (id, key, file_name, mime_type, size, sha256) values (77, '${key}', 'note.txt', 'text/plain', ${bytes.length}, '${stored.sha256}')`)
    for (const [n, score] of [5, 7, 6].entries())
      await client.query(`select save_score($1, $2, $3, $4)`, [id(2), id(4), id(11 + n), score])
  })
}

async function withOld(work: (client: pg.Client) => Promise<void>) {
  const client = new pg.Client({ connectionString: old.url })
  await client.connect()
  await work(client).finally(() => client.end())
}

/** @param until the last migration of a history from before the baseline; by default a history from after it */
async function backUp(name: string, until?: string) {
  if (until) await withOld((client) => recordFormerHistory(client, until))
  const file = join(folder, name)
  await writeBackup({
    databaseUrl: old.url,
    objects,
    known: {
      among: async (_client, keys) => keys.map((one) => ({ key: one, isNamed: true })),
      named: async () => 1,
    },
    secret: keepSecret(SECRET, undefined),
    to: createWriteStream(file),
    onProgress: () => {},
  })
  return file
}

test('a backup of an older release is restored with its schema, and then migrated', async () => {
  const file = await backUp('older.tar')
  const newer = join(folder, 'migrations')
  await cp(MIGRATIONS, newer, { recursive: true })
  await writeFile(join(newer, '9001_seen.sql'), 'create table seen as select count(*)::int as players from players;')
  const database = await newDatabase()
  const jobs = createJobs({ url: database.url, log: createLog('silent') })
  const restored = folderObjects({ folder: join(folder, 'restored'), publicUrl: () => PUBLIC })
  const parts = { file, databaseUrl: database.url, migrations: newer, objects: restored, jobs, isForced: false }
  await restoreBackup({ ...parts, onProgress: () => {} }, await checkBackup(file))
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  expect((await client.query('select players from seen')).rows).toEqual([{ players: 3 }])
  await client.end()
  await database.drop()
})

test('a backup from before the baseline that lacks a migration is refused with what to do', async () => {
  const file = await backUp('incomplete.tar', '0056')
  const other = await elsewhere(service)
  expect(await other.restore([file], { CAIRN_SECRET: SECRET })).toMatchObject({
    code: 1,
    err: expect.stringContaining('restore it with the last release that has 0060_rows_of_strangers.sql'),
  })
  await other.drop()
})

test('a backup from before the baseline is restored if its database had every migration that the baseline replaced', async () => {
  const file = await backUp('former.tar', '9999')
  const other = await elsewhere(service)
  try {
    expect(await other.restore([file], { CAIRN_SECRET: SECRET })).toMatchObject({ code: 0, err: '' })
    expect(await other.run(['rebuild-ranks', '--check'], { CAIRN_SECRET: SECRET })).toMatchObject({ code: 0, err: '' })
    const rotated = await other.run(['app', 'rotate', id(2), '--json'], { CAIRN_SECRET: SECRET })
    const app = { 'x-app-api-key': JSON.parse(rotated.out).apiKey as string }
    const restored = await other.start()
    try {
      const board = (await restored.get(appUrl('leaderboards'), app)).body
      expect(JSON.stringify(board)).toMatch(/"P2".*"P3".*"P1"/)
      expect(await restored.get(`/files/${key}`)).toMatchObject({ status: 200, body: String(bytes) })
      const pins = await restored.get('/api/location/pins?lat=47&lon=8.003&radius=100000')
      expect(pins.status).toBe(200)
      expect(
        JSON.stringify(pins.body)
          .match(/Pin \d/g)
          ?.toSorted(),
      ).toEqual([1, 2, 3, 4, 5].map((n) => `Pin ${n}`))
      // Later data is there, and sequences continue.
      const user = await restored.app.localUser('new', ['admin'])
      const { token } = await restored.app.identity.openFor(user)
      const headers = { authorization: `Bearer ${token}` }
      expect((await restored.get('/api/v1/user/scans', headers)).body).toMatchObject({ pagination: { total: 0 } })
      expect((await restored.post('/api/zones', { title: 'Next' }, headers)).body.id).toBe(8)
    } finally {
      await restored.stop()
    }
  } finally {
    await other.drop()
  }
})
