import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { visitor } from '../../../test/scriptless-browser.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

const at = '/api/v1/accounts'
const PASSWORD = 'correct horse battery'
const OPERATOR = { actor: 'operator', address: null }
const FORM = { password: PASSWORD, again: PASSWORD }
const ELSEWHERE = JSON.stringify([{ issuer: 'https://login.example', audience: 'cairn' }])

let service: Service
let ops: Caller & { id: string }
/** The only admin, with an account. */
let root: Caller & { id: string }
beforeEach(async () => {
  service = await startService()
  const given = buildersOn(service)
  root = await given.user({ name: 'root', roles: ['admin'] })
  await service.app.operator.accounts.add({ login: 'root', password: PASSWORD }, OPERATOR)
  ops = await given.user({ name: 'olga', roles: ['ops'] })
})
afterEach(() => service.stop())

const newAccount = async (login: string, roles: string[] = [], by = root): Promise<string> => {
  const { status, body } = await by.post(at, { login, roles })
  expect(status).toBe(201)
  return body.id
}

describe('ops', () => {
  test('can change nothing about the account of an admin', async () => {
    const tries = [
      ops.patch(`${at}/${root.id}`, { disabled: true }),
      ops.patch(`${at}/${root.id}`, { email: 'olga@example.com' }),
      ops.post(`${at}/${root.id}/link`),
      ops.delete(`${at}/${root.id}`),
    ]
    for (const { status } of await Promise.all(tries)) expect(status).toBe(403)
    expect((await root.get('/api/v1/user')).status).toBe(200)
  })

  test('grant no role, to nobody: neither at creation nor later', async () => {
    for (const role of ['admin', 'ops'])
      expect(await ops.post(at, { login: 'eve', roles: [role] })).toMatchObject({ status: 403 })
    const id = await newAccount('eve', [], ops)
    for (const whose of [id, ops.id])
      expect(await ops.put(`/api/v1/users/${whose}/roles`, { roles: ['admin'] })).toMatchObject({ status: 403 })
  })

  test('cannot take over an admin without an account by creating one of its name', async () => {
    await service.app.localUser('console', ['admin'])
    expect(await ops.post(at, { login: 'console' })).toMatchObject({ status: 403 })
    expect((await root.get(`${at}?query=console`)).body.accounts).toEqual([])
    expect((await root.post(at, { login: 'console' })).body).toMatchObject({ roles: ['admin'] })
  })

  test('a link that ops made ends when its account becomes that of an admin; that of an admin does not', async () => {
    const { id, link } = (await ops.post(at, { login: 'eve' })).body
    const who = visitor()
    await who.open(link.url)
    await root.put(`/api/v1/users/${id}/roles`, { roles: ['admin'] })
    expect(await who.submit(FORM)).toMatchObject({ status: 404 })
    const { url } = (await root.post(`${at}/${id}/link`)).body
    await who.open(url)
    expect((await who.submit(FORM)).status).toBe(200)
  })

  test('a link ends when its maker loses the role or is deleted', async () => {
    const made = async (by: Caller, login: string) => (await by.post(at, { login })).body.link.url
    const url = await made(ops, 'eve')
    await root.put(`/api/v1/users/${ops.id}/roles`, { roles: [] })
    expect((await visitor().open(url)).status).toBe(404)
    const admin = await buildersOn(service).user({ roles: ['admin'] })
    const another = await made(admin, 'bob')
    await admin.delete('/api/v1/user')
    expect((await visitor().open(another)).status).toBe(404)
  })
})

describe('the last admin', () => {
  test('cannot be disabled, deleted or demoted by anyone', async () => {
    const other = await buildersOn(service).user({ name: 'second', roles: ['admin'] })
    await root.put(`/api/v1/users/${other.id}/roles`, { roles: [] })
    const stale = other
    expect((await stale.patch(`${at}/${root.id}`, { disabled: true })).status).not.toBe(200)
    for (const { status } of [
      await root.patch(`${at}/${root.id}`, { disabled: true }),
      await root.delete(`${at}/${root.id}`),
      await root.put(`/api/v1/users/${root.id}/roles`, { roles: ['ops'] }),
    ])
      expect(status).toBe(409)
    expect((await root.get(`${at}/${root.id}`)).body).toMatchObject({ roles: ['admin'], state: 'active' })
  })

  test('is the one that can sign in: an admin who is disabled or has no password does not count', async () => {
    const demoted = async () => (await root.put(`/api/v1/users/${root.id}/roles`, { roles: [] })).status
    await newAccount('invited', ['admin'])
    expect(await demoted()).toBe(409)
    const second = await buildersOn(service).user({ name: 'second', roles: ['admin'] })
    await service.app.operator.accounts.add({ login: 'second', password: PASSWORD }, OPERATOR)
    expect((await root.patch(`${at}/${second.id}`, { disabled: true })).status).toBe(200)
    expect(await demoted()).toBe(409)
    await root.patch(`${at}/${second.id}`, { disabled: false })
    expect(await demoted()).toBe(200)
  })

  test('cannot delete itself: 409, also of two who try at once', async () => {
    expect(await root.delete('/api/v1/user')).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('last admin') },
    })
    const second = await buildersOn(service).user({ name: 'second', roles: ['admin'] })
    const answers = await Promise.all([root, second].map((one) => one.delete('/api/v1/user')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409])
  })

  test('is not disabled by the operator either, who may disable every other', async () => {
    const { setDisabled } = service.app.operator.accounts
    await expect(setDisabled(root.id, true, OPERATOR)).rejects.toThrow('last admin')
    await buildersOn(service).user({ name: 'second', roles: ['admin'] })
    expect(await setDisabled(root.id, true, OPERATOR)).toMatchObject({ state: 'disabled' })
  })

  test('of two admins who disable each other at once, one stays', async () => {
    const second = await buildersOn(service).user({ name: 'second', roles: ['admin'] })
    await service.app.operator.accounts.add({ login: 'second', password: PASSWORD }, OPERATOR)
    const answers = await Promise.all([
      root.patch(`${at}/${second.id}`, { disabled: true }),
      second.patch(`${at}/${root.id}`, { disabled: true }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(
      await sqlOn(service)('select id from users where disabled_at is null and granted_roles = $1', [['admin']]),
    ).toHaveLength(1)
  })
})

test('admins cannot disable or delete themselves, also beside another', async () => {
  await newAccount('second', ['admin'])
  expect(await root.patch(`${at}/${root.id}`, { disabled: true })).toMatchObject({ status: 409 })
  expect(await root.delete(`${at}/${root.id}`)).toMatchObject({ status: 409 })
})

test('a change that is refused in one part changes nothing', async () => {
  const change = { disabled: true, email: 'root@example.com' }
  expect((await root.patch(`${at}/${root.id}`, change)).status).toBe(409)
  expect((await root.get(`${at}/${root.id}`)).body).toMatchObject({ email: null, state: 'active' })
})

test('a change of roles has them before and after in the audit log', async () => {
  const id = await newAccount('eve')
  await root.put(`/api/v1/users/${id}/roles`, { roles: ['ops'] })
  expect((await root.get(`/api/v1/audit-log?subject=${id}`)).body.entries[0]).toMatchObject({
    ...{ action: 'user.roles_changed', actor: root.id, changes: { roles: { from: null, to: 'ops' } } },
  })
})

test('without the built-in issuer, accounts and passwords are 409 with the reason', async () => {
  const elsewhere = await startService({ CAIRN_OIDC: ELSEWHERE })
  const admin = await buildersOn(elsewhere).user({ roles: ['admin'] })
  const change = { currentPassword: PASSWORD, newPassword: 'better horse battery' }
  for (const answer of [
    await admin.get(at),
    await admin.post(at, { login: 'x' }),
    await admin.put('/api/v1/user/password', change),
  ])
    expect(answer).toMatchObject({ status: 409, body: { error: expect.stringContaining('no local accounts') } })
  expect((await elsewhere.anonymous.get('/set-password?code=x')).status).toBe(404)
  await elsewhere.stop()
})
