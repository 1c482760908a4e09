import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginFlow, boxClient, CALLBACK, signInAtBox } from '../../test/network/box-sign-in.ts'
import { type Visitor, visitor } from '../../test/scriptless-browser.ts'
import { type Service, startService } from '../../test/service.ts'

const PASSWORD = 'correct horse battery'
const OPERATOR = { actor: 'operator', address: null }

let service: Service
beforeAll(async () => {
  service = await startService()
  const { accounts } = service.app.operator
  await accounts.add({ login: 'Ada', password: PASSWORD, email: 'ada@example.com', roles: ['ops'] }, OPERATOR)
  await accounts.add({ login: 'bob', password: PASSWORD }, OPERATOR)
})
afterAll(() => service.stop())

const exchange = (token: string) => service.anonymous.post('/auth/exchange', { token })
const startFrom = (parameters: Record<string, string>) =>
  fetch(`${service.url}/oidc/auth?${new URLSearchParams(parameters)}`, { redirect: 'manual' })

describe('the code flow with PKCE at the built-in issuer', () => {
  test('gives a program on the device an identity token, which the exchange and /auth/sync accept', async () => {
    const token = await signInAtBox(service.url, { login: 'ada', password: PASSWORD })
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256' })
    expect(decodeJwt(token)).toMatchObject({
      iss: `${service.url}/oidc`,
      aud: 'cairn-cli',
      sub: 'Ada',
      preferred_username: 'Ada',
      email: 'ada@example.com',
      email_verified: false,
    })
    const { status, body } = await exchange(token)
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ email: 'ada@example.com', roles: ['ops'], hasOpsAccess: true, isAdmin: false })
    const synced = await service.as({ authorization: `Bearer ${token}` }).post('/auth/sync')
    expect(synced).toMatchObject({ status: 200, body: { user: { id: body.user.id } } })
  })

  test('signs in the user that `cairn user token --name` creates, in any case of the name', async () => {
    const { body } = await exchange(await signInAtBox(service.url, { login: 'BOB', password: PASSWORD }))
    expect((await service.app.localUser('bob')).id).toBe(body.user.id)
    expect((await service.app.localUser('Bob')).id).toBe(body.user.id)
  })

  test('keeps granted roles at every sign-in', { tags: ['long'] }, async () => {
    const bob = await service.app.localUser('bob', ['admin'])
    const { body } = await exchange(await signInAtBox(service.url, { login: 'bob', password: PASSWORD }))
    expect(body.user).toMatchObject({ id: bob.id, roles: ['admin'], isAdmin: true })
    await service.app.localUser('bob', [])
    expect(
      (await exchange(await signInAtBox(service.url, { login: 'bob', password: PASSWORD }))).body.user.roles,
    ).toEqual([])
  })

  test('signs in the console in the same way, at its own URL', async () => {
    const redirect = `${service.url}/console/callback`
    const { start, finish } = await beginFlow(service.url, { clientId: 'cairn-console', redirect })
    const who = visitor({ stopAt: redirect })
    await who.open(start)
    const { id_token } = await finish((await who.submit({ login: 'ada', password: PASSWORD })).url)
    expect(decodeJwt(id_token!).aud).toBe('cairn-console')
    expect(await exchange(id_token!)).toMatchObject({ status: 200 })
  })

  test('skips the password once signed in, but requires consent for a program, which the user may not have started', async () => {
    const who = visitor({ stopAt: `${service.url}/console/callback` })
    await who.open(`${service.url}/sign-in`)
    await who.submit({ login: 'ada', password: PASSWORD })
    const flow = await beginFlow(service.url, {
      clientId: 'cairn-console',
      redirect: `${service.url}/console/callback`,
    })
    expect((await who.open(flow.start)).url).toContain('/console/callback?code=')

    const program = visitor()
    await program.open(`${service.url}/sign-in`)
    await program.submit({ login: 'ada', password: PASSWORD })
    const { start, finish } = await beginFlow(service.url)
    expect((await program.open(start)).html).toContain('Allow a program to sign in as Ada?')
    expect((await finish((await program.submit()).url)).claims()?.sub).toBe('Ada')
  })

  test('ends at the issuer by sign-out', async () => {
    const who = visitor()
    const page = await who.open(`${service.url}/sign-in`)
    await who.submit({ login: 'ada', password: PASSWORD })
    const [, href = ''] = /<a href="([^"]+)">Sign out/.exec(who.page().html) ?? []
    expect((await who.open(href.replaceAll('&amp;', '&'))).html).toContain('Sign out of this Cairn?')
    expect((await who.submit({ logout: 'yes' })).html).toContain('<h1>Sign in</h1>')
    expect(page.html).toContain('<h1>Sign in</h1>')
  })

  test('signs out at once with the identity token of the signed-in user, and asks with that of another one', async () => {
    const redirect = `${service.url}/console/callback`
    const signIn = async (who: Visitor) => {
      const { start, finish } = await beginFlow(service.url, { clientId: 'cairn-console', redirect })
      await who.open(start)
      const back = who.page().url.startsWith(redirect)
        ? who.page()
        : await who.submit({ login: 'ada', password: PASSWORD })
      return (await finish(back.url)).id_token!
    }
    const end = (id_token_hint: string, to = `${service.url}/console/`) =>
      `${service.url}/oidc/session/end?${new URLSearchParams({ id_token_hint, client_id: 'cairn-console', post_logout_redirect_uri: to })}`
    const who = visitor({ stopAt: `${service.url}/console/` })
    const token = await signIn(who)
    expect((await who.open(end(token, 'https://elsewhere.example/'))).status).toBe(400)
    expect((await who.open(end(`${token.slice(0, -8)}AAAAAAAA`))).status).toBe(400)
    expect((await who.open(end(token))).url).toBe(`${service.url}/console/`)
    const { start } = await beginFlow(service.url, { clientId: 'cairn-console', redirect })
    expect((await who.open(start)).html).toContain('<h1>Sign in</h1>')

    await service.app.operator.accounts.add(
      { login: 'Grace', password: PASSWORD },
      { actor: 'operator', address: null },
    )
    await who.submit({ login: 'Grace', password: PASSWORD })
    expect((await who.open(end(token))).html).toContain('Sign out of this Cairn?')
  })

  test('has public clients with PKCE S256, and offers nothing else', async () => {
    const { body } = await service.anonymous.get('/oidc/.well-known/openid-configuration')
    expect(body).toMatchObject({
      issuer: `${service.url}/oidc`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      id_token_signing_alg_values_supported: ['ES256'],
      grant_types_supported: ['authorization_code'],
    })
    expect(body.registration_endpoint).toBeUndefined()
  })
})

describe('refusals of the issuer', () => {
  const good = {
    client_id: 'cairn-cli',
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  }
  const errorOf = (answer: Response) => new URL(answer.headers.get('location')!).searchParams.get('error')

  test('a request without PKCE, with plain PKCE, or with another response type', async () => {
    expect((await startFrom(good)).headers.get('location')).toContain('/oidc/interaction/')
    const { code_challenge, code_challenge_method, ...withoutPkce } = good
    expect(errorOf(await startFrom(withoutPkce))).toBe('invalid_request')
    expect(errorOf(await startFrom({ ...good, code_challenge_method: 'plain' }))).toBe('invalid_request')
    expect((await startFrom({ ...good, response_type: 'id_token', nonce: 'n' })).headers.get('location')).toContain(
      'error=unsupported_response_type',
    )
  })

  test.each([
    ['another host', { redirect_uri: 'http://192.0.2.1/callback' }],
    ['another path', { redirect_uri: 'http://127.0.0.1:1/elsewhere' }],
    ["the console's address for the program", { redirect_uri: 'http://localhost/console/callback' }],
    ['an unknown client', { client_id: 'stranger' }],
    ["the program's address for the console", { client_id: 'cairn-console' }],
  ])('%s: an error page without a redirect', async (_name, change) => {
    const answer = await startFrom({ ...good, ...change })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('a wrong verifier and a repeated code; of concurrent exchanges, one gets the tokens', {
    tags: ['long'],
  }, async () => {
    const codeFor = async () => {
      const flow = await beginFlow(service.url)
      const who = visitor()
      await who.open(flow.start)
      return { ...flow, callback: (await who.submit({ login: 'ada', password: PASSWORD })).url }
    }
    const first = await codeFor()
    await expect(first.finish(first.callback, 'y'.repeat(43))).rejects.toMatchObject({ error: 'invalid_grant' })
    const second = await codeFor()
    const outcomes = await Promise.allSettled(Array.from({ length: 16 }, () => second.finish(second.callback)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
    await expect(second.finish(second.callback)).rejects.toMatchObject({ error: 'invalid_grant' })
    const third = await codeFor()
    await third.finish(third.callback)
    await expect(third.finish(third.callback)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test('a code of one client used by the other', async () => {
    const { start } = await beginFlow(service.url)
    const who = visitor()
    await who.open(start)
    const { url } = await who.submit({ login: 'ada', password: PASSWORD })
    const answer = await fetch(`${service.url}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'cairn-console',
        code: new URL(url).searchParams.get('code')!,
        code_verifier: 'x'.repeat(43),
        redirect_uri: CALLBACK,
      }),
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' })
  })
})

test('an unfinished sign-in with an accepted password, after the password was changed', async () => {
  const { accounts } = service.app.operator
  await accounts.add({ login: 'dora', password: PASSWORD }, OPERATOR)
  const untilThePassword = async (change: () => Promise<unknown>) => {
    const [who, { start }] = [visitor({ stopAt: CALLBACK }), await beginFlow(service.url)]
    const { url } = await who.open(start)
    const cookie = who.cookies().map(({ name, value }) => `${name}=${value}`)
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: cookie.join('; ') },
      body: new URLSearchParams({ login: 'dora', password: PASSWORD }),
    })
    await change()
    return who.open(new URL(answer.headers.get('location')!, url))
  }
  expect((await untilThePassword(async () => {})).url).toContain(`${CALLBACK}?code=`)
  const late = await untilThePassword(() => accounts.changePassword('dora', 'another good one', OPERATOR))
  expect(late).toMatchObject({ status: 400, html: expect.stringContaining('Sign-in failed') })
})

test('a client library finds everything by discovery', async () => {
  expect((await boxClient(service.url)).serverMetadata().issuer).toBe(`${service.url}/oidc`)
})

test('starting a sign-in counts as ten requests of its address', { tags: ['long'] }, async () => {
  const limited = await startService({ CAIRN_LIMIT_ADDRESS_PER_MINUTE: '25' })
  await limited.app.operator.accounts.add({ login: 'Ada', password: PASSWORD, roles: [] }, OPERATOR)
  const begin = () => fetch(`${limited.url}/oidc/auth?client_id=nobody`, { redirect: 'manual' })
  expect([(await begin()).status, (await begin()).status]).toEqual([400, 400])
  const third = await begin()
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, expect.any(String)])
  await limited.stop()
})
