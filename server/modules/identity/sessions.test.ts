import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSecrets } from '../../platform/credentials/secrets.ts'
import { createTokens } from '../../platform/credentials/tokens.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { type CodeTests, codeTests } from '../../test/network/codes.ts'
import { startSecondService } from '../../test/second-service.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { sessionStore } from './store.ts'

let service: Service
let other: Awaited<ReturnType<typeof startSecondService>>
let given: Builders
let codes: CodeTests
beforeAll(async () => {
  service = await startService({ CAIRN_TRUSTED_PROXIES: 'loopback' })
  other = await startSecondService(service)
  given = buildersOn(service)
  codes = codeTests(service)
})
afterAll(async () => {
  await other.stop()
  await service.stop()
})

/** A second device of this user, signed in by a code. */
async function byCode(user: Caller): Promise<{ device: Caller; token: string }> {
  const { body } = await codes.exchange(await codes.make(user))
  expect(body).toMatchObject({ status: 'VALID', sessionToken: expect.any(String) })
  return { device: codes.bearing(body.sessionToken), token: body.sessionToken }
}
const ADMIN = { roles: ['admin', 'ops'] }
const NO_ROLES = { roles: [], isAdmin: false, hasOpsAccess: false }

describe.concurrent('a session created with a code', () => {
  test('has neither admin nor ops, also after renewal', async () => {
    const boss = await given.user(ADMIN)
    expect((await boss.post('/auth/sync')).body.user).toMatchObject({ isAdmin: true, hasOpsAccess: true })
    let { device, token } = await byCode(boss)
    for (let i = 0; i < 3; i++) {
      expect(decodeJwt(token).roles).toEqual([])
      const renewed = await device.post('/auth/sync')
      expect(renewed).toMatchObject({ status: 200, body: { user: { id: boss.id, ...NO_ROLES } } })
      token = renewed.body.sessionToken
      device = codes.bearing(token)
    }
  })

  test('gets no roles that its user is granted later', async () => {
    const user = await given.user()
    const { device } = await byCode(user)
    await codes.sql("update users set granted_roles = '{admin}' where id = $1", [user.id])
    await sleep(1000)
    expect((await user.post('/auth/sync')).body.user).toMatchObject({ isAdmin: true })
    expect((await device.post('/auth/sync')).body.user).toMatchObject(NO_ROLES)
  })

  test('cannot create codes, with or without an app key: 403', async () => {
    const { device } = await byCode(await given.user())
    const app = await given.app()
    expect(await device.post('/auth/codes')).toMatchObject({ status: 403, body: { error: expect.any(String) } })
    const both = service.as({ ...device.headers, 'x-app-api-key': app.key })
    expect(await both.post('/auth/codes', '{bad')).toMatchObject({ status: 403 })
  })

  test('lasts at most 30 days with renewals', async () => {
    const { device, token } = await byCode(await given.user())
    const { sid } = decodeJwt(token)
    const started = (interval: string) =>
      codes.sql('update user_sessions set created_at = now() - $2::interval where id = $1', [sid, interval])

    await started('29 days 23 hours')
    const renewed = await device.post('/auth/sync')
    const { exp, iat } = decodeJwt(renewed.body.sessionToken)
    expect(exp! - iat!).toBeGreaterThan(3540)
    expect(exp! - iat!).toBeLessThanOrEqual(3600)
    expect(renewed.body.expiryTime).toBe(new Date(exp! * 1000).toISOString())

    await started('31 days')
    await sleep(1000)
    for (const path of ['/auth/sync', '/auth/sign-out']) expect(await device.post(path)).toMatchObject({ status: 401 })
  })

  test('is not ended by a sign-out of its user elsewhere, and its own sign-out ends only itself', {
    tags: ['long'],
  }, async () => {
    const user = await given.user()
    const [first, second] = [await byCode(user), await byCode(user)]
    await user.post('/auth/sign-out')
    await first.device.post('/auth/sign-out')
    await sleep(1000)
    expect(await user.get('/api/v1/apps')).toMatchObject({ status: 401 })
    expect(await first.device.get('/api/v1/apps')).toMatchObject({ status: 401 })
    expect(await second.device.get('/api/v1/apps')).toMatchObject({ status: 200 })
  })
})

describe.concurrent('session tokens', () => {
  test('have iss aud sub jti sid iat exp roles, and last 12 hours', async () => {
    const user = await given.user(ADMIN)
    const { sessionToken, expiryTime } = (await user.post('/auth/sync')).body
    const claims = decodeJwt(sessionToken)
    expect(claims).toEqual({
      iss: 'cairn',
      aud: 'cairn',
      sub: user.id,
      jti: expect.any(String),
      sid: expect.any(String),
      iat: expect.any(Number),
      exp: claims.iat! + 12 * 3600,
      roles: ['admin', 'ops'],
    })
    expect(expiryTime).toBe(new Date(claims.exp! * 1000).toISOString())
  })

  test('of a renewal belong to the same session, so that a sign-out ends all of them', async () => {
    const user = await given.user()
    const renewed = (await user.post('/auth/sync')).body.sessionToken
    const [before, after] = [decodeJwt(user.headers.authorization!.slice(7)), decodeJwt(renewed)]
    expect(after.sid).toBe(before.sid)
    expect(after.jti).not.toBe(before.jti)
    await codes.bearing(renewed).post('/auth/sign-out')
    await sleep(1000)
    expect(await user.get('/api/v1/apps')).toMatchObject({ status: 401 })
  })

  test('are renewed while the session is active, and not after its expiry by the database', async () => {
    const user = await given.user()
    await codes.sql("update user_sessions set expires_at = now() - interval '1 second' where user_id = $1", [user.id])
    await sleep(1000)
    expect(await user.post('/auth/sync')).toMatchObject({ status: 401 })
  })

  test('are valid only for the user of their session', async () => {
    const [mallory, victim] = [await given.user(), await given.user()]
    const { sid } = decodeJwt(mallory.headers.authorization!.slice(7))
    const forged = await signAs({ userId: victim.id, sessionId: String(sid) })
    expect(await codes.bearing(forged).get('/api/v1/apps')).toMatchObject({ status: 401 })
    expect(await mallory.get('/api/v1/apps')).toMatchObject({ status: 200 })
    expect(await codes.bearing(forged).get('/api/v1/apps')).toMatchObject({ status: 401 })
  })
})

describe.concurrent('effective in every process within one second', () => {
  /** Both processes have cached this session. */
  async function inBoth(roles: string[] = []) {
    const user = await given.user({ roles })
    const there = other.as(user.headers)
    for (const process of [user, there]) expect(await process.get('/api/v1/apps')).toMatchObject({ status: 200 })
    return { user, there }
  }

  test('a sign-out', async () => {
    const { user, there } = await inBoth()
    await user.post('/auth/sign-out')
    await sleep(1000)
    expect(await there.get('/api/v1/apps')).toMatchObject({ status: 401 })
    expect(await user.get('/api/v1/apps')).toMatchObject({ status: 401 })
  })

  test('a granted role and a revoked one', { tags: ['long'] }, async () => {
    const { user, there } = await inBoth()
    const isAdmin = async () => (await there.post('/auth/sync')).body.user.isAdmin
    expect(await isAdmin()).toBe(false)
    await codes.sql("update users set granted_roles = '{admin}' where id = $1", [user.id])
    await sleep(1000)
    expect(await isAdmin()).toBe(true)
    await codes.sql("update users set granted_roles = '{}' where id = $1", [user.id])
    await sleep(1000)
    expect(await isAdmin()).toBe(false)
  })

  test('the erasure of a user with their codes', async () => {
    const { user, there } = await inBoth()
    const code = await codes.make(user)
    await codes.sql('delete from users where id = $1', [user.id])
    await sleep(1000)
    expect(await there.get('/api/v1/apps')).toMatchObject({ status: 401 })
    expect(await user.post('/auth/sync')).toMatchObject({ status: 401 })
    expect((await codes.exchange(code)).body.status).toBe('INVALID')
  })
})

test('sessions are deleted 30 days after their end', async () => {
  const database = openDatabase({ url: service.databaseUrl, applicationName: 'cairn-tests', max: 1 })
  const [old, recent] = [await given.user(), await given.user()]
  const ended = (user: { id: string }, interval: string) =>
    codes.sql('update user_sessions set expires_at = now() - $2::interval where user_id = $1', [user.id, interval])
  await ended(old, '31 days')
  await ended(recent, '29 days')
  await sessionStore(database.kysely, { days: 90 }).deleteOld()
  const left = await codes.sql('select user_id from user_sessions where user_id = any($1)', [[old.id, recent.id]])
  expect(left).toEqual([{ user_id: recent.id }])
  await database.close()
})

/** A session token with any claims, signed with the service's own key, as only a leaked key allows. */
async function signAs({ userId, sessionId }: { userId: string; sessionId: string }): Promise<string> {
  const database = openDatabase({ url: service.databaseUrl, applicationName: 'cairn-tests', max: 1 })
  const tokens = createTokens({
    database,
    secrets: createSecrets('a secret of the tests, long enough'),
    issuer: 'cairn',
  })
  const issuedAt = Math.floor(Date.now() / 1000)
  const token = await tokens.issue({ userId, sessionId, roles: ['admin'], issuedAt, expiresAt: issuedAt + 60 })
  await database.close()
  return token
}

// Alone: it locks a table that every other test here reads.
test('session tokens are refused a second after the sign-out, however slow the database was just before', async () => {
  const user = await given.user()
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  await client.query('begin; lock table users in access exclusive mode')
  const slow = user.get('/api/v1/user')
  const waiting = `select count(*)::int as many from pg_stat_activity
    where datname = current_database() and application_name = 'cairn' and wait_event_type = 'Lock'`
  while ((await client.query(waiting)).rows[0].many === 0) await sleep(5)
  await sleep(100)
  await codes.sql('update user_sessions set revoked_at = now() where user_id = $1', [user.id])
  await sleep(800)
  await client.query('commit')
  await client.end()
  await slow
  await sleep(200)
  expect(await user.get('/api/v1/user')).toMatchObject({ status: 401 })
})
