import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { signInAtBox } from '../../../test/network/box-sign-in.ts'
import { type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

const path = '/api/v1/user/password'
const PASSWORD = 'correct horse battery'
const NEW = 'better horse battery'
const OPERATOR = { actor: 'operator', address: null }
const change = { currentPassword: PASSWORD, newPassword: NEW }

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

let count = 0
const account = async () => {
  const login = `person-${++count}`
  const { user } = await service.app.operator.accounts.add({ login, password: PASSWORD }, OPERATOR)
  return { login, id: user.id }
}
const sessionOf = async (login: string, password = PASSWORD) => {
  const { body } = await service.anonymous.post('/auth/exchange', {
    token: await signInAtBox(service.url, { login, password }),
  })
  return service.as({ authorization: `Bearer ${body.serviceSessionToken}` })
}
const statusOf = async (caller: Awaited<ReturnType<typeof sessionOf>>) => (await caller.get('/api/v1/user')).status

describe('the own password', () => {
  test('is changed with the present one; the other sessions end, and this one goes on', async () => {
    const { login, id } = await account()
    const [here, elsewhere] = [await sessionOf(login), await sessionOf(login)]
    expect((await here.put(path, change)).status).toBe(204)
    await expect.poll(() => statusOf(elsewhere)).toBe(401)
    expect(await statusOf(here)).toBe(200)
    await expect(sessionOf(login)).rejects.toThrow('Wrong login or password')
    await sessionOf(login, NEW)
    const audited = await sqlOn(service)(
      "select actor, action, changes from audit_log where subject = $1 and action like 'account.p%'",
      [id],
    )
    expect(audited).toEqual([{ actor: id, action: 'account.password_changed', changes: null }])
  })

  test.each([
    ['a wrong current one', { ...change, currentPassword: 'wrong' }, 'currentPassword', 'not your current password'],
    ['a short new one', { ...change, newPassword: 'short' }, 'newPassword', 'at least 8 characters'],
    ['a common new one', { ...change, newPassword: 'password1' }, 'newPassword', 'most common'],
  ])('%s is 400 at its member, and nothing changes', async (_what, body, member, why) => {
    const { login } = await account()
    const session = await sessionOf(login)
    expect(await session.put(path, body)).toMatchObject({
      status: 400,
      body: { error: [{ path: [member], message: expect.stringContaining(why) }] },
    })
    await sessionOf(login)
  })

  test('is guessed at most ten times in ten minutes, as at sign-in and together with it: 429', async () => {
    const { login } = await account()
    const session = await sessionOf(login)
    const wrong = { ...change, currentPassword: 'wrong' }
    for (let tried = 0; tried < 5; tried++) expect((await session.put(path, wrong)).status).toBe(400)
    for (let tried = 0; tried < 5; tried++) await sessionOf(login, 'wrong').catch(() => undefined)
    const refused = await session.put(path, change)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await sqlOn(service)('delete from sign_in_tries')
    expect((await session.put(path, change)).status).toBe(204)
  })

  test('of two changes at once, one is stored', async () => {
    const { login } = await account()
    const session = await sessionOf(login)
    const both = [1, 2].map((n) => session.put(path, { ...change, newPassword: `battery number ${n}` }))
    const statuses = (await Promise.all(both)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    await sessionOf(login, `battery number ${statuses.indexOf(204) + 1}`)
  })

  test('is 409 for a user who has none here, and the link that resets it ends with a change', async () => {
    const stranger = await buildersOn(service).user()
    expect(await stranger.put(path, change)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('identity provider') },
    })
    const { login, id } = await account()
    const ops = await buildersOn(service).user({ roles: ['ops'] })
    const { url } = (await ops.post(`/api/v1/accounts/${id}/link`)).body
    await (await sessionOf(login)).put(path, change)
    expect((await fetch(url)).status).toBe(404)
  })
})
