import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, buildersOn, type User } from '../../../test/builders.ts'
import { nextOf } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

/** More than two batches. */
const ROWS = 2500
const ODD_SCORES = '{0.00001,1.5e-7,-0,1e15,9007199254740993,1e21,-1e23,12.5}'
const ODD_NAME = `'Größe "' || i || '" 𝄞 \\ </' || chr(i % 31 + 1) || chr(127)`

let service: Service
let database: pg.Client
let app: App
let ops: User
let client: Record<string, string>
let player: Record<string, string>
beforeAll(async () => {
  service = await startService({
    CAIRN_PUBLIC_URL: 'https://maps.example',
    CAIRN_ADMIN_EMAILS: 'Ada@example.org,eve@example.org',
  })
  const given = buildersOn(service)
  const owner = await given.user()
  app = await given.app({ owner })
  ops = await given.user({ roles: ['ops'] })
  database = new pg.Client({ connectionString: service.databaseUrl })
  await database.connect()
  await database.query(
    `with made as (
       insert into players (app_id, id, display_name, name_key, user_id, image_url, standing, standing_note, created_at, updated_at)
       select '${app.id}', gen_random_uuid(), ${ODD_NAME}, 'player ' || i, case when i % 3 = 0 then $1::uuid end,
              case i % 4 when 0 then '/files/ab/abcdefghijklmnopqrstuv.png' when 1 then 'https://other.example/a.png' end,
              (case i % 10 when 0 then 'hidden' when 1 then 'banned' else 'normal' end)::player_standing, case when i % 20 = 0 then ${ODD_NAME} end,
              now() + i / 7 * interval '1.5 microseconds', now() - i * interval '1.2345 seconds'
         from generate_series(1, ${ROWS}) i returning app_id, id, name_key),
     attributed as (
       insert into player_attributes select app_id, id, jsonb_build_object('team', name_key, 'a', '"\\', 'country', 'CH')
         from made where id::text < '8')
     insert into player_best (app_id, type_key, player_id, score, rank_key, session_id)
     select app_id, '00000000-0000-0000-0000-000000000000', id, score, score, gen_random_uuid()
       from (select *, ($2::float8[])[1 + row_number() over () % 8] as score from made) as scored where id::text > '4'`,
    [ops.id, ODD_SCORES],
  )
  await database.query(
    `insert into users (id, issuer, subject, email, first_name, username, username_key, image_url, claimed_roles, claims_end,
                        granted_roles, admin_email, created_at)
     select gen_random_uuid(), 'local', 'u' || i, case when i % 2 = 0 then 'u@example.org' end, ${ODD_NAME}, 'u' || i, 'u' || i,
            case when i % 4 = 0 then '/files/ab/abcdefghijklmnopqrstuv.png' end, case when i % 3 = 0 then '{other,ops}'::text[] else '{}' end,
            now() + (i % 2 - 0.5) * interval '1 day', case when i % 7 = 0 then '{ops,admin,ops}'::text[] else '{}' end,
            case i when 8 then 'ada@example.org' when 9 then 'former@example.org' end, now() + i / 7 * interval '1 microsecond'
       from generate_series(1, ${ROWS}) i`,
  )
  const { apiKey } = (await owner.post(`/api/v1/apps/${app.id}/api-keys`, { kind: 'client', name: 'Build' })).body
  client = { 'x-app-api-key': apiKey }
  const { rows } = await database.query(`select player_id from player_attributes limit 1`)
  await database.query(`update players set standing = 'normal', standing_note = null where id = $1`, [
    rows[0].player_id,
  ])
  const { playerToken } = (await app.post('/auth/player-token', { playerId: rows[0].player_id })).body
  player = { ...client, authorization: `Bearer ${playerToken}` }
})
afterAll(async () => {
  await database.end()
  await service.stop()
})

const page = async (path: string, headers: Record<string, string>) => {
  const response = await fetch(service.url + path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
/** When the thread of large reads began its last statement; null if it has no connection. */
const lastOfThread = async (): Promise<string | null> =>
  (
    await database.query(
      `select max(query_start)::text as last from pg_stat_activity
        where application_name = 'cairn-bulk' and datname = current_database()`,
    )
  ).rows[0].last
/** The rows of a list, as JSON. */
const rowsIn = ({ text }: { text: string }) => /^\{"\w+":\[(.*)\]\}$/s.exec(text)![1]!

test.each<[string, () => Record<string, string>]>([
  ['players?', () => app.headers],
  ['players?sort=-displayName&search=player&standing=normal&', () => app.headers],
  ['players?sort=-bestScore&includeScores=true&', () => app.headers],
  ['players?includeScores=true&miniGameTypeId=unknown&', () => app.headers],
  ['players?', () => client],
  ['players?includeScores=true&', () => player],
  ['users?', () => ops.headers],
  ['users?query=u&', () => ops.headers],
])('a long page of %s is read in the thread, and has the bytes of small pages, read without it', async (list, as) => {
  const path = list.startsWith('users') ? `/api/v1/${list}` : `/api/v1/apps/${list}`
  const before = await lastOfThread()
  const small: string[] = []
  for (let next: string | undefined = `${path}limit=500`; next !== undefined; ) {
    const one = await page(next, as())
    small.push(rowsIn(one))
    next = nextOf(one.headers)
  }
  expect([before, null]).toContain(await lastOfThread())
  const long = await page(path.replace(/[?&]$/, ''), as())
  expect([before, null]).not.toContain(await lastOfThread())
  expect([long.status, nextOf(long.headers)]).toEqual([200, undefined])
  expect(long.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(rowsIn(long)).toBe(small.join(','))
  // A page between: 1,500 rows, and the rest.
  const first = await page(`${path}limit=1500`, as())
  expect(rowsIn(first)).toBe(small.slice(0, 3).join(','))
  const second = await page(nextOf(first.headers)!, as())
  expect(`${rowsIn(first)},${rowsIn(second)}`).toBe(small.join(','))
})

test('a long page whose rows cannot be read is a 503 with a request ID, and whole after it', async () => {
  await database.query('begin; lock table player_attributes in access exclusive mode')
  const failed = await page('/api/v1/apps/players', app.headers)
  await database.query('rollback')
  expect([failed.status, JSON.parse(failed.text)]).toEqual([
    503,
    expect.objectContaining({ error: expect.any(String) }),
  ])
  expect(failed.headers.get('x-request-id')).toBeTruthy()
  expect([failed.headers.get('link'), failed.headers.get('x-total-count')]).toEqual([null, null])
  expect(JSON.parse((await page('/api/v1/apps/players', app.headers)).text).players).toHaveLength(ROWS)
})
