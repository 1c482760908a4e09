import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../platform/database/database.ts'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { type CodeTests, codeTests } from '../../test/network/codes.ts'
import { unknownId } from '../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../test/service.ts'
import { codeStore } from './codes/code-store.ts'

let service: Service
let given: Builders
let codes: CodeTests
beforeAll(async () => {
  // The keyless budget is not under test here.
  service = await startService({ CAIRN_TRUSTED_PROXIES: 'loopback', CAIRN_CODE_RISK: '0.5' })
  given = buildersOn(service)
  codes = codeTests(service)
})
afterAll(() => service.stop())

describe('POST /auth/codes: who may create a code', () => {
  test('a user, with an empty body or none: six digits, and expiry after 300 s by the database', async () => {
    const { user } = await codes.cast()
    const { status, body, headers } = await user.post('/auth/codes')
    expect({ status, body }).toEqual({
      status: 200,
      body: { code: expect.any(String), expiryTime: expect.any(String) },
    })
    expect(body.code).toMatch(/^[0-9]{6}$/)
    expect(headers.get('cache-control')).toBe('no-store')
    const [row] = await codes.sql(
      'select extract(epoch from expires_at - created_at)::int as seconds from codes where user_id = $1',
      [user.id],
    )
    expect(row).toEqual({ seconds: 300 })
  })

  test('playerId is present if it was sent, also as null', async () => {
    const { user, player } = await codes.cast()
    expect((await user.post('/auth/codes', { playerId: player.id })).body.playerId).toBe(player.id)
    expect((await user.post('/auth/codes', { playerId: null })).body.playerId).toBeNull()
    expect((await user.post('/auth/codes', {})).body).not.toHaveProperty('playerId')
  })

  test('an app key alone, for a player of that app; without playerId 400', async () => {
    const { app, player } = await codes.cast()
    expect(await app.post('/auth/codes', { playerId: player.id })).toMatchObject({
      status: 200,
      body: { playerId: player.id },
    })
    for (const body of [undefined, {}, { playerId: null }])
      expect(await app.post('/auth/codes', body)).toMatchObject({
        status: 400,
        body: { error: [{ path: ['playerId'] }] },
      })
  })

  test("an unknown playerId is 404; another app's player is unknown to an app key alone, but not to a session", async () => {
    const { user, app, both } = await codes.cast()
    const foreign = await given.player(await given.app())
    for (const playerId of [unknownId, 'hello', '']) {
      expect(await user.post('/auth/codes', { playerId })).toMatchObject({ status: 404 })
      expect(await app.post('/auth/codes', { playerId })).toMatchObject({ status: 404 })
    }
    expect(await app.post('/auth/codes', { playerId: foreign.id })).toMatchObject({ status: 404 })
    expect(await user.post('/auth/codes', { playerId: foreign.id })).toMatchObject({ status: 200 })
    expect(await both.post('/auth/codes', { playerId: foreign.id })).toMatchObject({ status: 200 })
  })

  test('no credential is 401, and so is an invalid one beside a valid one, before the body is read', async () => {
    const { user, app } = await codes.cast()
    const bad = [
      {},
      { ...user.headers, 'x-app-api-key': `${app.key.slice(0, -1)}!` },
      { authorization: 'Bearer nonsense', 'x-app-api-key': app.key },
    ]
    for (const headers of bad)
      expect(await service.as({ ...headers } as Record<string, string>).post('/auth/codes', '{bad')).toMatchObject({
        status: 401,
      })
  })

  test('an invalid playerId is 400 in the array form', async () => {
    const { user } = await codes.cast()
    expect(await user.post('/auth/codes', { playerId: 7 })).toMatchObject({
      status: 400,
      body: { error: [{ code: 'invalid_type', path: ['playerId'] }] },
    })
  })
})

describe('spaces', () => {
  test("a user's code created with an app key belongs to that app: neither another app's key nor no key finds it", async () => {
    const { app, both } = await codes.cast()
    const stranger = await given.app()
    const code = await codes.make(both)
    expect((await codes.exchange(code, { key: stranger.key })).body.status).toBe('INVALID')
    expect((await codes.exchange(code, { key: app.key })).body).toMatchObject({
      status: 'VALID',
      sessionToken: expect.any(String),
    })
    expect((await codes.exchange(await codes.make(both))).body.status).toBe('VALID')
  })

  test("a user's code without a key is in no app's space", async () => {
    const { user, app } = await codes.cast()
    const code = await codes.make(user)
    expect((await codes.exchange(code, { key: app.key })).body.status).toBe('INVALID')
    expect((await codes.exchange(code)).body.status).toBe('VALID')
  })

  test("EXPIRED is returned only in the code's own space", async () => {
    const { both, app } = await codes.cast()
    const stranger = await given.app()
    const code = await codes.make(both)
    await codes.age('300 seconds')
    expect((await codes.exchange(code, { key: stranger.key })).body.status).toBe('INVALID')
    expect((await codes.exchange(code, { key: app.key })).body.status).toBe('EXPIRED')
  })
})

test('the digits are nowhere in the database, and creation and exchange are audited', async () => {
  const { user } = await codes.cast()
  const code = await codes.make(user)
  const { sessionToken } = (await codes.exchange(code, { from: '203.0.113.7' })).body
  const rows = await codes.sql('select * from codes where user_id = $1', [user.id])
  expect(JSON.stringify(rows)).not.toContain(`"${code}"`)
  const log = await codes.sql('select action, subject, address from audit_log where actor = $1 order by id', [user.id])
  expect(log).toEqual([
    { action: 'code.made', subject: rows[0]!.id, address: expect.any(String) },
    { action: 'code.exchanged', subject: decodeJwt(sessionToken).sid, address: '203.0.113.7' },
  ])
})

test('the request limit a minute has the same form: 429 with status ERROR', async () => {
  const strict = await startService({ CAIRN_LIMIT_ADDRESS_PER_MINUTE: '2' })
  const exchange = (headers: Record<string, string> = {}) =>
    strict.as(headers).post('/auth/codes/exchange', { code: '000000' })
  for (let i = 0; i < 2; i++) expect((await exchange()).status).toBe(200)
  const over = { status: 429, body: { status: 'ERROR', error: expect.any(String) } }
  expect(await exchange()).toMatchObject(over)
  expect(await exchange({ 'x-app-api-key': 'nonsense' })).toMatchObject(over)
  expect((await exchange()).headers.get('retry-after')).toMatch(/^\d+$/)
  await strict.stop()
})

test('codes are deleted a day after their expiry, guesses and counts after their window', async () => {
  const database = openDatabase({ url: service.databaseUrl, applicationName: 'cairn-tests', max: 1 })
  const { user } = await codes.cast()
  await codes.sql('truncate codes, code_failures, code_peaks')
  const [old, young] = [await codes.make(user), await codes.make(await given.user())]
  await codes.exchange(codes.wrongCode([old, young]))
  const left = async () =>
    Object.values(
      (
        await codes.sql(`select (select count(*)::int from codes) as codes,
          (select count(*)::int from code_failures) as failures, (select count(*)::int from code_peaks) as peaks`)
      )[0]!,
    )
  const before = await left()
  await codeStore(database.kysely).deleteOld()
  expect(await left()).toEqual(before)

  await codes.sql("update codes set expires_at = now() - interval '25 hours' where user_id = $1", [user.id])
  await codeStore(database.kysely).deleteOld()
  expect((await left())[0]).toBe((before[0] as number) - 1)
  expect((await codes.exchange(young)).body.status).toBe('VALID')

  await codes.sql(`insert into codes (id, digest, live, user_id, created_at, expires_at)
    select gen_random_uuid(), 'old ' || i, false, (select id from users limit 1), now() - interval '3 days', now() - interval '2 days'
      from generate_series(1, 2500) i`)
  await codes.sql("update code_failures set at = at - interval '26 hours'")
  await codes.sql("update code_peaks set minute = minute - interval '26 hours'")
  await codeStore(database.kysely).deleteOld()
  expect(await codes.sql("select count(*)::int as old from codes where digest like 'old %'")).toEqual([{ old: 0 }])
  expect((await left()).slice(1)).toEqual([0, 0])
  await database.close()
})
