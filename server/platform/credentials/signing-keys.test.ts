import { setTimeout as sleep } from 'node:timers/promises'
import { decodeProtectedHeader } from 'jose'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { startSecondService } from '../../test/second-service.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { createSecrets } from './secrets.ts'
import { KEY_TIMING } from './signing-keys.ts'
import { createTokens } from './tokens.ts'

let service: Service
let database: Database
beforeEach(async () => {
  service = await startService()
  database = openDatabase({ url: service.databaseUrl, applicationName: 'cairn-tests', max: 2 })
})
afterEach(async () => {
  await database.close()
  await service.stop()
})

/** A process beside the service whose new keys sign after a second (or the given time) instead of ten minutes. */
const hasty = (publishSeconds = 1) =>
  createTokens({
    database,
    secrets: createSecrets('a secret of the tests, long enough'),
    issuer: 'cairn',
    timing: { ...KEY_TIMING, publishSeconds, reloadMs: 200 },
  })

const sql = async (statement: string) => {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}
const published = async (): Promise<string[]> =>
  (await service.anonymous.get('/.well-known/jwks.json')).body.keys.map(({ kid }: { kid: string }) => kid)
const kidOf = (caller: Caller) => decodeProtectedHeader(caller.headers.authorization!.slice(7)).kid!
const works = async (caller: Caller) => (await caller.get('/api/v1/apps')).status === 200

/** Polls for twenty seconds: after thirty a process reads by itself, even without a notification. */
async function until(so: () => Promise<boolean>) {
  for (const end = performance.now() + 20_000; performance.now() < end; ) {
    if (await so()) return
    await sleep(100)
  }
  throw new Error('the condition never became true')
}

describe('rotation keeps all sessions', () => {
  test('the next key is published before it signs; the old one is accepted until its last token has expired, then deleted', {
    tags: ['long'],
  }, async () => {
    const given = buildersOn(service)
    const before = await given.user()
    const tokens = hasty(5)
    const [next, old] = await tokens.keys.rotate({ now: false })
    expect([next?.state, old?.state]).toEqual(['next', 'signing'])
    expect(old!.kid).toBe(kidOf(before))

    // The service is notified, and signs with the old key until the new one takes over.
    await until(async () => (await published()).includes(next!.kid))
    await until(async () => kidOf(await given.user()) === next!.kid)
    const after = await given.user()
    expect(await works(before)).toBe(true)
    expect(await works(after)).toBe(true)
    expect(await published()).toEqual([next!.kid, old!.kid])

    // Its last token was issued just before the new key took over, and lasts a day if it is a player token.
    const [{ hours }] = await sql(`select extract(epoch from o.ends_at - n.signs_from) / 3600 as hours
      from signing_keys o, signing_keys n where o.ends_at is not null and n.ends_at is null`)
    expect(Number(hours)).toBeGreaterThan(24)
    expect(Number(hours)).toBeLessThan(24.2)

    await sql("update signing_keys set ends_at = now() - interval '1 second' where ends_at is not null")
    await until(async () => !(await published()).includes(old!.kid))
    expect(await works(before)).toBe(false)
    expect(await works(after)).toBe(true)
    await tokens.keys.deleteEnded()
    expect(await sql('select kid from signing_keys')).toEqual([{ kid: next!.kid }])
  })

  test('a new key waits ten minutes, longer than clients cache the JWKS', async () => {
    const user = await buildersOn(service).user()
    await service.app.identity.rotateKeys({ now: false })
    const [{ seconds }] = await sql(
      'select extract(epoch from signs_from - clock_timestamp()) as seconds from signing_keys where ends_at is null',
    )
    expect(Number(seconds)).toBeGreaterThan(590)
    expect(Number(seconds)).toBeLessThanOrEqual(600)
    const { headers, body } = await service.anonymous.get('/.well-known/jwks.json')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(body.keys).toHaveLength(2)
    for (const key of body.keys) expect(key).not.toHaveProperty('d')
    expect(kidOf(await buildersOn(service).user())).toBe(kidOf(user))
  })

  test('rotating again while the next key waits changes nothing and is an error', async () => {
    await service.app.identity.rotateKeys({ now: false })
    const before = await sql('select kid, ends_at from signing_keys order by kid')
    await expect(service.app.identity.rotateKeys({ now: false })).rejects.toThrow(
      /already published and signs from .*Z/,
    )
    expect(await sql('select kid, ends_at from signing_keys order by kid')).toEqual(before)
  })

  test('a token with a key that this process has not read yet is accepted after a lookup', {
    tags: ['long'],
  }, async () => {
    await buildersOn(service).user()
    await sleep(1000)
    const tokens = hasty()
    const [next] = await tokens.keys.rotate({ now: false })
    await sleep(1000)
    const user = await service.app.localUser('somebody')
    const { token } = await service.app.identity.openFor(user)
    const { sid } = JSON.parse(atob(token.split('.')[1]!))
    const issuedAt = Math.floor(Date.now() / 1000)
    const other = await tokens.issue({
      userId: user.id,
      sessionId: sid,
      roles: [],
      issuedAt,
      expiresAt: issuedAt + 60,
    })
    expect(decodeProtectedHeader(other).kid).toBe(next!.kid)
    expect(await works(service.as({ authorization: `Bearer ${other}` }))).toBe(true)
  })

  test('rotation is audited', async () => {
    const keys = await service.app.identity.rotateKeys({ now: false })
    expect(await sql("select actor, action, subject from audit_log where action like 'signing%'")).toEqual([
      { actor: 'operator', action: 'signing_key.rotated', subject: keys[0]!.kid },
    ])
  })
})

test('after a leak, the old keys end within seconds in every process, and everyone must sign in again', {
  tags: ['long'],
}, async () => {
  const other = await startSecondService(service)
  const given = buildersOn(service)
  const before = await given.user()
  const code = (await before.post('/auth/codes')).body.code
  const there = () => other.as(before.headers).get('/api/v1/apps')
  expect(await there()).toMatchObject({ status: 200 })
  const old = kidOf(before)

  const operator = hasty()
  const [key] = await operator.keys.rotate({ now: true })
  await until(async () => !(await works(before)) && (await there()).status === 401)
  await until(async () => !(await published()).includes(old))
  expect(await published()).toEqual([key!.kid])
  expect(await before.post('/auth/sync')).toMatchObject({ status: 401 })
  expect(await works(await given.user())).toBe(true)

  await service.app.identity.rotateKeys({ now: true })
  expect(await sql('select 1 from user_sessions where revoked_at is null')).toEqual([])
  expect((await service.anonymous.post('/auth/codes/exchange', { code })).body.status).toBe('INVALID')
  await other.stop()
})

test('two processes that start on a new database together create one key', async () => {
  await sql('delete from signing_keys')
  const [one, two] = [hasty(), hasty()]
  await Promise.all([one.ready(), two.ready()])
  expect(await sql('select count(*)::int as keys from signing_keys')).toEqual([{ keys: 1 }])
  expect(await one.jwks()).toEqual(await two.jwks())
})

test('looks up an unknown kid at most once a second', { tags: ['long'] }, async () => {
  const tokens = hasty()
  await tokens.ready()
  let looks = 0
  database.pool.on('acquire', () => looks++)
  let began: number
  do {
    await sleep(1000)
    looks = 0
    began = performance.now()
    await Promise.all(Array.from({ length: 50 }, (_, i) => tokens.keys.find(`stranger ${i}`)))
    for (let i = 0; i < 50; i++) await tokens.keys.find(`stranger ${i}`)
  } while (performance.now() - began > 900) // a second lookup was allowed then
  expect(looks).toBe(1)
})
