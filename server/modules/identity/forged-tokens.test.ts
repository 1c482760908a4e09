import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSecrets } from '../../platform/credentials/secrets.ts'
import { createTokens } from '../../platform/credentials/tokens.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { AUDIENCE, type IdentityProvider, startIdentityProvider } from '../../test/network/identity-provider.ts'
import { type Service, startService } from '../../test/service.ts'

let provider: IdentityProvider
let stranger: IdentityProvider
let service: Service
/** A key server that a careless verifier would use, and its number of requests. */
let bait: Server
let asked = 0
beforeAll(async () => {
  provider = await startIdentityProvider({ ada: { roles: ['admin'] } })
  stranger = await startIdentityProvider({ ada: { roles: ['admin'] } })
  service = await startService({
    CAIRN_OIDC: JSON.stringify([
      { issuer: provider.issuer, audience: AUDIENCE },
      { issuer: stranger.issuer, audience: AUDIENCE, trustRoles: false },
    ]),
  })
  const keys = { keys: [{ ...(await exportJWK((await evil()).publicKey)), kid: 'evil', alg: 'ES256' }] }
  bait = createServer((_request, response) => {
    asked++
    response.setHeader('content-type', 'application/json').end(JSON.stringify(keys))
  })
  await new Promise<void>((resolve) => bait.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await service.stop()
  await Promise.all([provider.stop(), stranger.stop()])
  bait.close()
})

const exchange = (token: unknown) => service.anonymous.post('/auth/exchange', { token })
const bearing = (token: string) => service.as({ authorization: `Bearer ${token}` })
const now = () => Math.floor(Date.now() / 1000)
const baitUrl = () => `http://127.0.0.1:${(bait.address() as AddressInfo).port}/keys`

let evilKeys: Awaited<ReturnType<typeof generateKeyPair>> | undefined
/** An attacker's own key pair. */
async function evil() {
  evilKeys ??= await generateKeyPair('ES256', { extractable: true })
  return evilKeys
}

type Key = Parameters<SignJWT['sign']>[0]
const signed = (
  claims: JWTPayload,
  header: JWTHeaderParameters,
  key: Key,
  options?: { crit: Record<string, boolean> },
) => new SignJWT(claims).setProtectedHeader(header).sign(key, options)

/** Removes the signature, but not the dot before it. */
const stripped = (token: string) => token.slice(0, token.lastIndexOf('.') + 1)
/** Changes one member of the payload and keeps the signature. */
function altered(token: string, change: JWTPayload) {
  const [header, payload, signature] = token.split('.')
  const claims = { ...JSON.parse(Buffer.from(payload!, 'base64url').toString()), ...change }
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
}

describe('forged and misused identity tokens are 401', () => {
  const good = (): JWTPayload => ({ iss: provider.issuer, aud: AUDIENCE, sub: 'ada', iat: now(), exp: now() + 300 })
  const header = { alg: 'ES256', kid: 'provider-key' }
  const own = () => provider.keys.privateKey

  test('the unchanged token is accepted', async () => {
    expect(await exchange(await signed(good(), header, own()))).toMatchObject({ status: 200 })
  })

  const cases: Record<string, () => Promise<string> | string> = {
    'not a JWT': () => 'hello',
    'no signature (alg none)': () => new UnsecuredJWT(good()).encode(),
    'alg none under the known kid': () =>
      `${Buffer.from('{"alg":"none","kid":"provider-key"}').toString('base64url')}.${new UnsecuredJWT(good()).encode().split('.')[1]}.`,
    'the signature stripped': async () => stripped(await signed(good(), header, own())),
    'a claim altered': async () => altered(await signed(good(), header, own()), { sub: 'boss' }),
    'HS256 with the public key (PEM) as secret': async () =>
      signed(good(), { ...header, alg: 'HS256' }, new TextEncoder().encode(await exportSPKI(provider.keys.publicKey))),
    'HS256 with the public key (JWK) as secret': async () =>
      signed(
        good(),
        { ...header, alg: 'HS256' },
        new TextEncoder().encode(JSON.stringify(await exportJWK(provider.keys.publicKey))),
      ),
    "an attacker's key under the known kid": async () => signed(good(), header, (await evil()).privateKey),
    'the key embedded as jwk': async () =>
      signed(good(), { alg: 'ES256', jwk: await exportJWK((await evil()).publicKey) }, (await evil()).privateKey),
    'the key embedded as jwk, under the known kid': async () =>
      signed(good(), { ...header, jwk: await exportJWK((await evil()).publicKey) }, (await evil()).privateKey),
    'the key to be fetched (jku)': async () =>
      signed(good(), { alg: 'ES256', kid: 'evil', jku: baitUrl() }, (await evil()).privateKey),
    'the certificate to be fetched (x5u)': async () =>
      signed(good(), { alg: 'ES256', kid: 'evil', x5u: baitUrl() }, (await evil()).privateKey),
    'an unknown kid': () => signed(good(), { ...header, kid: 'other' }, own()),
    'an algorithm that is not allowed (ES384)': async () =>
      signed(good(), { ...header, alg: 'ES384' }, (await generateKeyPair('ES384')).privateKey),
    'another algorithm than that of the key (RS256)': async () =>
      signed(good(), { ...header, alg: 'RS256' }, (await generateKeyPair('RS256')).privateKey),
    'an unknown critical header': () =>
      signed(good(), { ...header, crit: ['exp-by-moon'], 'exp-by-moon': true }, own(), {
        crit: { 'exp-by-moon': true },
      }),
    'another issuer': () => signed({ ...good(), iss: 'https://elsewhere.example' }, header, own()),
    'an issuer that differs in a slash': () => signed({ ...good(), iss: `${provider.issuer}/` }, header, own()),
    'no issuer': () => signed({ ...good(), iss: undefined }, header, own()),
    'a token of one issuer signed by the other’s key': () => signed({ ...good(), iss: stranger.issuer }, header, own()),
    'another audience': () => signed({ ...good(), aud: 'another' }, header, own()),
    'additional audiences': () => signed({ ...good(), aud: [AUDIENCE, 'another'] }, header, own()),
    'an empty audience': () => signed({ ...good(), aud: [] }, header, own()),
    'no audience': () => signed({ ...good(), aud: undefined }, header, own()),
    ended: () => signed({ ...good(), exp: now() - 61 }, header, own()),
    'no end': () => signed({ ...good(), exp: undefined }, header, own()),
    'not yet valid': () => signed({ ...good(), nbf: now() + 120 }, header, own()),
    'issued more than a minute ahead': () => signed({ ...good(), iat: now() + 120, exp: now() + 600 }, header, own()),
    'a subject that is a number': () => signed({ ...good(), sub: 7 as never }, header, own()),
    'a subject that is a list': () => signed({ ...good(), sub: ['ada'] as never }, header, own()),
    'no subject': () => signed({ ...good(), sub: undefined }, header, own()),
    'an empty subject': () => signed({ ...good(), sub: '' }, header, own()),
    'a subject of 256 characters': () => signed({ ...good(), sub: 'x'.repeat(256) }, header, own()),
    'an access token (at+jwt)': () => signed(good(), { ...header, typ: 'at+jwt' }, own()),
    'a session token of this service': async () =>
      (await exchange(await provider.signIn('ada'))).body.serviceSessionToken,
  }
  test.each(Object.keys(cases))('%s', async (name) => {
    const before = asked
    const token = await cases[name]!()
    expect(await exchange(token)).toMatchObject({
      status: 401,
      body: { error: expect.stringContaining('This identity token is not accepted') },
    })
    expect(await bearing(token).get('/api/v1/apps')).toMatchObject({
      status: name === 'a session token of this service' ? 200 : 401,
    })
    expect(asked).toBe(before)
  })

  test('accepts 60 s of clock skew in either direction', async () => {
    expect(await exchange(await signed({ ...good(), exp: now() - 30 }, header, own()))).toMatchObject({ status: 200 })
    expect(await exchange(await signed({ ...good(), nbf: now() + 50 }, header, own()))).toMatchObject({ status: 200 })
  })

  test('accepts the audience as a list of one', async () => {
    expect(await exchange(await signed({ ...good(), aud: [AUDIENCE] }, header, own()))).toMatchObject({ status: 200 })
  })
})

describe('forged and misused session tokens are 401', () => {
  /** Secrets that an attacker would need. */
  async function serviceKey() {
    const database = openDatabase({ url: service.databaseUrl, applicationName: 'cairn-tests', max: 1 })
    const secrets = createSecrets('a secret of the tests, long enough')
    const key = await createTokens({ database, secrets, issuer: 'cairn' }).keys.signing()
    await database.close()
    return key
  }
  /** The claims of an active session, and the matching header. */
  async function genuine() {
    const { serviceSessionToken: token } = (await exchange(await provider.signIn('ada'))).body
    const [head, body] = token.split('.').map((part: string) => Buffer.from(part, 'base64url').toString())
    const key = await serviceKey()
    return {
      token,
      header: JSON.parse(head),
      claims: JSON.parse(body) as JWTPayload,
      key: key.privateKey,
      jwk: key.publicJwk,
    }
  }
  type Genuine = Awaited<ReturnType<typeof genuine>>

  test('the unchanged token is accepted', async () => {
    const { claims, header, key } = await genuine()
    expect(await bearing(await signed(claims, header, key)).get('/api/v1/apps')).toMatchObject({ status: 200 })
  })

  const cases: Record<string, (session: Genuine) => Promise<string> | string> = {
    'no signature (alg none)': ({ claims }) => new UnsecuredJWT(claims).encode(),
    'the signature stripped': ({ token }) => stripped(token),
    'a claim altered': ({ token }) => altered(token, { sub: '0193a7c0-0000-7000-8000-000000000000' }),
    'roles added': ({ token }) => altered(token, { roles: ['admin', 'ops'] }),
    'HS256 with the published key as secret': ({ claims, header, jwk }) =>
      signed(claims, { ...header, alg: 'HS256' }, new TextEncoder().encode(JSON.stringify(jwk))),
    "an attacker's key under the known kid": async ({ claims, header }) =>
      signed(claims, header, (await evil()).privateKey),
    'the key embedded as jwk': async ({ claims, header }) =>
      signed(claims, { ...header, jwk: await exportJWK((await evil()).publicKey) }, (await evil()).privateKey),
    'the key to be fetched (jku)': async ({ claims, header }) =>
      signed(claims, { ...header, kid: 'evil', jku: baitUrl() }, (await evil()).privateKey),
    'the certificate to be fetched (x5u)': async ({ claims, header }) =>
      signed(claims, { ...header, kid: 'evil', x5u: baitUrl() }, (await evil()).privateKey),
    'no kid': ({ claims, header, key }) => signed(claims, { ...header, kid: undefined }, key),
    'an unknown kid': ({ claims, header, key }) => signed(claims, { ...header, kid: 'other' }, key),
    'the kid of another key': async ({ claims, header, key }) => {
      const [next] = await service.app.identity.rotateKeys({ now: false })
      return signed(claims, { ...header, kid: next!.kid }, key)
    },
    'another algorithm (RS256)': async ({ claims, header }) =>
      signed(claims, { ...header, alg: 'RS256' }, (await generateKeyPair('RS256')).privateKey),
    'another type (JWT)': ({ claims, header, key }) => signed(claims, { ...header, typ: 'JWT' }, key),
    'an unknown critical header': ({ claims, header, key }) =>
      signed(claims, { ...header, crit: ['x'], x: true }, key, { crit: { x: true } }),
    'another issuer': ({ claims, header, key }) => signed({ ...claims, iss: 'cairns' }, header, key),
    'another audience': ({ claims, header, key }) => signed({ ...claims, aud: 'another' }, header, key),
    'additional audiences': ({ claims, header, key }) => signed({ ...claims, aud: ['cairn', 'x'] }, header, key),
    ended: ({ claims, header, key }) => signed({ ...claims, exp: now() - 1 }, header, key),
    'no end': ({ claims, header, key }) => signed({ ...claims, exp: undefined }, header, key),
    'not yet valid': ({ claims, header, key }) => signed({ ...claims, nbf: now() + 60 }, header, key),
    'no subject': ({ claims, header, key }) => signed({ ...claims, sub: undefined }, header, key),
    'no session': ({ claims, header, key }) => signed({ ...claims, sid: undefined }, header, key),
    'a session that never existed': ({ claims, header, key }) =>
      signed({ ...claims, sid: '0193a7c0-0000-7000-8000-000000000000' }, header, key),
    'a session ID of the wrong form': ({ claims, header, key }) => signed({ ...claims, sid: 'x' }, header, key),
    'an identity token': () => provider.signIn('ada'),
  }
  test.each(Object.keys(cases))('%s', async (name) => {
    const before = asked
    const token = await cases[name]!(await genuine())
    expect(await bearing(token).get('/api/v1/apps')).toMatchObject({ status: 401 })
    // /auth/sync accepts an identity token; the others are refused there too.
    expect((await bearing(token).post('/auth/sync')).status).toBe(name === 'an identity token' ? 200 : 401)
    expect(asked).toBe(before)
  })
})

describe('several issuers at once', () => {
  test('the same subject at two issuers is two users, also with the same email address', async () => {
    const [one, two] = [await exchange(await provider.signIn('ada')), await exchange(await stranger.signIn('ada'))]
    expect([one.status, two.status]).toEqual([200, 200])
    expect(one.body.user.id).not.toBe(two.body.user.id)
    expect((await exchange(await stranger.signIn('ada'))).body.user.id).toBe(two.body.user.id)
  })

  test('an issuer with trustRoles false makes no user an admin', async () => {
    expect((await exchange(await provider.signIn('ada'))).body.user).toMatchObject({ isAdmin: true })
    expect((await exchange(await stranger.signIn('ada'))).body.user).toMatchObject({ roles: [], isAdmin: false })
  })

  test('one issuer may be configured for two audiences, each with its own trust', async () => {
    const listed = [AUDIENCE, 'phone'].map((audience) => ({
      issuer: provider.issuer,
      audience,
      trustRoles: audience === AUDIENCE,
    }))
    const other = await startService({ CAIRN_OIDC: JSON.stringify(listed) })
    const from = async (aud: string | string[]) =>
      (
        await other.anonymous.post('/auth/exchange', {
          token: await provider.sign({ aud, sub: 'both', roles: ['ops'] }),
        })
      ).body.user
    const [first, second, third] = [await from(AUDIENCE), await from('phone'), await from(['phone'])]
    expect(second.id).toBe(first.id)
    expect([first.hasOpsAccess, second.hasOpsAccess]).toEqual([true, false])
    expect(third).toEqual(second)
    await other.stop()
  })
})
