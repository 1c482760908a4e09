import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseClock } from '../../platform/database/clock.ts'
import { beginFlow, CALLBACK } from '../../test/network/box-sign-in.ts'
import { textOf, visitor } from '../../test/scriptless-browser.ts'
import { startSecondService } from '../../test/second-service.ts'
import { type Service, startService } from '../../test/service.ts'

const PASSWORD = 'correct horse battery'
const OPERATOR = { actor: 'operator', address: null }

let service: Service
let count = 0
beforeAll(async () => {
  service = await startService({ CAIRN_TRUSTED_PROXIES: 'loopback' })
})
afterAll(() => service.stop())

/** A new account, so that tests do not use up each other's tries. */
async function newLogin() {
  const login = `person-${++count}`
  await service.app.operator.accounts.add({ login, password: PASSWORD }, OPERATOR)
  return login
}
const from = (address: string) => visitor({ headers: { 'x-forwarded-for': address } })
const newAddress = () => `198.51.100.${++count}`

/** Opens the sign-in page and tries one password. */
async function tryOnce(login: string, password: string, address = newAddress()) {
  const who = from(address)
  await who.open(`${service.url}/sign-in`)
  return who.submit({ login, password })
}

describe('/sign-in', () => {
  test("ends at a page with the user's name, a session token, its expiry and a call that creates an app", {
    tags: ['long'],
  }, async () => {
    const login = await newLogin()
    const page = await tryOnce(login, PASSWORD)
    expect(page).toMatchObject({ status: 200, html: expect.stringContaining(`Signed in as ${login}`) })
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    const token = textOf(page, 'token')
    expect(textOf(page, 'curl')).toContain(`curl -X POST ${service.url}/api/v1/apps`)
    expect(textOf(page, 'curl')).toContain('Bearer $CAIRN_TOKEN')
    expect(page.html.split(token), 'the token stands on the page once').toHaveLength(2)
    const [, end = ''] = /datetime="([^"]+)"/.exec(page.html) ?? []
    const session = service.as({ authorization: `Bearer ${token}` })
    expect((await session.post('/auth/sync')).body.user.email).toBeNull()
    const hours = (Date.parse(end) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(11)
    expect(hours).toBeLessThanOrEqual(12)
  })

  test('a sign-in expires half an hour after its start, by the clock of the database', async () => {
    const clock = { ...databaseClock(), now: () => Date.now() }
    const other = await startSecondService(service, {}, clock)
    try {
      const begun = await fetch(`${other.url}/sign-in`, { redirect: 'manual' })
      const asked = new URL(begun.headers.get('location')!)
      const query = new URLSearchParams({
        state: asked.searchParams.get('state')!,
        iss: `${other.url}/oidc`,
        error: 'access_denied',
      })
      const headers = { cookie: begun.headers.get('set-cookie')!.split(';')[0]! }
      const comeBack = async (minutes: number) => {
        clock.now = () => Date.now() + minutes * 60_000
        return (await fetch(`${other.url}/sign-in/callback?${query}`, { headers })).text()
      }
      expect(await comeBack(31)).toContain('This sign-in has expired')
      expect(await comeBack(0)).toContain('did not complete (access_denied)')
    } finally {
      await other.stop()
    }
  })

  test('opened at "localhost" it redirects to the public host, because cookies are not shared', async () => {
    const address = `${service.url.replace('127.0.0.1', 'localhost')}/sign-in`
    const answer = await fetch(address, { redirect: 'manual' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`${service.url}/sign-in`)
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  test('its pages load and run nothing, and are neither framed nor cached', async () => {
    const who = visitor()
    const { headers, html } = await who.open(`${service.url}/sign-in`)
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(html).not.toMatch(/<script|style=|https?:\/\//)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('a wrong password and an unknown login get the same response, which keeps the entered login', {
    tags: ['long'],
  }, async () => {
    const login = await newLogin()
    const wrong = await tryOnce(login, 'not the password')
    const unknown = await tryOnce('<nobody>', 'not the password')
    for (const page of [wrong, unknown]) {
      expect(page.status).toBe(401)
      expect(page.html).toContain('role="alert"')
      expect(page.html).toContain('Wrong login or password')
      expect(page.html).not.toContain('not the password')
    }
    expect(wrong.html).toContain(`value="${login}"`)
    expect(unknown.html).toContain('value="&lt;nobody&gt;"')
  })

  test.each([
    ['nothing at all', {}],
    ['an empty password', { login: 'ada', password: '' }],
    ['an enormous password', { login: 'ada', password: 'x'.repeat(9000) }],
    ['NUL', { login: 'ada\0', password: 'x' }],
  ])('%s is refused with a page', async (_name, fields) => {
    const who = from(newAddress())
    await who.open(`${service.url}/sign-in`)
    const page = await who.submit(fields as Record<string, string>)
    expect([400, 401]).toContain(page.status)
    expect(page.html).toContain('<h1>')
  })

  test('signs in as another user in the same browser', async () => {
    const [first, second] = [await newLogin(), await newLogin()]
    const who = from(newAddress())
    await who.open(`${service.url}/sign-in`)
    await who.submit({ login: first, password: PASSWORD })
    const { start, finish } = await beginFlow(service.url, { extra: { prompt: 'login' } })
    await who.open(start)
    let page = await who.submit({ login: second, password: PASSWORD })
    // Without a script, the provider requires another click.
    if (!page.url.startsWith(CALLBACK)) page = await who.submit()
    expect((await finish(page.url)).claims()?.sub).toBe(second)
  })

  test('the callback works once, and only in the browser that started the sign-in', async () => {
    const login = await newLogin()
    const who = from(newAddress())
    await who.open(`${service.url}/sign-in`)
    const { url, status } = await who.submit({ login, password: PASSWORD })
    expect(status).toBe(200)
    expect(await who.open(url)).toMatchObject({ status: 400, html: expect.stringContaining('Start again') })
    expect(await visitor().open(url)).toMatchObject({ status: 400 })
    expect(await visitor().open(`${service.url}/sign-in/callback?state=x&code=y`)).toMatchObject({ status: 400 })
    expect(await visitor().open(`${service.url}/sign-in/callback`)).toMatchObject({ status: 400 })
  })
})

test("another user's callback is refused", async () => {
  const login = await newLogin()
  const attacker = visitor({ stopAt: `${service.url}/sign-in/callback`, headers: { 'x-forwarded-for': newAddress() } })
  await attacker.open(`${service.url}/sign-in`)
  const { url } = await attacker.submit({ login, password: PASSWORD })
  const victim = from(newAddress())
  await victim.open(`${service.url}/sign-in`)
  expect(await victim.open(url)).toMatchObject({
    status: 400,
    html: expect.stringContaining('was started in another browser'),
  })
})

describe('a form submitted by another site', () => {
  test('is refused without the cookie of this sign-in, or with that of another one', async () => {
    const login = await newLogin()
    const who = from(newAddress())
    const { url } = await who.open(`${service.url}/sign-in`)
    who.forgetCookies(/interaction/)
    const page = await who.submit({ login, password: PASSWORD })
    expect(page).toMatchObject({ status: 400, html: expect.stringContaining('Start again') })

    const victim = from(newAddress())
    await victim.open(`${service.url}/sign-in`)
    for (const cookie of victim.cookies()) if (/interaction/.test(cookie.name)) cookie.path = '/'
    expect(await victim.open(url, { login, password: PASSWORD })).toMatchObject({ status: 400 })
  })

  test('cannot read the cookie, and neither can scripts', async () => {
    const start = await fetch((await beginFlow(service.url)).start, { redirect: 'manual' })
    const cookies = start.headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) expect(cookie.toLowerCase()).toMatch(/samesite=lax.*httponly|httponly.*samesite=lax/)
    const sealed = await fetch(`${service.url}/sign-in`, { redirect: 'manual' })
    expect(sealed.headers.getSetCookie()[0]).toContain('HttpOnly; SameSite=Lax')
  })

  test('ignores an Idempotency-Key: responses to passwords are not stored', async () => {
    const login = await newLogin()
    const headers = { 'x-forwarded-for': newAddress(), 'idempotency-key': 'the same one' }
    const [first, second] = [visitor({ headers }), visitor({ headers })]
    for (const who of [first, second]) await who.open(`${service.url}/sign-in`)
    expect((await first.submit({ login, password: PASSWORD })).html).toContain('Signed in as')
    expect((await second.submit({ login, password: 'wrong' })).status).toBe(401)
    expect((await second.submit({ login, password: PASSWORD })).html).toContain('Signed in as')
  })

  test('an expired or invented sign-in shows an error', async () => {
    expect(await visitor().open(`${service.url}/oidc/interaction/invented`)).toMatchObject({ status: 400 })
  })
})

describe('failed tries', () => {
  test('ten for a login: the eleventh is refused even with the right password, from any address, with a time to retry', {
    tags: ['long'],
  }, async () => {
    const login = await newLogin()
    for (let i = 0; i < 10; i++) expect((await tryOnce(login.toUpperCase(), `wrong ${i}`)).status).toBe(401)
    const refused = await tryOnce(login, PASSWORD)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500)
    expect(refused.html).toContain('Too many failed sign-ins for this login: try again in 10 minutes')
  })

  test('successful sign-ins are not counted', { tags: ['long'] }, async () => {
    const login = await newLogin()
    for (let i = 0; i < 9; i++) expect((await tryOnce(login, `wrong ${i}`)).status).toBe(401)
    for (let i = 0; i < 3; i++) expect((await tryOnce(login, PASSWORD)).status).toBe(200)
    expect((await tryOnce(login, 'wrong')).status).toBe(401)
    expect((await tryOnce(login, PASSWORD)).status).toBe(429)
  })

  test('many at once are limited to ten', { tags: ['long'] }, async () => {
    const login = await newLogin()
    const pages = await Promise.all(Array.from({ length: 25 }, (_, i) => tryOnce(login, `wrong ${i}`)))
    expect(pages.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(pages.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  test('thirty for an address; an IPv6 /64 is one address', { tags: ['long'] }, async () => {
    for (let i = 0; i < 30; i++)
      expect((await tryOnce(`unknown-${i}`, 'wrong', `2001:db8:1:2::${i + 1}`)).status).toBe(401)
    const refused = await tryOnce(await newLogin(), PASSWORD, '2001:db8:1:2:ffff::1')
    expect(refused).toMatchObject({ status: 429, html: expect.stringContaining('from this address') })
    expect((await tryOnce(await newLogin(), PASSWORD, '2001:db8:1:3::1')).status).toBe(200)
  })
})
