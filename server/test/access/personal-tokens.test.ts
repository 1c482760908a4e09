// @module-tag long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../service.ts'
import { accessTable, type Rule } from './access-table.ts'
import { type Tenant, tenantOn } from './access-world.ts'
import { sendOn } from './send.ts'

let service: Service
let own: Tenant
let reads: Record<string, string>
let writes: Record<string, string>
let ofOther: Record<string, string>
/** The operations that list personal tokens in the OpenAPI document. */
let listed: Set<string>

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

beforeAll(async () => {
  service = await startService()
  own = await tenantOn(service)
  const other = await tenantOn(service)
  reads = bearer((await own.newToken('read')).token)
  writes = bearer((await own.newToken('write')).token)
  ofOther = bearer((await other.newToken('write')).token)
  const { paths } = (await service.anonymous.get('/openapi.json')).body
  listed = new Set(
    Object.entries<Record<string, { security?: object[] }>>(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security = [] }]) => security.some((one) => 'personalToken' in one))
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    ),
  )
})
afterAll(() => service.stop())

const takesUser = Object.entries(accessTable).filter(([, { needs }]) => needs !== 'open' && needs !== 'appKey')
const isRead = (operation: string) => operation.startsWith('GET ')
const statusOf = async (operation: string, rule: Rule, headers: Record<string, string>) =>
  (await sendOn(service, own, operation, rule, headers)).status
/** That of a refused personal token: a token is exchanged or renewed by itself, so there it is an unknown one. */
const refusal = (operation: string) => (operation === 'POST /auth/sync' ? 401 : 403)

test('personal tokens are listed on operations with places and files, and on no other but two reads of the user', () => {
  expect(listed).toContain('PUT /api/gcp/{id}')
  expect(listed).toContain('POST /api/upload')
  const others = [...listed].filter(
    (operation) => !/ (\/ogc|\/geopose|\/api\/(?!v1\/)|\/api\/v1\/(tags|(user\/)?(scans|files)))/.test(operation),
  )
  expect(others.toSorted()).toEqual(['GET /api/v1/user', 'GET /api/v1/user/quotas'])
})

describe('a personal token that may only read, on an operation that needs or takes a user', () => {
  test.each(takesUser)('%s', async (operation, rule) => {
    const expected = isRead(operation) && listed.has(operation) ? rule.ok : refusal(operation)
    expect(await statusOf(operation, rule, reads)).toBe(expected)
  })
})

describe('the personal token of another user that may write', () => {
  test.each(takesUser.filter(([, { stranger }]) => stranger !== undefined))('%s', async (operation, rule) => {
    expect(await statusOf(operation, rule, ofOther)).toBe(listed.has(operation) ? rule.stranger : refusal(operation))
  })
})

describe('a personal token that may write, on an operation that needs or takes a user', () => {
  test.each(takesUser)('%s', async (operation, rule) => {
    expect(await statusOf(operation, rule, writes)).toBe(listed.has(operation) ? rule.ok : refusal(operation))
  })
})

describe('a personal token beside the ID of an app', () => {
  test.each(Object.entries(accessTable).filter(([, { needs }]) => needs === 'appKey'))(
    '%s',
    async (operation, rule) => {
      const status = await statusOf(operation, rule, { ...writes, 'x-app-id': own.appId })
      expect(status).toBeOneOf([401, 403])
    },
  )
})
