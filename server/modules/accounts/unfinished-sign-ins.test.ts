import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginFlow, CALLBACK } from '../../test/network/box-sign-in.ts'
import { visitor } from '../../test/scriptless-browser.ts'
import { type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

const PASSWORD = 'correct horse battery'
const MOST = 20_000

let service: Service
let sql: Sql
beforeAll(async () => {
  service = await startService()
  sql = sqlOn(service)
  await service.app.operator.accounts.add(
    { login: 'ada', password: PASSWORD, roles: [] },
    { actor: 'operator', address: null },
  )
})
afterAll(() => service.stop())

/** The maximum number of visitors' records, all of which expire before new ones. */
const flood = (model: string) =>
  sql(
    `insert into oidc_records (model, id, payload, expires_at)
     select $1, $1 || i, '', now() + interval '1 minute' + i * interval '1 ms' from generate_series(1, ${MOST}) i on conflict do nothing`,
    [model],
  )
const countOf = async (model: string) => {
  const [row] = await sql<{ count: number; first: number }>(
    `select count(*), min(substr(id, length(model) + 1)::int) filter (where id like model || '%') as first
       from oidc_records where model = $1 and user_id is null`,
    [model],
  )
  return row!
}
const startOf = async (changes: Record<string, string> = {}) => {
  const { start } = await beginFlow(service.url)
  for (const [name, value] of Object.entries(changes)) start.searchParams.set(name, value)
  return start
}

test('beyond 20,000 unfinished sign-ins the oldest are deleted, and one started during the flood can be completed', {
  tags: ['long'],
}, async () => {
  const who = visitor({ stopAt: CALLBACK })
  await flood('Interaction')
  await who.open(await startOf())
  for (let i = 0; i < 100; i++) await fetch(await startOf(), { redirect: 'manual' })
  const { count, first } = await countOf('Interaction')
  expect(count).toBeLessThan(MOST + 100)
  expect(first).toBeGreaterThan(50)
  expect((await who.submit({ login: 'ada', password: PASSWORD })).url).toContain(`${CALLBACK}?code=`)
})

test('beyond 20,000 sessions of visitors to the sign-out page the oldest are deleted; they last ten minutes', {
  tags: ['long'],
}, async () => {
  await flood('Session')
  for (let i = 0; i < 101; i++) await fetch(`${service.url}/oidc/session/end`)
  expect((await countOf('Session')).count).toBeLessThan(MOST + 100)
  const [last] = await sql<{ seconds: number }>(
    `select extract(epoch from max(expires_at) - now())::float8 as seconds from oidc_records
      where model = 'Session' and user_id is null`,
  )
  expect(last!.seconds).toBeLessThan(601)
})

test('signed-in users are kept however many visitors begin', { tags: ['long'] }, async () => {
  const who = visitor({ stopAt: CALLBACK })
  await who.open(await startOf())
  await who.submit({ login: 'ada', password: PASSWORD })
  await sql(`update oidc_records set expires_at = now() + interval '30 seconds' where user_id is not null`)
  await flood('Session')
  for (let i = 0; i < 100; i++) await fetch(`${service.url}/oidc/session/end`)
  expect((await who.open(await startOf())).html).toContain('Allow a program to sign in as ada?')
})

test('a sign-in whose parameters are too long to store is refused, and nothing of it is stored', async () => {
  const before = await countOf('Interaction')
  const answer = await fetch(await startOf({ state: 's'.repeat(5000) }), { redirect: 'manual' })
  const to = new URL(answer.headers.get('location')!)
  expect(to.href).toMatch(CALLBACK)
  expect(to.searchParams.get('error')).toBe('invalid_request')
  expect(to.searchParams.get('error_description')).toContain('4096 characters')
  expect(await countOf('Interaction')).toEqual(before)
})
