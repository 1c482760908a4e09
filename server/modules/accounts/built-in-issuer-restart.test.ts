// @module-tag long
import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { beginFlow, signInAtBox } from '../../test/network/box-sign-in.ts'
import { textOf, visitor } from '../../test/scriptless-browser.ts'
import { startSecondService } from '../../test/second-service.ts'
import { type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'
import { passwordHashes } from './password-hash.ts'

const PASSWORD = 'correct horse battery'
const OPERATOR = { actor: 'operator', address: null }
const PUBLIC = 'https://cairn.example/games'

let service: Service
const query = (statement: string) => sqlOn(service)(statement)
const stops: (() => Promise<void>)[] = []
beforeEach(async () => {
  service = await startService()
  await service.app.operator.accounts.add({ login: 'ada', password: PASSWORD, roles: ['ops'] }, OPERATOR)
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await service.stop()
})
const another = async (settings: Record<string, string> = {}) => {
  const made = await startSecondService(service, settings)
  stops.push(made.stop)
  return made
}
const userOf = async (token: string) => (await service.anonymous.post('/auth/exchange', { token })).body.user

/** A browser that reaches another process at the URL of the first, as through a proxy. */
const through = (next: Awaited<ReturnType<typeof another>>, options: { stopAt?: string } = {}) =>
  visitor({ ...options, via: (url) => new URL(url.pathname + url.search, next.app.http.listeningOrigin) })

describe('after a restart', () => {
  test('sessions at the built-in issuer and identity tokens stay valid, and keys are the same', async () => {
    const stopAt = `${service.url}/console/callback`
    const before = visitor()
    await before.open(`${service.url}/sign-in`)
    await before.submit({ login: 'ada', password: PASSWORD })
    const token = await signInAtBox(service.url, { login: 'ada', password: PASSWORD })
    const keys = (await service.anonymous.get('/oidc/jwks')).body
    const flow = await beginFlow(service.url, { clientId: 'cairn-console', redirect: stopAt })

    const next = await another({ CAIRN_PUBLIC_URL: service.url })
    expect((await next.as({}).get('/oidc/jwks')).body).toEqual(keys)
    expect(await next.as({}).post('/auth/exchange', { token })).toMatchObject({ status: 200 })
    const after = through(next, { stopAt })
    after.cookies().push(...before.cookies())
    expect((await after.open(flow.start)).url).toContain(`${stopAt}?code=`)
    expect((await through(next, { stopAt }).open(flow.start)).html).toContain('<h1>Sign in</h1>')
  })

  test('a sign-in can start in one process and end in another', async () => {
    const next = await another({ CAIRN_PUBLIC_URL: service.url })
    const [first, second] = [visitor(), through(next)]
    const { url } = await first.open(`${service.url}/sign-in`)
    second.cookies().push(...first.cookies())
    await second.open(url)
    expect((await second.submit({ login: 'ada', password: PASSWORD })).html).toContain('Signed in as ada')
  })
})

describe('another public URL', () => {
  test('keeps local users the same users', async () => {
    const before = await userOf(await signInAtBox(service.url, { login: 'ada', password: PASSWORD }))
    const next = await another({ CAIRN_PUBLIC_URL: 'http://127.0.0.1:1' })
    const { issuer } = (await next.as({}).get('/oidc/.well-known/openid-configuration')).body
    expect(issuer).toBe('http://127.0.0.1:1/oidc')
    // A token of the old URL is no longer valid; the user is the same.
    const old = await signInAtBox(service.url, { login: 'ada', password: PASSWORD })
    expect(decodeJwt(old).iss).toBe(`${service.url}/oidc`)
    expect(await next.as({}).post('/auth/exchange', { token: old })).toMatchObject({ status: 401 })
    expect(before.roles).toEqual(['ops'])
    expect((await next.app.localUser('ada')).id).toBe(before.id)
    expect(await query("select issuer, subject from users where issuer = 'local'")).toEqual([
      { issuer: 'local', subject: 'ada' },
    ])
  })

  test('all links use that URL and cookies are secure, regardless of Host and forwarding headers', async () => {
    const next = await another({ CAIRN_PUBLIC_URL: PUBLIC })
    const caller = next.as({
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      accept: 'text/html',
    })
    const { body } = await caller.get('/oidc/.well-known/openid-configuration')
    expect(body.issuer).toBe(`${PUBLIC}/oidc`)
    for (const [name, value] of Object.entries(body))
      if (/_endpoint$|_uri$/.test(name)) expect(value).toMatch(/^https:\/\/cairn\.example\/games\/oidc\//)

    const inject = next.app.http.inject.bind(next.app.http)
    const start = await inject({ url: '/sign-in', headers: { host: 'evil.example' } })
    const location = new URL(String(start.headers.location))
    expect(location.origin + location.pathname).toBe(`${PUBLIC}/oidc/auth`)
    expect(location.searchParams.get('redirect_uri')).toBe(`${PUBLIC}/sign-in/callback`)
    expect(String(start.headers['set-cookie'])).toMatch(/Path=\/games\/sign-in;.*Secure/)
    const page = await inject({
      url: `/oidc/auth${location.search}`,
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    })
    expect(page.headers.location).toMatch(/^https:\/\/cairn\.example\/games\/oidc\/interaction\//)
    for (const cookie of [page.headers['set-cookie']].flat()) expect(cookie).toMatch(/path=\/games\/oidc.*secure/)
  })
})

describe('the built-in issuer switched off', () => {
  test('/oidc and the first-admin page do not exist, its tokens are invalid, and /sign-in names the provider', async () => {
    const token = await signInAtBox(service.url, { login: 'ada', password: PASSWORD })
    const settings = { CAIRN_OIDC: JSON.stringify([{ issuer: 'https://login.example', audience: 'cairn' }]) }
    const off = await another({ ...settings, CAIRN_PUBLIC_URL: service.url })
    const { get, post } = off.as({})
    for (const path of ['/oidc/.well-known/openid-configuration', '/oidc/jwks', '/first-admin', '/sign-in/callback'])
      expect((await get(path)).status).toBe(404)
    expect((await get('/sign-in')).body).toContain('Sign in at the configured provider: https://login.example.')
    expect(await post('/auth/exchange', { token })).toMatchObject({ status: 401 })
    expect(await off.app.box.firstAdminLink()).toBeUndefined()

    const both = await another({ ...settings, CAIRN_BOX_ISSUER: 'on', CAIRN_PUBLIC_URL: service.url })
    expect(await both.as({}).post('/auth/exchange', { token })).toMatchObject({ status: 200 })
  })

  test('by the setting alone, without another provider', async () => {
    const off = await another({ CAIRN_BOX_ISSUER: 'off' })
    expect((await off.as({}).get('/oidc/jwks')).status).toBe(404)
    expect((await off.as({}).get('/sign-in')).body).toContain('Sign-in is not configured')
  })
})

describe('the content of the database', () => {
  test('has no password, code or ID of a sign-in in plain text', async () => {
    const who = visitor()
    await who.open(`${service.url}/sign-in`)
    const page = await who.submit({ login: 'ada', password: PASSWORD })
    expect(textOf(page, 'token')).not.toBe('')
    const kept = JSON.stringify([
      await query('select * from oidc_records'),
      await query('select * from local_accounts'),
      await query('select * from oidc_keys'),
    ])
    const secrets = [
      PASSWORD,
      '"d":',
      new URL(page.url).searchParams.get('code')!,
      ...who.cookies().map(({ value }) => value),
    ]
    for (const secret of secrets) expect(kept).not.toContain(secret)
  })

  test('a password hashed with weaker parameters is rehashed at the next sign-in', async () => {
    const old = await passwordHashes({ memory: 8192, passes: 2, parallelism: 1 }).make(PASSWORD)
    await query(`update local_accounts set password_hash = '${old}'`)
    await signInAtBox(service.url, { login: 'ada', password: PASSWORD })
    const [row] = await query('select password_hash from local_accounts')
    expect(row).toMatchObject({ password_hash: expect.stringContaining('m=19456') })
    await signInAtBox(service.url, { login: 'ada', password: PASSWORD })
  })

  test('an erased user has no account, and its sign-in is invalid', async () => {
    const who = visitor()
    await who.open(`${service.url}/sign-in`)
    const session = textOf(await who.submit({ login: 'ada', password: PASSWORD }), 'token')
    const token = await signInAtBox(service.url, { login: 'ada', password: PASSWORD })
    expect((await service.as({ authorization: `Bearer ${session}` }).delete('/api/v1/user')).status).toBe(204)
    expect(await query('select * from local_accounts')).toEqual([])
    expect(await service.anonymous.post('/auth/exchange', { token })).toMatchObject({ status: 401 })
    expect((await who.open(`${service.url}/sign-in`)).html).toContain('<h1>Sign in</h1>')

    // It is invalid for a later account of the same name too.
    await service.app.operator.accounts.add({ login: 'ada', password: 'quite another one' }, OPERATOR)
    expect(await service.anonymous.post('/auth/exchange', { token })).toMatchObject({ status: 401 })
    expect((await who.open(`${service.url}/sign-in`)).html).toContain('<h1>Sign in</h1>')
  })
})

test('failed sign-ins are counted over all processes and restarts', async () => {
  const next = await another({ CAIRN_PUBLIC_URL: service.url, CAIRN_TRUSTED_PROXIES: 'loopback' })
  const tryOnce = async (who: ReturnType<typeof visitor>, password: string) => {
    await who.open(`${service.url}/sign-in`)
    return (await who.submit({ login: 'ada', password })).status
  }
  const statuses = []
  for (let i = 0; i < 10; i++) statuses.push(await tryOnce(i % 2 ? visitor() : through(next), `wrong ${i}`))
  expect(statuses).toEqual(Array(10).fill(401))
  expect(await tryOnce(visitor(), PASSWORD)).toBe(429)
  const later = await another({ CAIRN_PUBLIC_URL: service.url })
  expect(await tryOnce(through(later), PASSWORD)).toBe(429)
  // As a whole word: its letters may be in a signature.
  expect(JSON.stringify(await query('select * from sign_in_tries'))).not.toMatch(/(?<![\w-])ada(?![\w-])/)
})
