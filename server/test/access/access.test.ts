import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../builders.ts'
import { type Service, startService } from '../service.ts'
import { accessTable, type Rule } from './access-table.ts'
import { type Tenant, tenantOn } from './access-world.ts'
import { preparedOn, sendOn } from './send.ts'

type Headers = Record<string, string>

let service: Service
let own: Tenant
let other: Tenant
/** Invalid credentials, by what is wrong with them. */
let badKeys: Record<string, Headers>
let badTokens: Record<string, Headers>
let roles: Record<'ops' | 'admin', Headers>
let fromCode: Headers

beforeAll(async () => {
  service = await startService()
  own = await tenantOn(service)
  other = await tenantOn(service)
  const given = buildersOn(service)
  const [ops, admin] = [await given.user({ roles: ['ops'] }), await given.user({ roles: ['admin'] })]
  roles = { ops: ops.headers, admin: admin.headers }
  fromCode = await codeSessionOf(own)

  const rotated = await given.app({ owner: own.user })
  await own.user.post(`/api/v1/apps/${rotated.id}/api-key/rotate`, {})
  const deleted = await given.app({ owner: own.user, name: 'Gone' })
  await own.user.delete(`/api/v1/apps/${deleted.id}?name=Gone`)
  const signedOut = await given.user()
  await signedOut.post('/auth/sign-out')
  const erased = await given.user()
  await erased.delete('/api/v1/user')
  const token = own.user.headers.authorization!.slice(7)
  const forged = await new SignJWT({ sid: own.userId, roles: ['admin'] })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
    .setIssuer('cairn')
    .setAudience('cairn')
    .setSubject(own.userId)
    .setExpirationTime('5m')
    .sign((await generateKeyPair('ES256')).privateKey)

  const key = (value: string) => ({ 'x-app-api-key': value })
  const bearer = (value: string) => ({ authorization: `Bearer ${value}` })
  badKeys = {
    none: {},
    'a session token instead': own.user.headers,
    'a session token in its place': key(token),
    'with a typing error': key(own.app.key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))),
    'one that was rotated': key(rotated.key),
    'one of an app that was deleted': key(deleted.key),
    'two keys': key(`${own.app.key}, ${other.app.key}`),
  }
  badTokens = {
    none: {},
    'an app key instead': key(own.app.key),
    'an app key in its place': bearer(own.app.key),
    'Basic authentication': { authorization: `Basic ${btoa('own:secret')}` },
    'signed with another key': bearer(forged),
    'changed by one character': bearer(token.replace(/.{10}$/, (end) => end.split('').reverse().join(''))),
    'signed out': signedOut.headers,
    'of a user that was erased': erased.headers,
  }
  // Rotated, deleted and ended credentials stop working everywhere within a second.
  await new Promise((resolve) => setTimeout(resolve, 1100))
}, 120_000)
afterAll(() => service.stop())

/** A session of the tenant's user created with a six-digit code. */
async function codeSessionOf({ user }: Tenant): Promise<Headers> {
  const { body } = await user.post('/auth/codes', {})
  const exchanged = await service.anonymous.post('/auth/codes/exchange', { code: body.code })
  return { authorization: `Bearer ${exchanged.body.sessionToken}` }
}

const send = (operation: string, rule: Rule, headers: Headers) => sendOn(service, own, operation, rule, headers)
const prepared = (operation: string, rule: Rule) => preparedOn(service, own, operation, rule)

const needsKey = (rule: Rule) => rule.needs === 'appKey'
const needsToken = (rule: Rule) => ['user', 'ops', 'admin'].includes(rule.needs)
const operations = (filter: (rule: Rule) => boolean) => Object.entries(accessTable).filter(([, rule]) => filter(rule))

test('every operation of the OpenAPI document is in the table, and vice versa', async () => {
  const { paths } = (await service.anonymous.get('/openapi.json')).body
  const described = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.toSorted()).toEqual(Object.keys(accessTable).toSorted())
})

describe('without a valid app key: 401', () => {
  test.each(operations(needsKey))('%s', async (operation, rule) => {
    const request = await prepared(operation, rule)
    for (const [what, headers] of Object.entries(badKeys)) {
      const { status, body } = await request(headers)
      expect({ what, status, body }).toEqual({
        what,
        status: 401,
        body: { error: expect.any(String) },
      })
    }
  })
})

describe('without a valid session token: 401', () => {
  test.each(operations(needsToken))('%s', async (operation, rule) => {
    const request = await prepared(operation, rule)
    for (const [what, headers] of Object.entries(badTokens)) {
      // With an app key both create something for a player; without a player that is a bad request.
      const takesKey = ['POST /auth/codes', 'POST /auth/player-token'].includes(operation)
      if (takesKey && what === 'an app key instead') continue
      const { status } = await request(headers)
      expect({ what, status }).toEqual({ what, status: 401 })
    }
  })
})

describe('an optional session: none is accepted, an invalid one is 401', () => {
  test.each(operations(({ needs }) => needs === 'optionalUser'))('%s', async (operation, rule) => {
    const { none: _none, 'an app key instead': _key, ...bad } = badTokens
    const request = await prepared(operation, rule)
    for (const [what, headers] of Object.entries(bad))
      expect({ what, status: (await request(headers)).status }).toEqual({ what, status: 401 })
    expect((await send(operation, rule, {})).status).toBe(rule.stranger ?? rule.ok)
  })
})

describe('without a role: 403', () => {
  test.each(operations(({ needs }) => needs === 'ops' || needs === 'admin'))('%s', async (operation, rule) => {
    const request = await prepared(operation, rule)
    expect((await request(other.user.headers)).status).toBe(403)
    expect((await request(fromCode)).status).toBe(403)
    if (rule.needs === 'admin') expect((await request(roles.ops)).status).toBe(403)
    for (const role of rule.needs === 'ops' ? [roles.ops, roles.admin] : [roles.admin])
      expect((await send(operation, rule, role)).status).toBe(rule.ok)
  })
})

describe('the valid credential of another tenant', () => {
  test.each(operations((rule) => rule.stranger !== undefined))('%s', async (operation, rule) => {
    const headers = needsKey(rule) ? other.app.headers : other.user.headers
    expect((await send(operation, rule, headers)).status).toBe(rule.stranger)
  })
})

describe('a session created with a six-digit code', () => {
  test.each(operations(({ limited }) => limited !== undefined))('%s', async (operation, rule) => {
    expect((await send(operation, rule, fromCode)).status).toBe(rule.limited)
  })

  test('receives no app key', async () => {
    const keys = (await service.as(fromCode).get('/api/v1/apps')).body.apps.map(
      ({ apiKey }: { apiKey: string }) => apiKey,
    )
    expect(keys.length).toBeGreaterThan(0)
    for (const key of keys) expect(key).toMatch(/_…$/)
    expect((await service.as(fromCode).get(`/api/v1/apps/${own.appId}`)).body.apiKey).toMatch(/_…$/)
  })
})

describe('the valid credential', () => {
  const last = ['POST /auth/sign-out']
  const rest = operations(({ needs }) => needs !== 'ops' && needs !== 'admin')
  test.each([...rest.filter(([name]) => !last.includes(name)), ...rest.filter(([name]) => last.includes(name))])(
    '%s',
    async (operation, rule) => {
      const headers = needsKey(rule) ? own.app.headers : rule.needs === 'open' ? {} : own.user.headers
      const { status, body } = await send(operation, rule, headers)
      expect({ status, body }).toMatchObject({ status: rule.ok })
    },
  )
})
