import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consoleIsBuilt } from '../../../platform/http/console/console.ts'
import { buildersOn } from '../../../test/builders.ts'
import { signInAtBox } from '../../../test/network/box-sign-in.ts'
import { textOf, visitor } from '../../../test/scriptless-browser.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

const at = '/api/v1/accounts'
const PASSWORD = 'correct horse battery'
const NEW = 'better horse battery'
const FORM = { password: NEW, again: NEW }

let service: Service
let sql: Sql
let ops: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  sql = sqlOn(service)
  ops = await buildersOn(service).user({ roles: ['ops'] })
})
afterAll(() => service.stop())

let count = 0
/** An account that has no password yet, and its link. */
const invited = async () => {
  const login = `guest-${++count}`
  const { id, link } = (await ops.post(at, { login })).body
  return { login, id, url: link.url as string }
}
const newLink = async (id: string): Promise<string> => (await ops.post(`${at}/${id}/link`)).body.url
const refusesAll = async (url: string) => {
  expect(await visitor().open(url)).toMatchObject({ status: 404, html: expect.stringContaining('Ask for a new one') })
  expect((await fetch(url, { method: 'POST', body: new URLSearchParams(FORM) })).status).toBe(404)
}
const signIn = (login: string, password: string) => signInAtBox(service.url, { login, password })

describe('a link that sets the password of an account', () => {
  test('sets the first one, signs its browser in, and works once', async () => {
    const { login, id, url } = await invited()
    const who = visitor()
    expect(await who.open(url)).toMatchObject({
      status: 200,
      html: expect.stringContaining(`<strong>${login}</strong>`),
    })
    await who.submit(FORM)
    const signedIn = consoleIsBuilt() ? await who.open(`${service.url}/sign-in`) : who.page()
    const session = service.as({ authorization: `Bearer ${textOf(signedIn, 'token')}` })
    expect((await session.get('/api/v1/user')).body).toMatchObject({ id, username: login })
    await refusesAll(url)
    await signIn(login, NEW)
    expect((await ops.get(`${at}/${id}`)).body).toMatchObject({ state: 'active', linkExpiresAt: null })
    const entries = (await ops.get(`/api/v1/audit-log?subject=${id}&action=account.password_changed`)).body.entries
    expect(entries).toMatchObject([{ actor: id, address: '127.0.0.1', changes: null }])
  })

  test('replaces a forgotten password when it is used, not before, and then ends every session', async () => {
    const { login, id, url } = await invited()
    const who = visitor()
    await who.open(url)
    await who.submit({ password: PASSWORD, again: PASSWORD })
    const { body } = await service.anonymous.post('/auth/exchange', { token: await signIn(login, PASSWORD) })
    const session = service.as({ authorization: `Bearer ${body.serviceSessionToken}` })
    const reset = await newLink(id)
    const { linkExpiresAt } = (await ops.get(`${at}/${id}`)).body
    expect(Date.parse(linkExpiresAt) - Date.now()).toBeLessThanOrEqual(86_400_000)
    await signIn(login, PASSWORD)
    expect((await session.get('/api/v1/user')).status).toBe(200)

    const other = visitor()
    await other.open(reset)
    await other.submit(FORM)
    await expect.poll(async () => (await session.get('/api/v1/user')).status).toBe(401)
    await expect(signIn(login, PASSWORD)).rejects.toThrow('Wrong login or password')
    await signIn(login, NEW)
    expect((await ops.get(`/api/v1/audit-log?subject=${id}&action=account.link_created`)).body.entries).toMatchObject([
      { actor: ops.id },
    ])
  })

  test('of eight who use it at once, one sets the password', async () => {
    const { login, url } = await invited()
    const people = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const who = visitor({ stopAt: service.url.concat('/console') })
        await who.open(url)
        return who
      }),
    )
    const pages = await Promise.all(
      people.map((who, n) => who.submit({ password: `battery number ${n}`, again: `battery number ${n}` })),
    )
    const done = pages.flatMap(({ status }, n) => (status === 404 ? [] : [n]))
    expect(done).toHaveLength(1)
    await signIn(login, `battery number ${done[0]}`)
  })

  test('is replaced by a newer one, and ends with its time, with another change of the password and while the account is disabled', async () => {
    const { login, id, url } = await invited()
    const second = await newLink(id)
    await refusesAll(url)
    await sql("update account_links set expires_at = now() - interval '1 second' where user_id = $1", [id])
    await refusesAll(second)
    const third = await newLink(id)
    await service.app.operator.accounts.changePassword(login, PASSWORD, { actor: 'operator', address: null })
    await refusesAll(third)
    const fourth = await newLink(id)
    await ops.patch(`${at}/${id}`, { disabled: true })
    await refusesAll(fourth)
    await ops.patch(`${at}/${id}`, { disabled: false })
    await refusesAll(fourth)
  })

  test('can be one of the operator, whom no role limits', async () => {
    const { login, id } = await invited()
    await service.app.operator.users.grantRoles(id, ['admin'], { actor: 'operator', address: null })
    const { url } = await service.app.operator.accounts.newLink(id, { actor: 'operator', address: null })
    const who = visitor()
    await who.open(url)
    await who.submit(FORM)
    await signIn(login, NEW)
  })

  test('is stored as a hash, and its page is neither cached nor named to other sites', async () => {
    const { id, url } = await invited()
    const code = new URL(url).searchParams.get('code')!
    const kept = await sql(
      `select l.*, a.* from account_links l join local_accounts a using (user_id) where user_id = $1`,
      [id],
    )
    const audited = (await ops.get(`/api/v1/audit-log?subject=${id}`)).body
    for (const text of [JSON.stringify(kept), JSON.stringify(audited)]) expect(text).not.toContain(code)
    const { headers } = await visitor().open(url)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-frame-options')).toBe('DENY')
  })

  test('is not accepted from a page of another site, which lacks the cookie of this page', async () => {
    const { login, url } = await invited()
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(FORM), redirect: 'manual' })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('open the link again')
    await expect(signIn(login, NEW)).rejects.toThrow('Wrong login or password')
    const [line] = (await fetch(url)).headers.getSetCookie()
    expect(line).toMatch(/^cairn_set_password=[^;]+; Path=\/set-password; Max-Age=1800; HttpOnly; SameSite=Lax$/)
    const another = visitor()
    await another.open((await invited()).url)
    expect((await another.open(url, FORM)).status).toBe(400)
  })

  test.each([
    ['passwords that differ', { password: NEW, again: PASSWORD }, 'The two passwords differ'],
    ['a short password', { password: 'short', again: 'short' }, 'at least 8 characters'],
    ['a common password', { password: 'password1', again: 'password1' }, 'most common passwords'],
    ['an empty form', {}, 'at least 8 characters'],
  ])('%s: shows why, and the link stays valid', async (_name, form, why) => {
    const { url } = await invited()
    const who = visitor()
    await who.open(url)
    const page = await who.submit(form as Record<string, string>)
    expect(page).toMatchObject({ status: 400, html: expect.stringContaining(why) })
    expect(page.html).toContain('role="alert"')
    expect((await who.submit(FORM)).status).not.toBe(400)
  })

  test.each([
    ['an invented code', 'x'.repeat(43)],
    ['an empty code', ''],
  ])('%s is 404', async (_name, code) => {
    await refusesAll(`${service.url}/set-password?code=${code}`)
  })

  test('nobody can sign in to an account that has no password yet', async () => {
    const { login } = await invited()
    for (const password of ['', login, PASSWORD]) await expect(signIn(login, password)).rejects.toThrow('Wrong login')
  })
})
