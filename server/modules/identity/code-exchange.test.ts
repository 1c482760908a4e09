import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { type CodeTests, codeTests } from '../../test/network/codes.ts'
import { type Service, startService } from '../../test/service.ts'

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

describe('POST /auth/codes/exchange', () => {
  test("VALID: a user's code yields a sessionToken of that user and its expiryTime", async () => {
    const { user } = await codes.cast()
    const answer = await codes.exchange(await codes.make(user))
    expect(answer).toMatchObject({ status: 200, headers: expect.anything() })
    expect(answer.body).toEqual({ status: 'VALID', sessionToken: expect.any(String), expiryTime: expect.any(String) })
    const { sub, exp, iat, roles } = decodeJwt(answer.body.sessionToken)
    expect({ sub, roles }).toEqual({ sub: user.id, roles: [] })
    expect(new Date(exp! * 1000).toISOString()).toBe(answer.body.expiryTime)
    expect(exp! - iat!).toBe(12 * 3600)
    expect(await codes.bearing(answer.body.sessionToken).get('/api/v1/apps')).toMatchObject({ status: 200 })
  })

  test("VALID without a token: an app's code, with its expiry", async () => {
    const { app, player } = await codes.cast()
    const made = await app.post('/auth/codes', { playerId: player.id })
    expect((await codes.exchange(made.body.code)).body).toEqual({ status: 'VALID', expiryTime: made.body.expiryTime })
  })

  test('an app that writes a userId on its player never gets a token for that user', async () => {
    const { user, app } = await codes.cast()
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

  test('INVALID: an unknown code, and a used one', async () => {
    const { user } = await codes.cast()
    const code = await codes.make(user)
    expect((await codes.exchange(code)).body.status).toBe('VALID')
    expect(await codes.exchange(code)).toMatchObject({
      status: 200,
      body: { status: 'INVALID', error: expect.any(String) },
    })
    const unknown = await codes.exchange(codes.wrongCode([code]))
    expect(unknown.body).toEqual({ status: 'INVALID', error: expect.any(String) })
  })

  test('INVALID: a code replaced by a newer one of the same creator and player; others stay valid', async () => {
    const { user, app, player } = await codes.cast()
    const first = await codes.make(user)
    const ofPlayer = await codes.make(user, { playerId: player.id })
    const ofApp = await codes.make(app, { playerId: player.id })
    const second = await codes.make(user)
    expect((await codes.exchange(first)).body.status).toBe('INVALID')
    for (const code of [ofPlayer, ofApp, second]) expect((await codes.exchange(code)).body.status).toBe('VALID')
  })

  test('INVALID: the session that created it was signed out, or the player was deleted', async () => {
    const { user, app, player } = await codes.cast()
    const ofSession = await codes.make(user)
    const ofPlayer = await codes.make(app, { playerId: player.id })
    await user.post('/auth/sign-out')
    await codes.sql('delete from players where id = $1', [player.id])
    expect((await codes.exchange(ofSession)).body.status).toBe('INVALID')
    expect((await codes.exchange(ofPlayer)).body.status).toBe('INVALID')
  })

  test('EXPIRED: for 24 hours after its expiry, swept or not; then it is unknown', async () => {
    const { user } = await codes.cast()
    const code = await codes.make(user)
    await codes.age('300 seconds')
    expect((await codes.exchange(code)).body).toEqual({ status: 'EXPIRED', error: expect.any(String) })
    await codes.make(user)
    expect((await codes.exchange(code)).body.status).toBe('EXPIRED')
    await codes.age('24 hours')
    expect((await codes.exchange(code)).body.status).toBe('INVALID')
  })

  test('a used or replaced code stays INVALID after its expiry', async () => {
    const { user } = await codes.cast()
    const replaced = await codes.make(user)
    const used = await codes.make(user)
    await codes.exchange(used)
    await codes.age('1 hour')
    for (const code of [replaced, used]) expect((await codes.exchange(code)).body.status).toBe('INVALID')
  })

  test('the digits of an expired code can be drawn again', async () => {
    const { user } = await codes.cast()
    const code = await codes.make(user)
    await codes.age('300 seconds')
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

  test('no two active codes are equal: a draw in use is repeated', async () => {
    const { user } = await codes.cast()
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

  test('an invalid app key is 401 and uses up no code', async () => {
    const { user, app } = await codes.cast()
    const code = await codes.make(user)
    expect(await codes.exchange(code, { key: `${app.key}x` })).toMatchObject({ status: 401 })
    expect((await codes.exchange(code)).body.status).toBe('VALID')
  })

  test('ERROR: the service could not decide; the code is not used up', async () => {
    const { user } = await codes.cast()
    const code = await codes.make(user)
    await codes.sql('alter table code_failures rename to away')
    const answer = await codes.exchange(code)
    await codes.sql('alter table away rename to code_failures')
    expect(answer).toMatchObject({ status: 200, body: { status: 'ERROR', error: expect.any(String) } })
    expect((await codes.exchange(code)).body.status).toBe('VALID')
  })
})
