// @module-tag long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { APP_ROLES, type AppRole, includesRole } from '../../platform/credentials/app-roles.ts'
import { buildersOn } from '../builders.ts'
import { type Caller, type Service, startService } from '../service.ts'
import { accessTable } from './access-table.ts'
import { type Tenant, tenantOn } from './access-world.ts'
import { sendOn } from './send.ts'
import { keyOnly, leastRoles } from './table/roles.ts'

let service: Service
let own: Tenant
let members: Record<AppRole, Caller & { id: string }>
let outsider: Caller & { id: string }

beforeAll(async () => {
  service = await startService()
  own = await tenantOn(service)
  const given = buildersOn(service)
  outsider = await given.user()
  const made = APP_ROLES.map(async (role) => [role, await given.user()] as const)
  members = Object.fromEntries(await Promise.all(made)) as typeof members
  for (const role of APP_ROLES) await join(own.appId, members[role].id, role)
}, 120_000)
afterAll(() => service.stop())

const join = async (appId: string, userId: string, role: AppRole) => {
  const { status } = await own.user.post(`/api/v1/apps/${appId}/members`, { userId, role })
  if (status !== 201) throw new Error(`not added: ${status}`)
}

/** Sends what the owner's tenant would send, as a member; apps that the operation uses up get the member first. */
async function sendAs(caller: Caller & { id: string }, role: AppRole | undefined, operation: string) {
  const rule = accessTable[operation]!
  const { path, body, headers } = await rule.call(own)
  const [, appId] = /^\/api\/v1\/apps\/([0-9a-f-]{36})/.exec(path) ?? []
  if (role && appId && appId !== own.appId) await join(appId, caller.id, role)
  // A member leaves an app by its own name.
  if (operation.startsWith('DELETE') && path.includes('/members/')) return leave(caller, role)
  const isConfig = operation.includes(' /api/v1/apps/config')
  const call = {
    path: isConfig ? `${path}?appId=${own.appId}` : path,
    ...(body !== undefined && { body }),
    ...(headers && { headers }),
  }
  const inApp: Record<string, string> = rule.needs === 'appKey' && !isConfig ? { 'x-app-id': own.appId } : {}
  return (await sendOn(service, own, operation, { ...rule, call: () => call }, { ...caller.headers, ...inApp })).status
}

/** In a spare app, so that the member stays one of the tenant's app. */
async function leave(caller: Caller & { id: string }, role: AppRole | undefined): Promise<number> {
  const appId = role ? await own.newApp() : own.appId
  if (role) await join(appId, caller.id, role)
  return (await caller.delete(`/api/v1/apps/${appId}/members/${caller.id}`)).status
}

test('every operation in an app has one least role', () => {
  const inApp = Object.entries(accessTable).filter(
    ([operation, { needs }]) => needs === 'appKey' || operation.includes('/apps/{id}'),
  )
  expect([...keyOnly, ...leastRoles.map(([operation]) => operation)].toSorted()).toEqual(
    inApp.map(([name]) => name).toSorted(),
  )
})

describe('a member may do what the role includes, and nothing else: 403', () => {
  test.each(leastRoles)('%s needs %s', async (operation, least) => {
    for (const role of APP_ROLES) {
      const status = await sendAs(members[role], role, operation)
      expect({ role, status }).toEqual({ role, status: includesRole(role, least) ? accessTable[operation]!.ok : 403 })
    }
  })
})

describe('with the ID of an app that the caller is no member of: 404', () => {
  test.each(leastRoles)('%s', async (operation) => {
    expect(await sendAs(outsider, undefined, operation)).toBe(404)
  })
})
