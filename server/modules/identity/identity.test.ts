import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { AUDIENCE, type IdentityProvider, startIdentityProvider } from '../../test/network/identity-provider.ts'
import { type Service, startService } from '../../test/service.ts'

let provider: IdentityProvider
let service: Service
beforeAll(async () => {
  provider = await startIdentityProvider({
    ada: {
      email: 'ada@example.com',
      email_verified: true,
      given_name: 'Ada',
      family_name: 'Lovelace',
      preferred_username: 'ada',
    },
    boss: { email: 'boss@example.com', email_verified: true },
    liar: { email: 'boss@example.com', email_verified: false },
    oona: { email: null, roles: ['ops', 'emperor'] },
  })
  service = await startService({
    CAIRN_OIDC: JSON.stringify([{ issuer: provider.issuer, audience: AUDIENCE }]),
    CAIRN_ADMIN_EMAILS: 'boss@example.com',
  })
})
afterAll(async () => {
  await service.stop()
  await provider.stop()
})

const exchange = (token: unknown) => service.anonymous.post('/auth/exchange', { token })
const bearing = (token: string) => service.as({ authorization: `Bearer ${token}` })

describe('exchange of identity tokens', () => {
  test('a user who signed in at a configured issuer gets a session, and is the same user the next time', async () => {
    const first = await exchange(await provider.signIn('ada'))
    expect(first).toMatchObject({
      status: 200,
      body: {
        user: {
          email: 'ada@example.com',
          firstName: 'Ada',
          lastName: 'Lovelace',
          roles: [],
          isAdmin: false,
          hasOpsAccess: false,
        },
        serviceSessionToken: expect.any(String),
      },
    })
    expect(await bearing(first.body.serviceSessionToken).get('/api/v1/apps')).toMatchObject({
      status: 200,
      body: { apps: [] },
    })
    const second = await exchange(await provider.signIn('ada'))
    expect(second.body.user).toEqual(first.body.user)
    expect(second.body.serviceSessionToken).not.toBe(first.body.serviceSessionToken)
  })

  test('an invalid username is ignored, and the user signs in', async () => {
    const names = {
      long: Array.from({ length: 4000 }, () => Math.random().toString(36)[2]).join(''),
      blank: '  ',
      unseen: '\u200b\u2060',
      turned: 'Ada\u202egnp',
    }
    for (const [sub, preferred_username] of Object.entries(names)) {
      const answer = await exchange(await provider.sign({ sub, preferred_username }))
      expect(answer.status).toBe(200)
      const { body } = await bearing(answer.body.serviceSessionToken).get('/api/v1/user')
      expect(body.username).toBeNull()
    }
  })

  test('a picture that is not a web address is ignored, and the user signs in', async () => {
    const good = 'https://pictures.example/ada.png'
    const pictures = [good, 'javascript:alert(1)', 'data:image/png;base64,AAAA', 'file:///etc/passwd', '/ada.png', 7]
    for (const [i, picture] of pictures.entries()) {
      const answer = await exchange(await provider.sign({ sub: `pictured-${i}`, picture }))
      const { status, body } = await bearing(answer.body.serviceSessionToken).get('/api/v1/user')
      expect([picture, status, body.imageUrl]).toEqual([picture, 200, picture === good ? good : null])
    }
  })

  test('roles come from the trusted issuer, and only known ones count', async () => {
    expect((await exchange(await provider.signIn('oona'))).body.user).toMatchObject({
      roles: ['ops'],
      isAdmin: false,
      hasOpsAccess: true,
    })
  })

  test('a listed email address makes an admin only of the first identity that proves it', async () => {
    expect((await exchange(await provider.signIn('liar'))).body.user).toMatchObject({ isAdmin: false })
    expect((await exchange(await provider.signIn('boss'))).body.user).toMatchObject({ roles: ['admin'], isAdmin: true })
    const second = await provider.sign({ sub: 'second', email: 'boss@example.com', email_verified: true })
    expect((await exchange(second)).body.user).toMatchObject({ isAdmin: false })
  })

  test('session tokens verify against the published keys, and are ES256 of type at+jwt', async () => {
    const { serviceSessionToken } = (await exchange(await provider.signIn('ada'))).body
    const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
    const { payload, protectedHeader } = await jwtVerify(serviceSessionToken, keys, { audience: 'cairn' })
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'at+jwt' })
    expect(payload.exp! - payload.iat!).toBe(12 * 3600)
  })
})

test('a provider that does not return its keys is 503, not an invalid token', async () => {
  const broken = createServer((_request, response) => response.writeHead(503).end('down'))
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
  const { port } = broken.address() as AddressInfo
  const issuers = [{ issuer: provider.issuer, audience: AUDIENCE, jwksUri: `http://127.0.0.1:${port}/keys` }]
  const other = await startService({ CAIRN_OIDC: JSON.stringify(issuers) })
  expect(await other.anonymous.post('/auth/exchange', { token: await provider.signIn('ada') })).toMatchObject({
    status: 503,
  })
  await other.stop()
  broken.close()
})

describe('/auth/sync', () => {
  test('accepts an identity token, or renews an active session; after sign-out neither use nor renewal works', async () => {
    const synced = await bearing(await provider.signIn('ada')).post('/auth/sync')
    expect(synced).toMatchObject({
      status: 200,
      body: { user: { firstName: 'Ada' }, expiryTime: expect.stringMatching(/Z$/) },
    })
    const session = bearing(synced.body.sessionToken)
    expect(await session.post('/auth/sync')).toMatchObject({ status: 200, body: { user: synced.body.user } })

    expect(await session.post('/auth/sign-out')).toMatchObject({ status: 204, body: '' })
    expect(await session.get('/api/v1/apps')).toMatchObject({ status: 401 })
    expect(await session.post('/auth/sync')).toMatchObject({ status: 401 })
  })

  test('without a token is 401', async () => {
    for (const body of [undefined, {}, { token: undefined, other: 1 }])
      expect(await service.anonymous.post('/auth/sync', body)).toMatchObject({ status: 401 })
  })

  test('accepts the token in the body too; the header takes precedence', async () => {
    const { headers } = await buildersOn(service).user()
    const token = headers.authorization!.slice('Bearer '.length)
    const { status, body } = await service.anonymous.post('/auth/sync', { token })
    expect([status, body.sessionToken]).toEqual([200, expect.any(String)])
    expect((await service.anonymous.post('/auth/sync', { token: 'nothing' })).status).toBe(401)
    expect((await service.as(headers).post('/auth/sync', { token: 'nothing' })).status).toBe(200)
    expect((await service.as({ authorization: 'Bearer nothing' }).post('/auth/sync', { token })).status).toBe(401)
  })
})
