import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../platform/database/database.ts'
import { buildersOn } from '../../test/builders.ts'
import { type CodeTests, codeTests } from '../../test/network/codes.ts'
import { unknownId } from '../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../test/service.ts'
import { codeStore } from './codes/code-store.ts'

let service: Service
let given: ReturnType<typeof buildersOn>
let codes: CodeTests
beforeAll(async () => {
  // The budget of the keyless space is not what these tests are about.
  service = await startService({ CAIRN_TRUSTED_PROXIES: 'loopback', CAIRN_CODE_RISK: '0.5' })
  given = buildersOn(service)
  codes = codeTests(service)
})
afterAll(() => service.stop())

/** As if every code had been made so much earlier. */
const age = (interval: string) =>
  codes.sql(`update codes set created_at = created_at - $1::interval, expires_at = expires_at - $1::interval`, [
    interval,
  ])

/** A user and an app of somebody else. */
const cast = async () => {
  const [user, app] = [await given.user(), await given.app()]
  return { user, app, player: await given.player(app), both: service.as({ ...user.headers, 'x-app-api-key': app.key }) }
}

describe('POST /auth/codes: who may make a code', () => {
  test('a user, with an empty body or without one: six digits, and an end in 300 s by the database', async () => {
    const { user } = await cast()
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

  test('playerId is present if it was sent, null included', async () => {
    const { user, player } = await cast()
    expect((await user.post('/auth/codes', { playerId: player.id })).body.playerId).toBe(player.id)
    expect((await user.post('/auth/codes', { playerId: null })).body.playerId).toBeNull()
    expect((await user.post('/auth/codes', {})).body).not.toHaveProperty('playerId')
  })

  test('an app key alone, for a player of that app; without playerId 400', async () => {
    const { app, player } = await cast()
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

  test('an unknown playerId is 404; to an app key alone another app’s player is unknown, to a session it is not', async () => {
    const { user, app, both } = await cast()
    const foreign = await given.player(await given.app())
    for (const playerId of [unknownId, 'hello', '']) {
      expect(await user.post('/auth/codes', { playerId })).toMatchObject({ status: 404 })
      expect(await app.post('/auth/codes', { playerId })).toMatchObject({ status: 404 })
    }
    expect(await app.post('/auth/codes', { playerId: foreign.id })).toMatchObject({ status: 404 })
    expect(await user.post('/auth/codes', { playerId: foreign.id })).toMatchObject({ status: 200 })
    expect(await both.post('/auth/codes', { playerId: foreign.id })).toMatchObject({ status: 200 })
  })

  test('no credential is 401, and so is a bad one beside a good one, before the body is looked at', async () => {
    const { user, app } = await cast()
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

  test('a mistyped playerId is 400 in the array form', async () => {
    const { user } = await cast()
    expect(await user.post('/auth/codes', { playerId: 7 })).toMatchObject({
      status: 400,
      body: { error: [{ code: 'invalid_type', path: ['playerId'] }] },
    })
  })
})

describe('POST /auth/codes/exchange', () => {
  test('VALID: a code that a user made yields a sessionToken of that user and its expiryTime', async () => {
    const { user } = await cast()
    const answer = await codes.exchange(await codes.make(user))
    expect(answer).toMatchObject({ status: 200, headers: expect.anything() })
    expect(answer.body).toEqual({ status: 'VALID', sessionToken: expect.any(String), expiryTime: expect.any(String) })
    const { sub, exp, iat, roles } = decodeJwt(answer.body.sessionToken)
    expect({ sub, roles }).toEqual({ sub: user.id, roles: [] })
    expect(new Date(exp! * 1000).toISOString()).toBe(answer.body.expiryTime)
    expect(exp! - iat!).toBe(12 * 3600)
    expect(await codes.bearing(answer.body.sessionToken).get('/api/v1/apps')).toMatchObject({ status: 200 })
  })

  test('VALID without a token: a code that an app made, with the end of the code', async () => {
    const { app, player } = await cast()
    const made = await app.post('/auth/codes', { playerId: player.id })
    expect((await codes.exchange(made.body.code)).body).toEqual({ status: 'VALID', expiryTime: made.body.expiryTime })
  })

  test('an app that writes somebody’s userId on its player never gets a token for that user', async () => {
    const { user, app } = await cast()
    const victim = await app.post('/api/v1/apps/players', { displayName: 'Victim', userId: user.id })
    expect(victim).toMatchObject({ status: 200, body: { userId: user.id } })
    for (const key of [undefined, app.key]) {
      const code = await codes.make(app, { playerId: victim.body.id })
      expect((await codes.exchange(code, { ...(key ? { key } : {}) })).body).toEqual({
        status: 'VALID',
        expiryTime: expect.any(String),
      })
    }
    expect(await codes.sql('select 1 from user_sessions where user_id = $1 and limited', [user.id])).toEqual([])
  })

  test('INVALID: an unknown code, and one that was used', async () => {
    const { user } = await cast()
    const code = await codes.make(user)
    expect((await codes.exchange(code)).body.status).toBe('VALID')
    expect(await codes.exchange(code)).toMatchObject({
      status: 200,
      body: { status: 'INVALID', error: expect.any(String) },
    })
    const unknown = await codes.exchange(codes.wrongCode([code]))
    expect(unknown.body).toEqual({ status: 'INVALID', error: expect.any(String) })
  })

  test('INVALID: a code that a newer one of the same maker and player replaced; another player’s and another maker’s stay', async () => {
    const { user, app, player } = await cast()
    const first = await codes.make(user)
    const ofPlayer = await codes.make(user, { playerId: player.id })
    const ofApp = await codes.make(app, { playerId: player.id })
    const second = await codes.make(user)
    expect((await codes.exchange(first)).body.status).toBe('INVALID')
    for (const code of [ofPlayer, ofApp, second]) expect((await codes.exchange(code)).body.status).toBe('VALID')
  })

  test('INVALID: the session that made it was signed out, or the player was deleted', async () => {
    const { user, app, player } = await cast()
    const ofSession = await codes.make(user)
    const ofPlayer = await codes.make(app, { playerId: player.id })
    await user.post('/auth/sign-out')
    await codes.sql('delete from players where id = $1', [player.id])
    expect((await codes.exchange(ofSession)).body.status).toBe('INVALID')
    expect((await codes.exchange(ofPlayer)).body.status).toBe('INVALID')
  })

  test('EXPIRED: for 24 hours after its end, whether or not it was swept; then it is unknown', async () => {
    const { user } = await cast()
    const code = await codes.make(user)
    await age('300 seconds')
    expect((await codes.exchange(code)).body).toEqual({ status: 'EXPIRED', error: expect.any(String) })
    await codes.make(user)
    expect((await codes.exchange(code)).body.status).toBe('EXPIRED')
    await age('24 hours')
    expect((await codes.exchange(code)).body.status).toBe('INVALID')
  })

  test('a used code stays INVALID after its end, and so does a replaced one', async () => {
    const { user } = await cast()
    const replaced = await codes.make(user)
    const used = await codes.make(user)
    await codes.exchange(used)
    await age('1 hour')
    for (const code of [replaced, used]) expect((await codes.exchange(code)).body.status).toBe('INVALID')
  })

  test('the digits of an ended code can be drawn again', async () => {
    const { user } = await cast()
    const code = await codes.make(user)
    await age('300 seconds')
    const [{ digest }] = (await codes.sql('select digest from codes where user_id = $1', [user.id])) as [
      { digest: string },
    ]
    const other = await given.user()
    const [row] = await codes.sql(
      `select drawn from make_code(gen_random_uuid(), array[$1], null, $2,
         (select id from user_sessions where user_id = $2), null, 300, null)`,
      [digest, other.id],
    )
    expect(row).toEqual({ drawn: 1 })
    const { sessionToken } = (await codes.exchange(code)).body
    expect(decodeJwt(sessionToken).sub).toBe(other.id)
  })

  test('no two live codes are the same: a taken draw is drawn again', async () => {
    const { user } = await cast()
    const taken = await codes.make(user)
    const [{ digest }] = (await codes.sql('select digest from codes where user_id = $1', [user.id])) as [
      { digest: string },
    ]
    const other = await given.user()
    const draw = (digests: string[]) =>
      codes.sql(
        `select drawn from make_code(gen_random_uuid(), $1, null, $2,
           (select id from user_sessions where user_id = $2), null, 300, null)`,
        [digests, other.id],
      )
    expect(await draw([digest])).toEqual([{ drawn: null }])
    expect(await draw([digest, 'fresh'])).toEqual([{ drawn: 2 }])
    expect(decodeJwt((await codes.exchange(taken)).body.sessionToken).sub).toBe(user.id)
  })

  test.each([['12345'], ['1234567'], ['12a456'], ['１２３４５６'], [123456], [null], ['123456\n']])(
    'malformed is 400: %j',
    async (code) => {
      expect(await codes.exchange(code)).toMatchObject({ status: 400, body: { error: [{ path: ['code'] }] } })
    },
  )

  test('a bad app key is 401 and costs no code', async () => {
    const { user, app } = await cast()
    const code = await codes.make(user)
    expect(await codes.exchange(code, { key: `${app.key}x` })).toMatchObject({ status: 401 })
    expect((await codes.exchange(code)).body.status).toBe('VALID')
  })

  test('ERROR: the service could not decide; the code is not used up', async () => {
    const { user } = await cast()
    const code = await codes.make(user)
    await codes.sql('alter table code_failures rename to away')
    const answer = await codes.exchange(code)
    await codes.sql('alter table away rename to code_failures')
    expect(answer).toMatchObject({ status: 200, body: { status: 'ERROR', error: expect.any(String) } })
    expect((await codes.exchange(code)).body.status).toBe('VALID')
  })
})

describe('spaces', () => {
  test('a user’s code made beside an app key is that app’s: another app’s key does not find it, no key does', async () => {
    const { app, both } = await cast()
    const stranger = await given.app()
    const code = await codes.make(both)
    expect((await codes.exchange(code, { key: stranger.key })).body.status).toBe('INVALID')
    expect((await codes.exchange(code, { key: app.key })).body).toMatchObject({
      status: 'VALID',
      sessionToken: expect.any(String),
    })
    expect((await codes.exchange(await codes.make(both))).body.status).toBe('VALID')
  })

  test('a user’s code without a key is in no app’s space', async () => {
    const { user, app } = await cast()
    const code = await codes.make(user)
    expect((await codes.exchange(code, { key: app.key })).body.status).toBe('INVALID')
    expect((await codes.exchange(code)).body.status).toBe('VALID')
  })

  test('EXPIRED is told only in the code’s own space', async () => {
    const { both, app } = await cast()
    const stranger = await given.app()
    const code = await codes.make(both)
    await age('300 seconds')
    expect((await codes.exchange(code, { key: stranger.key })).body.status).toBe('INVALID')
    expect((await codes.exchange(code, { key: app.key })).body.status).toBe('EXPIRED')
  })
})

test('the digits are nowhere in the database, and making and exchanging are audited', async () => {
  const { user } = await cast()
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

test('the service’s limit a minute is told in the same form: 429 with status ERROR', async () => {
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

test('codes are deleted a day after their end, wrong guesses and counts when they have left their window', async () => {
  const database = openDatabase({ url: service.databaseUrl, applicationName: 'cairn-tests', max: 1 })
  const { user } = await cast()
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
