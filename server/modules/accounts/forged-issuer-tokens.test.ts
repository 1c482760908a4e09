import { type CryptoKey, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSecrets } from '../../platform/credentials/secrets.ts'
import { beginFlow, signInAtBox } from '../../test/network/box-sign-in.ts'
import { textOf, visitor } from '../../test/scriptless-browser.ts'
import { type Service, startService } from '../../test/service.ts'

const PASSWORD = 'correct horse battery'
const OPERATOR = { actor: 'operator', address: null }

let service: Service
beforeAll(async () => {
  service = await startService()
  const { accounts } = service.app.operator
  await accounts.add({ login: 'Ada', password: PASSWORD, email: 'ada@example.com', roles: ['ops'] }, OPERATOR)
})
afterAll(() => service.stop())

const exchange = (token: string) => service.anonymous.post('/auth/exchange', { token })

describe('forged identity tokens of the built-in issuer are 401', () => {
  let version: number
  beforeAll(async () => {
    version = (await service.app.operator.accounts.find('ada'))!.version
  })
  const forged = async (
    key: CryptoKey | Uint8Array,
    header: { alg: string; kid?: string; typ?: string },
    changes = {},
  ) =>
    new SignJWT({ account_version: version, iss: `${service.url}/oidc`, aud: 'cairn-cli', sub: 'Ada', ...changes })
      .setProtectedHeader(header)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(key)
  const boxKey = async () => {
    const { body } = await service.anonymous.get('/oidc/jwks')
    expect(body.keys[0]).not.toHaveProperty('d')
    return body.keys[0]
  }

  test("with an attacker's key, with the public key as secret, and without a signature", async () => {
    const { kid, ...jwk } = await boxKey()
    const { privateKey } = await generateKeyPair('ES256')
    const publicKey = (await importJWK(jwk, 'ES256')) as CryptoKey
    const secret = new TextEncoder().encode(await exportSPKI(publicKey))
    const none = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ iss: `${service.url}/oidc`, aud: 'cairn-cli', sub: 'Ada', exp: 4e9 }))}.`
    for (const token of [
      await forged(privateKey, { alg: 'ES256', kid }),
      await forged(privateKey, { alg: 'ES256' }),
      await forged(secret, { alg: 'HS256', kid }),
      none.replaceAll('=', ''),
    ])
      expect(await exchange(token)).toMatchObject({ status: 401 })
  })

  test("with the issuer's own key: another audience, another issuer, expired, no subject, another type, a missing account", async () => {
    const client = new pg.Client({ connectionString: service.databaseUrl })
    await client.connect()
    const { rows } = await client.query('select kid, private_jwk from oidc_keys')
    await client.end()
    const { kid, private_jwk } = rows[0]
    const jwk = JSON.parse(createSecrets('a secret of the tests, long enough').open('oidc-keys', private_jwk))
    const key = (await importJWK(jwk, 'ES256')) as CryptoKey
    const token = (changes: object, header = {}) => forged(key, { alg: 'ES256', kid, ...header }, changes)
    expect(await exchange(await token({}))).toMatchObject({ status: 200 })
    for (const wrong of [
      await token({ aud: 'stranger' }),
      await token({ iss: 'http://127.0.0.1:1/oidc' }),
      await token({ iat: 1, exp: undefined, nbf: Math.floor(Date.now() / 1000) + 300 }),
      await token({ sub: undefined }),
      await token({ sub: 'ada' }),
      await token({ sub: 'nobody' }),
      await token({ account_version: version + 1 }),
      await token({ account_version: undefined }),
      await token({}, { typ: 'at+jwt' }),
      await token({}, { kid: 'other' }),
    ])
      expect(await exchange(wrong)).toMatchObject({ status: 401 })
  })

  test('a session token of the service, and an identity token sent as session token', async () => {
    const token = await signInAtBox(service.url, { login: 'ada', password: PASSWORD })
    const { body } = await exchange(token)
    expect(await exchange(body.serviceSessionToken)).toMatchObject({ status: 401 })
    expect(await service.as({ authorization: `Bearer ${token}` }).get('/api/v1/apps')).toMatchObject({ status: 401 })
  })

  test('an access token of the issuer', async () => {
    const { start, finish } = await beginFlow(service.url)
    const who = visitor()
    await who.open(start)
    const { access_token } = await finish((await who.submit({ login: 'ada', password: PASSWORD })).url)
    expect(await exchange(access_token)).toMatchObject({ status: 401 })
    expect(await service.as({ authorization: `Bearer ${access_token}` }).get('/api/v1/apps')).toMatchObject({
      status: 401,
    })
  })

  test('a token from before a change of password, which also ends sessions and sign-ins', {
    tags: ['long'],
  }, async () => {
    const { accounts } = service.app.operator
    await accounts.add({ login: 'carol', password: PASSWORD }, OPERATOR)
    const who = visitor()
    await who.open(`${service.url}/sign-in`)
    const session = textOf(await who.submit({ login: 'carol', password: PASSWORD }), 'token')
    const token = await signInAtBox(service.url, { login: 'carol', password: PASSWORD })
    expect(await exchange(token)).toMatchObject({ status: 200 })
    await accounts.changePassword('carol', 'another good one', OPERATOR)
    expect(await exchange(token)).toMatchObject({ status: 401 })
    expect((await who.open(`${service.url}/sign-in`)).html).toContain('<h1>Sign in</h1>')
    await expect(signInAtBox(service.url, { login: 'carol', password: PASSWORD })).rejects.toThrow('401')
    await expect
      .poll(() =>
        service
          .as({ authorization: `Bearer ${session}` })
          .get('/api/v1/apps')
          .then(({ status }) => status),
      )
      .toBe(401)
    expect(
      await exchange(await signInAtBox(service.url, { login: 'carol', password: 'another good one' })),
    ).toMatchObject({ status: 200 })
  })
})
