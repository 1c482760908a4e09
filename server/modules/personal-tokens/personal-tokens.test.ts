import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitedSession } from '../../test/access/limited-session.ts'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { startSecondService } from '../../test/second-service.ts'
import { type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
afterAll(() => service.stop())

const tokens = '/api/v1/user/tokens'
type User = Awaited<ReturnType<typeof given.user>>
let user: User
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)

  user = await given.user()
})

const newToken = async (of: User = user, more: object = {}) => {
  const { status, body } = await of.post(tokens, { name: 'QGIS', ...more })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body as { id: string; token: string; expiresAt: string; createdAt: string }
}
const bearer = (token: string) => service.as({ authorization: `Bearer ${token}` })
const basic = (name: string, password: string) =>
  service.as({ authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` })
const me = '/api/v1/user'

describe('a personal token', () => {
  test('is shown once, reads for 90 days by default, and is stored only as a hash', async () => {
    const { token, ...rest } = await newToken()
    expect(token).toMatch(/^cairn_user_[\w-]{43}$/)
    expect(rest).toMatchObject({ name: 'QGIS', scope: 'read' })
    expect(Date.parse(rest.expiresAt) - Date.parse(rest.createdAt)).toBeCloseTo(90 * 86_400_000, -4)
    const { body, headers } = await user.get(tokens)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.tokens).toContainEqual(rest)
    expect(JSON.stringify(body)).not.toContain(token)
    const stored = await sql('select t::text as row from personal_tokens t where id = $1', [rest.id])
    expect(JSON.stringify(stored)).not.toContain(token.slice(11))
  })

  test('acts for its user as a Bearer token, and as the password of HTTP Basic whatever the user name', async () => {
    const { token } = await newToken()
    for (const caller of [bearer(token), basic('', token), basic('ada', token)])
      expect(await caller.get(me)).toMatchObject({ status: 200, body: { id: user.id } })
  })

  test('with the scope write makes records that belong to its user', async () => {
    const { token } = await newToken(user, { scope: 'write' })
    const { status, body } = await bearer(token).post('/api/zones', { title: 'By a program' })
    expect({ status, userId: body.userId }).toEqual({ status: 201, userId: user.id })
  })

  test('with the scope read changes nothing: 403', async () => {
    const { token } = await newToken()
    const { status, body } = await bearer(token).post('/api/zones', { title: 'Refused' })
    expect({ status, body }).toEqual({
      status: 403,
      body: { error: 'This personal token can only read: create one with the scope write' },
    })
  })

  test('never has the roles of its user', async () => {
    const ops = await given.user({ roles: ['ops'] })
    const zone = (await user.post('/api/zones', { title: 'Of another user' })).body
    const { token } = await newToken(ops, { scope: 'write' })
    expect((await ops.put(`/api/zones/${zone.id}`, { title: 'By ops' })).status).toBe(200)
    expect((await bearer(token).put(`/api/zones/${zone.id}`, { title: 'By the token' })).status).toBe(403)
  })

  test.each([
    ['one that was never issued', `cairn_user_${'a'.repeat(43)}`],
    ['its beginning alone', 'cairn_user_'],
  ])('is 401 if it is %s', async (_what, token) => {
    expect((await bearer(token).get(me)).status).toBe(401)
    expect((await basic('', token).get(me)).status).toBe(401)
  })

  test('is 401 once it has expired, and is neither listed nor counted then', async () => {
    const other = await given.user()
    const { id, token } = await newToken(other)
    await sql(`update personal_tokens set expires_at = clock_timestamp() where id = $1`, [id])
    expect((await bearer(token).get(me)).status).toBe(401)
    expect((await other.get(tokens)).body.tokens).toEqual([])
    await newToken(other)
    expect(await sql('select from personal_tokens where id = $1', [id])).toEqual([])
  })

  test('stops working in every process within a second of its deletion', async () => {
    const { id, token } = await newToken()
    const second = await startSecondService(service)
    try {
      const there = second.as({ authorization: `Bearer ${token}` })
      expect((await there.get(me)).status).toBe(200)
      expect((await user.delete(`${tokens}/${id}`)).status).toBe(204)
      await new Promise((resolve) => setTimeout(resolve, 1000))
      expect((await there.get(me)).status).toBe(401)
      expect((await bearer(token).get(me)).status).toBe(401)
    } finally {
      await second.stop()
    }
  })

  test('ends with its user', async () => {
    const leaving = await given.user()
    const { id, token } = await newToken(leaving)
    await leaving.delete(me)
    expect(await sql('select from personal_tokens where id = $1', [id])).toEqual([])
    expect((await bearer(token).get(me)).status).toBe(401)
  })
})

describe('the personal tokens of a user', () => {
  test('are at most 20: one more is 409', async () => {
    const other = await given.user()
    for (let n = 0; n < 20; n++) await newToken(other)
    expect(await other.post(tokens, { name: 'One more' })).toMatchObject({
      status: 409,
      body: { error: 'A user can have at most 20 personal tokens: delete one first' },
    })
  })

  test('are at most 20, also when many are created at a time', async () => {
    const other = await given.user()
    const answers = await Promise.all(Array.from({ length: 30 }, () => other.post(tokens, { name: 'At once' })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
  })

  test('cannot be managed with a personal token or a session of a six-digit code: 403', async () => {
    const { id, token } = await newToken(user, { scope: 'write' })
    for (const caller of [bearer(token), await limitedSession(service, user)]) {
      expect((await caller.get(tokens)).status).toBe(403)
      expect((await caller.post(tokens, { name: 'Another' })).status).toBe(403)
      expect((await caller.delete(`${tokens}/${id}`)).status).toBe(403)
    }
  })

  test('of another user are not found', async () => {
    const { id } = await newToken()
    const other = await given.user()
    expect((await other.delete(`${tokens}/${id}`)).status).toBe(404)
    expect((await user.get(tokens)).body.tokens.map((one: { id: string }) => one.id)).toContain(id)
  })

  test('are in the audit log when they are created and deleted', async () => {
    const { id } = await newToken()
    await user.delete(`${tokens}/${id}`)
    const entries = await sql('select action, actor, address from audit_log where subject = $1 order by id', [id])
    expect(entries).toEqual([
      { action: 'personal_token.created', actor: user.id, address: '127.0.0.1' },
      { action: 'personal_token.deleted', actor: user.id, address: '127.0.0.1' },
    ])
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'A', scope: 'admin' }, 'scope'],
    [{ name: 'A', lifetimeDays: 367 }, 'lifetimeDays'],
  ])('are not created from %j: 400', async (body, path) => {
    const answer = await user.post(tokens, body)
    expect(answer).toMatchObject({ status: 400, body: { error: [{ path: [path] }] } })
  })
})
