import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AUDIENCE, type IdentityProvider, startIdentityProvider } from '../../test/network/identity-provider.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

let provider: IdentityProvider
let service: Service
let database: pg.Client
beforeAll(async () => {
  provider = await startIdentityProvider({})
  service = await startService({
    CAIRN_OIDC: JSON.stringify([{ issuer: provider.issuer, audience: AUDIENCE }]),
    CAIRN_SESSION_DAYS: '40',
  })
  database = new pg.Client({ connectionString: service.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await service.stop()
  await provider.stop()
})

async function signIn(
  sub: string,
  roles: string[] = [],
): Promise<{ person: Caller; user: { id: string }; sid: string }> {
  const { status, body } = await service.anonymous.post('/auth/exchange', {
    token: await provider.sign({ sub, roles }),
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  const token = body.serviceSessionToken as string
  return { person: bearing(token), user: body.user, sid: String(decodeJwt(token).sid) }
}
const bearing = (token: string) => service.as({ authorization: `Bearer ${token}` })

/** Backdates the sign-in. */
const signedIn = (sid: string, ago: string) =>
  database.query('update user_sessions set created_at = now() - $2::interval where id = $1', [sid, ago])

describe.concurrent('CAIRN_SESSION_DAYS', () => {
  test('ends a session CAIRN_SESSION_DAYS after the sign-in, however often it was renewed', async () => {
    const { person, sid } = await signIn('ada')
    await signedIn(sid, '39 days 23 hours')
    const renewed = await person.post('/auth/sync')
    const { exp, iat } = decodeJwt(renewed.body.sessionToken)
    expect(renewed.body.expiryTime).toBe(new Date(exp! * 1000).toISOString())
    expect(exp! - iat!).toBeLessThanOrEqual(3600)

    await signedIn(sid, '40 days 1 minute')
    await sleep(1000)
    const ended = { status: 401, body: { error: 'This session has ended: sign in again' } }
    expect(await person.post('/auth/sync')).toMatchObject(ended)
    expect(await bearing(renewed.body.sessionToken).get('/api/v1/user')).toMatchObject(ended)
  })

  test('expires roles claimed by a provider with the sign-in that claimed them, until the next sign-in', {
    tags: ['long'],
  }, async () => {
    const roleNow = async (person: Caller) => (await person.post('/auth/sync')).body.user.isAdmin
    const { person, user } = await signIn('boss', ['admin'])
    expect(await roleNow(person)).toBe(true)
    const { rows } = await database.query(
      `select extract(epoch from claims_end - now()) / 86400 as days from users where id = $1`,
      [user.id],
    )
    expect(Math.round(Number(rows[0].days))).toBe(40)

    await database.query(`update users set claims_end = now() where id = $1`, [user.id])
    await sleep(1000)
    expect(await roleNow(person)).toBe(false)
    expect(await person.get('/api/v1/users')).toMatchObject({ status: 403 })
    expect(await roleNow((await signIn('boss', ['admin'])).person)).toBe(true)
    await signIn('boss')
    await sleep(1000)
    expect(await roleNow(person)).toBe(false)
  })
})
