// @module-tag long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foldName } from '../../platform/names.ts'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { appUrl, makeSession, nextOf } from '../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

/** With this many players a search no longer scans all of them. */
const MANY = 10_000
/** The most players that a search of this many finds. */
const MOST = 1000

const PART =
  '[\\u0001-/:-@[-`{-\\u00a1\\u00ab\\u00b7\\u00bb\\u00bf\\u2000-\\u206f\\u3000-\\u3003\\u3008-\\u301f\\u30fb]'
/** The rule, slowly: one of the first three words starts with the text, whose own leading punctuation does not count. */
function isCalled(name: string, text: string) {
  const bare = (all: string) => all.replace(new RegExp(`^${PART}+(?!$|${PART})`), '')
  const ends: string[] = [bare(name)]
  for (const found of name.matchAll(new RegExp(`(?<!^|${PART})${PART}+(?!$|${PART})`, 'g')))
    ends.push(name.slice(found.index + found[0].length))
  return ends.slice(0, 3).some((end) => end.startsWith(bare(text)))
}

const WORDS = ['dark', 'wolf', 'straße', 'zoë', '山田', '佐々木', 'a', 'an', 'ann', '77', '7', 'x']
const GAPS = [' ', '_', '-', '.', ' – ', '・', ' % ', '__', '\\', ' «', '·', '\u2009', '¡']
const some = <T>(list: T[], i: number) => list[Math.floor(i) % list.length]!

test('among many players a search finds those with a word that starts with the text, as a model does', async () => {
  const app = await given.app()
  const names = Array.from(
    { length: 300 },
    (_, i) =>
      `${i % 7 ? '' : '_'}${some(WORDS, i)}${some(GAPS, i / 3)}${some(WORDS, i / 5)}${some(GAPS, i / 2)}${some(WORDS, i / 11)}${i % 4 ? '' : ` ${some(WORDS, i / 9)}`} n${i}${i % 5 ? '' : '_'}`,
  )
  for (const name of names) await given.player(app, name)
  await sql(
    `insert into players (app_id, id, display_name, name_key, created_at)
       select $1, gen_random_uuid(), 'Filler' || i, 'filler' || i, now() + i * interval '1 ms' from generate_series(1, $2::int) i`,
    [app.id, MANY],
  )
  const texts = [
    ...WORDS,
    'DARK',
    'dark_w',
    'wolf 77',
    '_dark',
    'ark',
    'olf',
    'n7',
    'a an',
    '%',
    '_',
    'nobody',
    '山',
    '佐々',
    '々',
    '木',
  ]
  for (const text of [...texts, ...names.slice(0, 40).map((name, i) => name.slice(i % 9, (i % 9) + 6))]) {
    if (!text.trim()) continue
    const { body, headers } = await app.get(appUrl(`players?limit=10000&search=${encodeURIComponent(text)}`))
    const wanted = names.filter((name) => isCalled(foldName(name), foldName(text)))
    expect(
      body.players.map(({ displayName }: { displayName: string }) => displayName),
      text,
    ).toEqual(wanted)
    expect(headers.get('x-total-count'), text).toBe(String(wanted.length))
  }
})

test('of very many that are called so a thousand are found, each once over all pages, and a longer text finds each', async () => {
  const app = await given.app()
  await sql(
    `insert into players (app_id, id, display_name, name_key, created_at)
       select $1, gen_random_uuid(), 'Twin twin ' || i, 'twin twin ' || i, now() + i * interval '1 ms' from generate_series(1, $2::int) i`,
    [app.id, MANY],
  )
  await sql(
    `insert into players (app_id, id, display_name, name_key) values ($1, 'ffffffff-ffff-4fff-bfff-ffffffffffff', 'Twin', 'twin')`,
    [app.id],
  )
  const seen = new Set<string>()
  let pages = 0
  let path: string | undefined = appUrl('players?search=twin&limit=300')
  while (path) {
    const { body, headers } = await app.get(path)
    expect(headers.get('x-total-count')).toBe(String(MOST))
    for (const { id } of body.players) seen.add(id)
    pages++
    path = nextOf(headers)
  }
  expect([seen.size, pages]).toEqual([MOST, 4])
  expect(seen, 'the name itself').toContain('ffffffff-ffff-4fff-bfff-ffffffffffff')
  for (const n of [1, 5000, MANY])
    expect(
      (await app.get(appUrl(`players?search=${encodeURIComponent(`TWIN ${n}`)}&limit=1`))).body.players,
    ).toMatchObject([{ displayName: `Twin twin ${n}` }])
})

test('of many game sessions too, beside their status; among those of one name the newest', async () => {
  const app = await given.app()
  await sql(
    `insert into game_sessions (app_id, id, type_key, name, status, created_at)
       select $1, gen_random_uuid(), '00000000-0000-0000-0000-000000000000', case when i % 10 = 0 then 'Quick MATCH' else 'Round ' || i end,
              case when i > 10000 then 'active' else 'completed' end, now() + i * interval '1 ms'
         from generate_series(1, 20000) i`,
    [app.id],
  )
  const found = async (query: string) => {
    const { body, headers } = await app.get(appUrl(`game-sessions?${query}`))
    const names = body.gameSessions.map(({ name }: { name: string }) => name)
    return { total: headers.get('x-total-count'), names, starts: body.gameSessions[0]?.createdAt }
  }
  await makeSession(app, { name: 'Match' })
  const newest = await found('search=match&limit=1')
  expect(newest).toMatchObject({ total: '1000', names: ['Quick MATCH'] })
  expect(newest.starts).toBe((await found('limit=1')).starts)
  expect((await found('search=match')).names).toContain('Match')
  const active = await found('search=match&status=ACTIVE')
  expect(active).toMatchObject({ total: '1000' })
  expect(active.names.filter((name: string) => name === 'Quick MATCH')).toHaveLength(999)
  expect(await found('search=quick&status=COMPLETED&limit=1')).toMatchObject({ total: '1000' })
  expect(await found('search=quick&status=PAUSED')).toMatchObject({ total: '0' })
  expect(await found('search=round%20777')).toMatchObject({ total: '10' })
  expect(await found('search=ound')).toMatchObject({ total: '0' })
})

test('of many users by username, address, its domain, first name and last name', async () => {
  const ops = await given.user({ roles: ['ops'] })
  await sql(
    `insert into users (id, issuer, subject, username, username_key, email, first_name, last_name)
       select gen_random_uuid(), 'many', i::text, '_Guest' || i, '_guest' || i, 'mail' || i || '@Host' || i || '.example', 'Ada ' || i, 'van Dyke' || i
         from generate_series(1, $1::int) i`,
    [MANY],
  )
  for (const query of ['guest9999', 'MAIL9999@', 'host9999.ex', 'ada 9999 VAN', '9999 van dyke', 'van dyke9999'])
    expect((await ops.get(`/api/v1/users?query=${encodeURIComponent(query)}`)).body.users, query).toMatchObject([
      { username: '_Guest9999' },
    ])
  const captain = await given.user({ name: 'jean.luc' })
  await sql("update users set first_name = 'Jean-Luc', last_name = 'Picard' where id = $1", [captain.id])
  for (const query of ['%20PICARD%20', 'luc', 'Jean-Luc P'])
    expect((await ops.get(`/api/v1/users?query=${query}`)).body.users, query).toMatchObject([{ id: captain.id }])
  const { body, headers } = await ops.get('/api/v1/users?query=guest&limit=10')
  expect([body.users.length, headers.get('x-total-count')]).toEqual([10, String(MOST)])
})

test("of everybody's many files those that ops look for, the newest first; a user's own by any part of their names", async () => {
  const ops = await given.user({ roles: ['ops'] })
  await sql(
    `insert into files (id, key, file_name, mime_type, size, sha256, user_id, created_at)
       select 1000000 + i, 'many-' || i, 'Scan of Pier ' || i % 5000 || '.glb', 'model/gltf-binary', 1, encode(sha256(i::text::bytea), 'hex'), $1,
              now() + i * interval '1 ms' from generate_series(1, $2::int) i`,
    [ops.id, MANY],
  )
  await sql("update files set mime_type = 'image/png' where key in ('many-1', 'many-5001')")
  await sql(
    `insert into conversions (sha256, status, result_id, seconds)
       select encode(sha256(('source ' || i)::bytea), 'hex'), 'COMPLETED', 1000000 + i, 1 from generate_series(5002, 7000) i`,
  )
  const found = async (query: string) => {
    const { body, headers } = await ops.get(`/api/v1/user/files?${query}`)
    return {
      total: headers.get('x-total-count'),
      ids: body.files.map(({ fileId }: { fileId: number }) => fileId - 1_000_000),
    }
  }
  expect(await found('all=true&search=PIER%204999.')).toEqual({ total: '2', ids: [9999, 4999] })
  expect(await found('all=true&search=ier%204999')).toEqual({ total: '0', ids: [] })
  expect(await found('search=ier%204999')).toEqual({ total: '2', ids: [9999, 4999] })
  expect(await found('all=true&search=scan%20of&kind=image'), 'behind many of another kind').toEqual({
    total: '2',
    ids: [5001, 1],
  })
  const first = await found('all=true&search=scan&limit=1000')
  expect([first.total, first.ids.length]).toEqual([String(MOST), MOST])
  expect(
    first.ids.filter((id: number) => id > 5001 && id <= 7000),
    'what conversions made',
  ).toEqual([])
})

test('finds Greek names with either form of sigma at the end of the text', async () => {
  const app = await given.app()
  await sql(
    `insert into players (app_id, id, display_name, name_key)
       select $1, gen_random_uuid(), 'Filler' || i, 'filler' || i from generate_series(1, $2::int) i`,
    [app.id, MANY],
  )
  const few = await given.app()
  for (const one of [app, few]) {
    await given.player(one, 'Οδυσσεύς')
    for (const text of ['οδυσ', 'ΟΔΥΣΣΕΎΣ', 'Οδυς'])
      expect((await one.get(appUrl(`players?search=${encodeURIComponent(text)}`))).body.players, text).toMatchObject([
        { displayName: 'Οδυσσεύς' },
      ])
  }
})

test('what a filter leaves is counted up to 10,000, and paged to its end', async () => {
  const ops = await given.user({ roles: ['ops'] })
  await sql(
    `insert into audit_log (actor, action, subject) select 'someone', 'many.made', i::text from generate_series(1, 10500) i`,
  )
  let path: string | undefined = '/api/v1/audit-log?action=many.made&limit=1000'
  let seen = 0
  while (path) {
    const { body, headers } = await ops.get(path)
    expect(headers.get('x-total-count')).toBe('10000')
    seen += body.entries.length
    path = nextOf(headers)
  }
  expect(seen).toBe(10_500)
})
