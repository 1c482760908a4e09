import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../platform/database/database.ts'
import { limitedSession } from '../../test/access/limited-session.ts'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'
import { auditStore } from './store.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

const log = '/api/v1/audit-log'

test('the audit log is for ops and admins: 401 without a session, 403 for users and sessions from a code', async () => {
  const ops = await given.user({ roles: ['ops'] })
  expect(await service.anonymous.get(log)).toMatchObject({ status: 401 })
  expect(await (await given.app()).get(log)).toMatchObject({ status: 401 })
  expect(await (await given.user()).get(log)).toMatchObject({ status: 403 })
  expect(await (await limitedSession(service, ops)).get(log)).toMatchObject({ status: 403 })
  expect(await ops.get(log)).toMatchObject({ status: 200 })
  expect(await (await given.user({ roles: ['admin'] })).get(log)).toMatchObject({ status: 200 })
})

test('entries are newest first, exact in their members, and found by subject, actor and action', async () => {
  const [ops, owner] = [await given.user({ roles: ['ops'] }), await given.user()]
  const { body: app } = await owner.post('/api/v1/apps', { name: 'Trail', description: 'A race' })
  await owner.get(`/api/v1/apps/${app.id}`)
  await owner.post(`/api/v1/apps/${app.id}/api-key/rotate`, {})
  const { body, headers } = await ops.get(`${log}?subject=${app.id}`)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body).toEqual({
    entries: ['app_key.rotated', 'app_key.viewed', 'app.created'].map((action) => ({
      id: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: owner.id,
      actorName: expect.stringMatching(/^user-\d+$/),
      action,
      subject: app.id,
      subjectName: 'Trail',
      appId: null,
      changes: null,
      address: '127.0.0.1',
    })),
  })
  expect((await ops.get(`${log}?actor=${owner.id}&action=app.created`)).body.entries).toEqual([body.entries[2]])
  expect((await ops.get(`${log}?actor=nobody`)).body).toEqual({ entries: [] })
  expect(JSON.stringify(body)).not.toContain(app.apiKey)
})

test('entries are found from a moment on and before one; the actor has its name as it is now, others have none', async () => {
  const [ops, user] = [await given.user({ roles: ['ops'] }), await given.user()]
  await sql(
    `insert into audit_log (at, actor, action, subject)
     select '2026-03-01T00:00:00Z'::timestamptz + make_interval(hours => n), $1, 'test.timed', n::text from generate_series(0, 4) n`,
    [user.id],
  )
  await sql(
    "insert into audit_log (at, actor, action, subject) values ('2026-03-02', 'operator', 'test.timed', 'last')",
  )
  await user.patch('/api/v1/user', { username: `renamed-${user.id.slice(0, 8)}` })
  const found = async (query: string) => {
    const { body, headers } = await ops.get(`${log}?action=test.timed&${query}`)
    expect(headers.get('x-total-count')).toBe(String(body.entries.length))
    return body.entries.map(({ subject }: { subject: string }) => subject)
  }
  expect(await found('since=2026-03-01T01:00:00Z&until=2026-03-01T03:00:00Z')).toEqual(['2', '1'])
  expect(await found('since=2026-03-01T04:00:00%2B01:00')).toEqual(['last', '4', '3'])
  expect(await found('until=2026-03-01T00:00:00.001Z')).toEqual(['0'])
  const { body } = await ops.get(`${log}?action=test.timed&limit=2`)
  expect(body.entries).toMatchObject([{ actorName: null }, { actorName: `renamed-${user.id.slice(0, 8)}` }])
  for (const query of ['since=yesterday', 'until=2026-03-01'])
    expect(await ops.get(`${log}?${query}`), query).toMatchObject({ status: 400 })
})

test('is paged: the Link followed to the end gives each entry once, also while others are written', async () => {
  const ops = await given.user({ roles: ['ops'] })
  await sql(
    "insert into audit_log (actor, action, subject) select 'tests', 'test.done', n::text from generate_series(1, 7) n",
  )
  const seen: string[] = []
  let path: string | undefined = `${log}?actor=tests&limit=3`
  while (path) {
    const { body, headers } = await ops.get(path)
    expect(Number(headers.get('x-total-count'))).toBeGreaterThanOrEqual(7)
    seen.push(...body.entries.map(({ subject }: { subject: string }) => subject))
    path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    await sql("insert into audit_log (actor, action, subject) values ('tests', 'test.done', 'later')")
  }
  expect(seen).toEqual(['7', '6', '5', '4', '3', '2', '1'])
  for (const query of ['limit=0', 'limit=1001', 'cursor=bad', 'actor=', `actor=${'x'.repeat(256)}`])
    expect(await ops.get(`${log}?${query}`), query).toMatchObject({ status: 400 })
})

test('entries are kept 400 days, and removed in batches after that', async () => {
  await sql(
    `insert into audit_log (at, actor, action, subject)
     select now() - make_interval(days => 401), 'old', 'test.done', n::text from generate_series(1, 20500) n`,
  )
  await sql(
    "insert into audit_log (at, actor, action, subject) values (now() - interval '399 days', 'old', 'test.done', 'kept')",
  )
  const database = openDatabase({ url: service.databaseUrl, applicationName: 'test', max: 1 })
  await auditStore(database.kysely).removeOld()
  await database.close()
  expect(await sql("select subject from audit_log where actor = 'old'")).toEqual([{ subject: 'kept' }])
})
