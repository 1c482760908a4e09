import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../platform/database/migrate/migrate.ts'
import { MIGRATIONS } from '../database.ts'
import { newDatabase } from '../processes/new-database.ts'

const id = (n: number) => `0193a7c0-0000-7000-8000-00000000000${n}`
const key = (letter: string) => `ab/${letter.repeat(22)}.jpg`
const [own, image, unknown] = [key('o'), key('i'), key('u')]
const was = 'http://before.example:8080'
const foreign = 'https://elsewhere.example/a.jpg'

let folder: string
let database: Awaited<ReturnType<typeof newDatabase>>
let client: pg.Client
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-kept-'))
  const isOlder = (path: string) => !basename(path).endsWith('.sql') || basename(path) < '0056'
  await cp(MIGRATIONS, folder, { recursive: true, filter: isOlder })
  database = await newDatabase()
  await migrate(database.url, folder)
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
}, 60_000)
afterAll(async () => {
  await client.end()
  await database.drop()
  await rm(folder, { recursive: true })
})

test('addresses of files there are become paths when an older database is migrated; others stay, and nobody is told', async () => {
  await client.query(`
    insert into users (id, issuer, subject) values ('${id(1)}', 'local', 'ada');
    insert into files (id, key, file_name, mime_type, size, sha256) values (1, '${own}', 'a.jpg', 'image/jpeg', 1, repeat('0', 64));
    insert into apps (id, owner_id, name, description, image_url, visibility)
    values ('${id(2)}', '${id(1)}', 'App', '', '${was}/files/${own}', 'PUBLIC'), ('${id(3)}', '${id(1)}', 'App', '', '${was}/files/${unknown}', 'PUBLIC');
    insert into webhook_endpoints (app_id, id, url, event_types, secret)
    values ('${id(2)}', '${id(4)}', 'https://hook.example', '{player.updated}', '');
    insert into players (app_id, id, display_name, name_key, image_key, image_url)
    values ('${id(2)}', '${id(5)}', 'Ada', 'ada', '${image}', '${was}/files/${image}');
    insert into mini_game_types (app_id, id, name, name_key, description, image_url)
    values ('${id(2)}', '${id(6)}', 'Maze', 'maze', '', '${foreign}'), ('${id(2)}', '${id(7)}', 'Park', 'park', '', '${was}/files/${own}');
    insert into pins (title, content_type, content_url, relocalization_photo_url, localization_data)
    values ('Pin', 'IMAGE', '${foreign}', '${was}/files/${own}', '{"trackingMode": "WORLD", "worldmapURL": "${was}/files/${own}"}');
    insert into gcps (title, title_key, gcp_type, photo_urls)
    values ('Mark', 'mark', 'SINGLE', '{${foreign},${was}/files/${own},${was}/files/${unknown},http://other.example/files/${own}}');
    insert into zones (title) values ('Zone');
    insert into csv_uploads (id, zone_id, file_name, file_url, object_key)
    values ('${id(8)}', 1, 'a.csv', '${was}/files/${own}', '${own}'), ('${id(9)}', 1, 'b.csv', '${foreign}', '${key('f')}');`)
  await migrate(database.url, MIGRATIONS)
  const column = async (select: string) => (await client.query({ text: select, rowMode: 'array' })).rows.flat()
  expect(await column('select image_url from apps order by id')).toEqual([`/files/${own}`, `${was}/files/${unknown}`])
  expect(await column('select image_url from players')).toEqual([`/files/${image}`])
  expect(await column('select image_url from mini_game_types order by id')).toEqual([foreign, `/files/${own}`])
  expect(
    await column(`select content_url, relocalization_photo_url, localization_data ->> 'worldmapURL' from pins`),
  ).toEqual([foreign, `/files/${own}`, `/files/${own}`])
  expect(await column('select unnest(photo_urls) from gcps')).toEqual([
    foreign,
    `/files/${own}`,
    `${was}/files/${unknown}`,
  ])
  expect(await column('select file_url from csv_uploads order by id')).toEqual([`/files/${own}`, foreign])
  expect(await column('select count(*)::int from webhook_deliveries')).toEqual([0])
  await client.query(`update players set display_name = 'Eve'`)
  expect(await column('select count(*)::int from webhook_deliveries')).toEqual([1])
})
