import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { signInAtBox } from '../../../test/network/box-sign-in.ts'
import { visitor } from '../../../test/scriptless-browser.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

const at = '/api/v1/accounts'
const PASSWORD = 'correct horse battery'
const OPERATOR = { actor: 'operator', address: null }

let service: Service
let given: Builders
let sql: Sql
let admin: Caller & { id: string }
let ops: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
  admin = await given.user({ roles: ['admin'] })
  ops = await given.user({ roles: ['ops'] })
})
afterAll(() => service.stop())

let count = 0
/** An account with a password, and a session of its user. */
const person = async (roles: ('admin' | 'ops')[] = []) => {
  const login = `person-${++count}`
  const { user } = await service.app.operator.accounts.add({ login, password: PASSWORD, roles }, OPERATOR)
  const token = await signInAtBox(service.url, { login, password: PASSWORD })
  const { body } = await service.anonymous.post('/auth/exchange', { token })
  return { login, id: user.id, ...service.as({ authorization: `Bearer ${body.serviceSessionToken}` }) }
}
const entriesOf = async (id: string) =>
  (await admin.get(`/api/v1/audit-log?subject=${id}`)).body.entries.map(
    ({ action, actor, changes }: { action: string; actor: string; changes: unknown }) => ({ action, actor, changes }),
  )

describe('local accounts over HTTP', () => {
  test('an account is created without a password, with a link that only this response has', async () => {
    const made = await admin.post(at, { login: ' Grace ', email: 'grace@example.com', roles: ['ops'] })
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...{ login: 'Grace', username: 'Grace', email: 'grace@example.com', roles: ['ops'], state: 'invited' },
        ...{ lockedUntil: null, lastSignInAt: null },
        link: { url: expect.stringMatching(new RegExp(`^${service.url}/set-password\\?code=[\\w-]{43}$`)) },
      },
    })
    const { link, ...account } = made.body
    expect(made.headers.get('cache-control')).toBe('no-store')
    expect(account.linkExpiresAt).toBe(link.expiresAt)
    expect(Date.parse(link.expiresAt) - Date.parse(account.createdAt)).toBeGreaterThanOrEqual(7 * 86_400_000 - 1000)
    expect((await ops.get(`${at}/${account.id}`)).body).toEqual(account)
    expect(await entriesOf(account.id)).toEqual([
      { action: 'account.created', actor: admin.id, changes: { roles: { from: null, to: 'ops' } } },
    ])
    expect(await admin.post(at, { login: 'GRACE' })).toMatchObject({ status: 409 })
  })

  test.each([
    ['no login', { login: ' ' }, 'Enter a login'],
    ['an invisible character', { login: 'a\u200bb' }, 'control or invisible'],
    ['a wrong address', { login: 'x', email: 'nowhere' }, 'mail'],
    ['an unknown role', { login: 'x', roles: ['root'] }, 'admin'],
  ])('%s is 400', async (_what, body, why) => {
    const answer = await admin.post(at, body)
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain(why)
  })

  test('the list is paged, oldest first, and finds part of a login or an address', async () => {
    const names = ['list-c', 'list-a', 'list-b']
    for (const login of names) await admin.post(at, { login, email: `${login}@list.example` })
    const first = await ops.get(`${at}?query=LIST-&limit=2`)
    expect(first.headers.get('x-total-count')).toBe('3')
    const [, next] = /^<([^>]+)>/.exec(first.headers.get('link')!)!
    const rest = await ops.get(next!)
    expect([...first.body.accounts, ...rest.body.accounts].map(({ login }) => login)).toEqual(names)
    expect((await ops.get(`${at}?query=a@list.example`)).body.accounts).toMatchObject([{ login: 'list-a' }])
  })

  test('an account has its last sign-in, and until when it is locked after too many failed ones', async () => {
    const user = await person()
    expect((await ops.get(`${at}/${user.id}`)).body).toMatchObject({
      ...{ state: 'active', lockedUntil: null, linkExpiresAt: null },
      lastSignInAt: expect.stringMatching(/Z$/),
    })
    for (let tried = 0; tried < 10; tried++)
      await signInAtBox(service.url, { login: user.login, password: 'wrong' }).catch(() => undefined)
    const { lockedUntil } = (await ops.get(`${at}/${user.id}`)).body
    expect(Date.parse(lockedUntil)).toBeGreaterThan(Date.now())
    await sql('delete from sign_in_tries')
  })

  test('the email address is changed and removed: the account stays the same, and the audit log has no address', async () => {
    const user = await person()
    const change = (body: object) => ops.patch(`${at}/${user.id}`, body)
    expect(await change({ email: 'new@mail.example' })).toMatchObject({
      status: 200,
      body: { email: 'new@mail.example', login: user.login, state: 'active' },
    })
    expect((await ops.get(`${at}?query=new@mail.example`)).body.accounts).toMatchObject([{ id: user.id }])
    // Also after a sign-in, which updates what the issuer says about the user.
    const token = await signInAtBox(service.url, { login: user.login, password: PASSWORD })
    expect((await service.anonymous.post('/auth/exchange', { token })).body.user.email).toBe('new@mail.example')
    expect((await user.get('/api/v1/user')).body.email).toBe('new@mail.example')
    for (const body of [{ email: 'new@mail.example' }, {}]) expect((await change(body)).status).toBe(200)
    expect((await change({ email: 'nowhere' })).status).toBe(400)
    expect(await change({ email: null })).toMatchObject({ status: 200, body: { email: null } })
    const changed = { action: 'account.email_changed', actor: ops.id, changes: null }
    expect((await entriesOf(user.id)).filter((entry: { action: string }) => entry.action === changed.action)).toEqual([
      changed,
      changed,
    ])
  })

  test('a disabled account cannot sign in, and its sessions and personal tokens are refused until it is enabled', async () => {
    const user = await person()
    const { token } = (await user.post('/api/v1/user/tokens', { name: 'QGIS' })).body
    const program = service.as({ authorization: `Bearer ${token}` })
    const { code } = (await user.post('/auth/codes', {})).body
    for (const caller of [user, program]) expect((await caller.get('/api/v1/user')).status).toBe(200)
    expect(await ops.patch(`${at}/${user.id}`, { disabled: true })).toMatchObject({ body: { state: 'disabled' } })
    for (const caller of [user, program])
      await expect.poll(async () => (await caller.get('/api/v1/user')).status).toBe(401)
    expect((await service.anonymous.post('/auth/codes/exchange', { code })).body.sessionToken).toBeUndefined()
    await expect(signInAtBox(service.url, { login: user.login, password: PASSWORD })).rejects.toThrow(
      /403[\s\S]*This account is disabled/,
    )
    await expect(signInAtBox(service.url, { login: user.login, password: 'a wrong one' })).rejects.toThrow(
      /401[\s\S]*Wrong login or password/,
    )
    expect(await ops.post(`${at}/${user.id}/link`)).toMatchObject({ status: 409 })

    expect(await ops.patch(`${at}/${user.id}`, { disabled: false })).toMatchObject({ body: { state: 'active' } })
    await signInAtBox(service.url, { login: user.login, password: PASSWORD })
    await expect.poll(async () => (await program.get('/api/v1/user')).status).toBe(200)
    expect((await user.get('/api/v1/user')).status).toBe(401)
    expect((await entriesOf(user.id)).slice(0, 2)).toEqual([
      { action: 'account.enabled', actor: ops.id, changes: null },
      { action: 'account.disabled', actor: ops.id, changes: null },
    ])
  })

  test('deletion erases the user with its account and link, unless the user is the only owner of an app', async () => {
    const user = await person()
    const app = await user.post('/api/v1/apps', { name: 'Kept', description: 'A race' })
    expect(await ops.delete(`${at}/${user.id}`)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('"Kept"') },
    })
    await user.delete(`/api/v1/apps/${app.body.id}?name=Kept`)
    const { url } = (await ops.post(`${at}/${user.id}/link`)).body
    expect((await ops.delete(`${at}/${user.id}`)).status).toBe(204)
    await expect.poll(async () => (await user.get('/api/v1/user')).status).toBe(401)
    expect((await ops.get(`${at}/${user.id}`)).status).toBe(404)
    expect((await visitor().open(url)).status).toBe(404)
    expect((await entriesOf(user.id))[0]).toMatchObject({ action: 'user.erased', actor: ops.id })
  })

  test('a user without an account is 404', async () => {
    const { id } = await given.user()
    expect((await admin.get(`${at}/${id}`)).status).toBe(404)
    expect((await admin.patch(`${at}/${id}`, { disabled: true })).status).toBe(404)
    expect((await admin.delete(`${at}/${id}`)).status).toBe(404)
    expect((await admin.get(`/api/v1/users/${id}`)).status).toBe(200)
  })
})
