import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let given: Builders
afterAll(() => service.stop())

const apps = '/api/v1/apps'
let app: Awaited<ReturnType<typeof given.app>>
let user: Awaited<ReturnType<typeof given.user>>
let clientKey: string
let path: string
let playerId: string
let good: string
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)

  user = await given.user()
  app = await given.app({ owner: user })
  clientKey = (await user.post(`${apps}/${app.id}/api-keys`, { kind: 'client', name: 'Build' })).body.apiKey
  playerId = (await given.player(app)).id
  path = `${apps}/players/${playerId}`
  good = await tokenFrom(app, playerId)
})

async function tokenFrom(caller: Caller, id: string, lifetimeSeconds = 3600): Promise<string> {
  return (await caller.post('/auth/player-token', { playerId: id, lifetimeSeconds })).body.playerToken
}
const rename = (token: string, key = clientKey) =>
  service
    .as({ 'x-app-api-key': key, authorization: `Bearer ${token}` })
    .patch(path, { displayName: `N ${crypto.randomUUID()}` })
const decoded = (token: string, part: 0 | 1) => JSON.parse(Buffer.from(token.split('.')[part]!, 'base64url').toString())
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a forged or misused player token is refused', () => {
  test('the good one is accepted', async () => {
    expect(await rename(good)).toMatchObject({ status: 200 })
  })

  test('signed with another key, under the kid of the service: 401', async () => {
    const forged = await new SignJWT(decoded(good, 1))
      .setProtectedHeader(decoded(good, 0))
      .sign((await generateKeyPair('ES256')).privateKey)
    expect(await rename(forged)).toMatchObject({ status: 401 })
  })

  test.each(['none', 'HS256'])('with the algorithm %s: 401', async (alg) => {
    const [, payload, signature] = good.split('.')
    for (const end of ['', signature!])
      expect(await rename([encoded({ ...decoded(good, 0), alg }), payload, end].join('.'))).not.toMatchObject({
        status: 200,
      })
  })

  test('with one claim changed: 401', async () => {
    const other = await given.player(app)
    const [header, , signature] = (await tokenFrom(app, other.id)).split('.')
    const claims = { ...decoded(good, 1), sub: playerId }
    expect(await rename([header, encoded(claims), signature].join('.'))).toMatchObject({ status: 401 })
  })

  test('expired: 401', async () => {
    const brief = await tokenFrom(app, playerId, 1)
    await new Promise((resolve) => setTimeout(resolve, 2100))
    expect(await rename(brief)).toMatchObject({ status: 401 })
  })

  test('of another player: 403', async () => {
    expect(await rename(await tokenFrom(app, (await given.player(app)).id))).toMatchObject({ status: 403 })
  })

  test('of another app, or beside the key of another app: 401', async () => {
    const other = await given.app({ owner: user })
    expect(await rename(await tokenFrom(other, (await given.player(other)).id))).toMatchObject({ status: 401 })
    expect(await rename(good, other.key)).toMatchObject({ status: 401 })
  })

  test('without a key, and in the place of a key: 401', async () => {
    const body = { displayName: 'Mine' }
    expect(await service.as({ authorization: `Bearer ${good}` }).patch(path, body)).toMatchObject({ status: 401 })
    expect(await service.as({ 'x-app-api-key': good }).patch(path, body)).toMatchObject({ status: 401 })
  })

  test('a session token in its place writes nothing: 403; with the type forged: 401', async () => {
    const session = user.headers.authorization!.slice(7)
    expect(await rename(session)).toMatchObject({ status: 403 })
    const [, payload, signature] = session.split('.')
    const header = { ...decoded(session, 0), typ: 'player+jwt' }
    expect(await rename([encoded(header), payload, signature].join('.'))).toMatchObject({ status: 401 })
  })

  test('in place of a session token: 401, also with the type forged; a public read ignores the token', async () => {
    const [, payload, signature] = good.split('.')
    const forged = [encoded({ ...decoded(good, 0), typ: 'at+jwt' }), payload, signature].join('.')
    for (const token of [good, forged]) {
      const caller = service.as({ authorization: `Bearer ${token}` })
      for (const asked of ['/api/v1/user', apps, '/api/v1/user/scans'])
        expect(await caller.get(asked), asked).toMatchObject({ status: 401 })
      expect(await caller.post('/auth/sync')).toMatchObject({ status: 401 })
      const publicRead = await caller.get('/api/location/pins?lat=1&lon=2')
      expect(publicRead, 'not a forged one').toMatchObject({ status: token === good ? 200 : 401 })
    }
  })
})
