import fc from 'fast-check'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { wrongRowCounts } from '../../test/processes/row-counts.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { COUNTED_TABLES, foldRowCounts, recountRows } from './row-counts.ts'

let service: Service
let given: Builders
let pool: pg.Pool
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  pool = new pg.Pool({ connectionString: service.databaseUrl, max: 4 })
})
afterAll(async () => {
  await pool.end()
  await service.stop()
})
afterEach(async () => {
  expect(await wrongRowCounts(service.databaseUrl)).toEqual([])
})

const fold = () => foldRowCounts(pool)
const totalOf = async (caller: Caller, path: string) => {
  const { status, headers } = await caller.get(path)
  expect(status).toBe(200)
  return Number(headers.get('x-total-count'))
}

test('a list has the exact total during concurrent inserts and deletes, while counts are folded', async () => {
  const [app, other] = [await given.app(), await given.app()]
  let isDone = false
  const seen: number[] = []
  const folding = (async () => {
    while (!isDone) {
      await Promise.all([fold(), fold()])
      seen.push(await totalOf(app, '/api/v1/apps/players?limit=1'))
    }
  })()
  await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const { id } = await given.player(app, `P${i}`)
      if (i % 3 === 0) expect((await app.delete(`/api/v1/apps/players/${id}`)).status).toBe(204)
    }),
  )
  isDone = true
  await folding
  expect(await totalOf(app, '/api/v1/apps/players?limit=1')).toBe(40)
  expect(await totalOf(app, '/api/v1/apps/players?search=p1')).toBe(8)
  expect(await totalOf(other, '/api/v1/apps/players')).toBe(0)
  expect(Math.max(...seen)).toBeLessThanOrEqual(60)
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(0)
})

test('the counted tables are the listed ones', async () => {
  const { rows } = await pool.query(
    `select tgrelid::regclass::text as name from pg_trigger where tgname = 'rows_emptied' order by 1`,
  )
  expect(rows.map(({ name }) => name)).toEqual(COUNTED_TABLES.toSorted())
})

test("ignores what is rolled back, and includes a transaction's own writes", async () => {
  const app = await given.app()
  const client = await pool.connect()
  const counted = `select rows_counted('players', $1) as total`
  await client.query('begin')
  await client.query(
    `insert into players (app_id, id, display_name, name_key) select $1, gen_random_uuid(), i::text, i::text from generate_series(1, 9) i`,
    [app.id],
  )
  expect((await client.query(counted, [app.id])).rows[0].total).toBe('9')
  expect(await totalOf(app, '/api/v1/apps/players')).toBe(0)
  await fold()
  await client.query('rollback')
  client.release()
  expect(await totalOf(app, '/api/v1/apps/players')).toBe(0)
})

test('counts open game sessions during concurrent creation, pause, completion and deletion, while counts are folded', async () => {
  const owner = await given.user()
  const app = await given.app({ owner })
  const states = ['ACTIVE', 'PAUSED', 'COMPLETED']
  let isDone = false
  const folding = (async () => {
    while (!isDone) await fold()
  })()
  await Promise.all(
    Array.from({ length: 45 }, async (_, i) => {
      const path = '/api/v1/apps/game-sessions'
      const { id } = (await app.post(path, { status: states[i % 3] })).body
      if (i % 3 < 2)
        for (const status of ['PAUSED', 'ACTIVE', ...(i % 4 === 0 ? ['COMPLETED'] : [])])
          expect((await app.patch(`${path}/${id}`, { status })).status).toBe(200)
      if (i % 5 === 0) expect((await app.delete(`${path}/${id}`)).status).toBe(204)
    }),
  )
  isDone = true
  await folding
  const { rows } = await pool.query(
    `select count(*)::int as all, count(*) filter (where status <> 'completed')::int as open from game_sessions where app_id = $1`,
    [app.id],
  )
  expect(rows[0].open).toBeGreaterThan(0)
  expect((await owner.get(`/api/v1/apps/${app.id}/overview`)).body).toMatchObject({
    gameSessions: rows[0].all,
    runningGameSessions: rows[0].open,
  })
})

test('counts the GCPs of every list through creation, moves between zones, imports and deletion in any order', {
  tags: ['long'],
}, async () => {
  const user = await given.user({ roles: ['ops'] })
  const zones = await Promise.all(
    ['A', 'B'].map(async (title) => Number((await user.post('/api/zones', { title })).body.id)),
  )
  const anywhere = fc.constantFrom(null, ...zones)
  const step = fc.oneof(
    fc.record({ does: fc.constant('make' as const), zone: anywhere, many: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ does: fc.constant('move' as const), zone: anywhere, from: anywhere }),
    fc.record({ does: fc.constant('remove' as const), zone: anywhere }),
    fc.record({ does: fc.constant('fold' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      for (const one of steps) {
        if (one.does === 'fold') await fold()
        else if (one.does === 'make')
          await pool.query(
            `insert into gcps (title, title_key, gcp_type, zone_id) select i::text, i::text, 'SINGLE', $1 from generate_series(1, $2::int) i`,
            [one.zone, one.many],
          )
        else if (one.does === 'move')
          await pool.query(
            `update gcps set zone_id = $1, updated_at = now() where id % 2 = 0 and zone_id is not distinct from $2`,
            [one.zone, one.from],
          )
        else await pool.query('delete from gcps where id % 3 = 0 and zone_id is not distinct from $1', [one.zone])
        const { rows } = await pool.query(`select zone_id as zone, count(*)::int as count from gcps group by zone_id`)
        const inZone = new Map(rows.map(({ zone, count }) => [zone === null ? null : Number(zone), count]))
        for (const zone of zones)
          expect(await totalOf(user, `/api/gcp?zoneId=${zone}&limit=1`)).toBe(inZone.get(zone) ?? 0)
        expect(await totalOf(user, '/api/gcp?limit=1')).toBe([...inZone.values()].reduce((all, one) => all + one, 0))
      }
    }),
    { numRuns: 12 },
  )
})

test('pages of public scans are the whole list in order on any days, while some are hidden and redated', async () => {
  const [app, user] = [await given.app(), await given.user()]
  const insert = (at: string, isPublic: boolean) =>
    pool.query(
      `with f as (insert into files (id, key, file_name, mime_type, size, sha256, user_id)
                  values ((random() * 1e15)::bigint + 1, gen_random_uuid()::text, 'f', 'image/png', 1, repeat('a', 64), $1) returning id)
       insert into scans (id, user_id, file_id, visibility, status, captured_at, captured_from)
       select gen_random_uuid(), $1, id, $3, 'COMPLETED', $2, 'caller' from f`,
      [user.id, at, isPublic ? 'public' : 'private'],
    )
  const moment = fc
    .record({ day: fc.integer({ min: -3, max: 3 }), second: fc.constantFrom(0, 1, 43_200, 86_399) })
    .map(({ day, second }) => new Date((day * 86_400 + second) * 1000).toISOString())
  const scan = fc.record({ at: moment, isPublic: fc.boolean(), becomes: fc.option(moment), turns: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(scan, { maxLength: 14 }), fc.integer({ min: 1, max: 5 }), async (scans, limit) => {
      await pool.query('delete from scans')
      for (const { at, isPublic } of scans) await insert(at, isPublic)
      const { rows: all } = await pool.query('select id from scans order by created_at, id')
      for (const [i, { becomes, turns }] of scans.entries()) {
        if (becomes) await pool.query('update scans set captured_at = $2 where id = $1', [all[i].id, becomes])
        if (turns)
          await pool.query(
            `update scans set visibility = case visibility when 'public' then 'private' else 'public' end where id = $1`,
            [all[i].id],
          )
        if (i % 4 === 0) await fold()
      }
      const { rows } = await pool.query(
        `select id from scans where visibility = 'public' order by captured_at desc, id desc`,
      )
      const [ids, pages] = [rows.map(({ id }) => id), Math.ceil(rows.length / limit)]
      const listed: string[] = []
      for (let page = 1; page <= pages + 1; page++) {
        const { body } = await app.get(`/api/v1/scans/public-scans?limit=${limit}&page=${page}`)
        expect(body.pagination).toEqual({ total: ids.length, page, limit, totalPages: pages })
        listed.push(...body.scans.map(({ id }: { id: string }) => id))
      }
      expect(listed).toEqual(ids)
    }),
    { numRuns: 15 },
  )
})

test('counts are correct after a table was truncated, and after a recount of rows written without triggers', async () => {
  const ops = await given.user({ roles: ['ops'] })
  await pool.query('truncate audit_log')
  expect(await totalOf(ops, '/api/v1/audit-log')).toBe(0)
  const client = await pool.connect()
  await client.query(`begin; set local session_replication_role = replica;
    insert into audit_log (actor, action, subject) select 'a', 'b', i::text from generate_series(1, 100) i; commit`)
  expect(await totalOf(ops, '/api/v1/audit-log')).toBe(0)
  await recountRows(client)
  client.release()
  expect(await totalOf(ops, '/api/v1/audit-log?limit=1')).toBe(100)
  await ops.post('/api/v1/apps', { name: 'Trail', description: 'A race' })
  expect(await totalOf(ops, '/api/v1/audit-log?limit=1')).toBe(101)
})
