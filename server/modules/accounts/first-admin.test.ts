// @module-tag long
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { consoleIsBuilt } from '../../platform/http/console/console.ts'
import { textOf, visitor } from '../../test/scriptless-browser.ts'
import { startSecondService } from '../../test/second-service.ts'
import { type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'

const FORM = { login: 'Ada', password: 'correct horse battery', again: 'correct horse battery' }
const OPERATOR = { actor: 'operator', address: null }

let service: Service
const query = (statement: string) => sqlOn(service)(statement)
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.stop())

const post = (link: string, form: Record<string, string>) =>
  fetch(link, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })

describe('the one-time link for the first admin', () => {
  test('creates the first admin, who is signed in without typing the password again', async () => {
    const link = (await service.app.box.firstAdminLink())!
    expect(link).toMatch(new RegExp(`^${service.url}/first-admin\\?code=[\\w-]{43}$`))
    const who = visitor()
    expect((await who.open(link)).html).toContain('Create the first admin')
    await who.submit(FORM)
    const signedIn = consoleIsBuilt() ? await who.open(`${service.url}/sign-in`) : who.page()
    const token = textOf(signedIn, 'token')
    const { body } = await service.as({ authorization: `Bearer ${token}` }).post('/auth/sync')
    expect(body.user).toMatchObject({ roles: ['admin'], isAdmin: true })

    expect(await visitor().open(link)).toMatchObject({ status: 410, html: expect.stringContaining('It was used') })
    expect((await post(link, { ...FORM, login: 'eve' })).status).toBe(410)
    expect(await service.app.box.firstAdminLink()).toBeUndefined()
    const [entry] = await query("select actor, address, subject from audit_log where action = 'account.created'")
    expect(entry).toEqual({ actor: body.user.id, address: '127.0.0.1', subject: body.user.id })
  })

  test('works once: of eight concurrent submissions one creates the account', async () => {
    const link = (await service.app.box.firstAdminLink())!
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => post(link, { ...FORM, login: `admin-${i}` })))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(7).fill(410)])
    expect(await query('select login from local_accounts')).toHaveLength(1)
    expect(await query('select id from users')).toHaveLength(1)
  })

  test('is replaced by that of a later start; its code is stored nowhere', async () => {
    const [first, second] = [(await service.app.box.firstAdminLink())!, (await service.app.box.firstAdminLink())!]
    expect(await visitor().open(first)).toMatchObject({ status: 410, html: expect.stringContaining('newer link') })
    expect((await post(first, FORM)).status).toBe(410)
    expect((await visitor().open(second)).status).toBe(200)
    const kept = JSON.stringify(await query('select * from first_admin_links'))
    expect(kept).not.toContain(new URL(second).searchParams.get('code'))
  })

  test('ends when the operator creates an account or an admin', async () => {
    const link = (await service.app.box.firstAdminLink())!
    await service.app.operator.accounts.add({ login: 'bob', password: FORM.password }, OPERATOR)
    expect((await visitor().open(link)).status).toBe(410)
    expect((await post(link, FORM)).status).toBe(410)
    expect(await service.app.box.firstAdminLink()).toBeUndefined()
  })

  test('is not created if an admin exists', async () => {
    await service.app.localUser('operator', ['admin'])
    expect(await service.app.box.firstAdminLink()).toBeUndefined()
  })

  test.each([
    ['an invented code', 'x'.repeat(43)],
    ['an empty code', ''],
  ])('%s is not accepted', async (_name, code) => {
    expect(await visitor().open(`${service.url}/first-admin?code=${code}`)).toMatchObject({ status: 404 })
    expect((await post(`${service.url}/first-admin?code=${code}`, FORM)).status).toBe(404)
  })

  test.each([
    ['passwords that differ', { ...FORM, again: 'another' }, 'The two passwords differ'],
    ['a password that is too short', { ...FORM, password: 'short', again: 'short' }, 'at least 8 characters'],
    ['no login', { ...FORM, login: ' ' }, 'Enter a login'],
    ['an empty form', {}, 'Enter a login'],
  ])('%s: shows why, and the link stays valid', async (_name, form, why) => {
    const link = (await service.app.box.firstAdminLink())!
    const who = visitor()
    await who.open(link)
    const page = await who.submit(form as Record<string, string>)
    expect(page).toMatchObject({ status: 400, html: expect.stringContaining(why) })
    expect(page.html).toContain('role="alert"')
    expect(new URL((await who.submit(FORM)).url).pathname).not.toBe('/first-admin')
  })
})

test('the sign-in page says where the link is while there are no accounts', async () => {
  expect((await visitor().open(`${service.url}/sign-in`)).html).toContain('There are no accounts yet')
  await service.app.operator.accounts.add({ login: 'bob', password: FORM.password }, OPERATOR)
  expect((await visitor().open(`${service.url}/sign-in`)).html).not.toContain('There are no accounts yet')
})

test('an existing local user of that name becomes the user of the account, and keeps its roles', async () => {
  const before = await service.app.localUser('ops-person', ['ops'])
  const { user } = await service.app.operator.accounts.add({ login: 'ops-person', password: FORM.password }, OPERATOR)
  expect(user).toMatchObject({ id: before.id, grantedRoles: ['ops'] })
  await expect(
    service.app.operator.accounts.add({ login: 'OPS-Person', password: FORM.password }, OPERATOR),
  ).rejects.toMatchObject({ status: 409 })
})

test('another process sees the first admin at once', async () => {
  const link = (await service.app.box.firstAdminLink())!
  const another = await startSecondService(service)
  await another.app.operator.accounts.add({ login: 'bob', password: FORM.password }, OPERATOR)
  expect((await post(link, FORM)).status).toBe(410)
  await another.stop()
})
