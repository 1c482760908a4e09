// @module-tag long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../builders.ts'
import { type Caller, type Service, startSecondService, startService } from '../service.ts'
import { accessTable, type Rule } from './access-table.ts'
import { type Tenant, tenantOn } from './access-world.ts'
import { sendOn } from './send.ts'

/** More than any disk has. */
const FULL = String(2 ** 50)

let first: Service
let full: Service
let own: Tenant
let admin: Caller
let player: Record<string, string>
beforeAll(async () => {
  first = await startService()
  own = await tenantOn(first)
  admin = await buildersOn(first).user({ roles: ['admin'] })
  const { body } = await own.app.post('/auth/player-token', { playerId: own.player })
  player = { authorization: `Bearer ${body.playerToken}` }
  full = await startSecondService(first, {
    CAIRN_ROLE: 'api',
    CAIRN_DATABASE_RESERVE_BYTES: FULL,
    CAIRN_DATABASE_FOLDER: first.folder,
    CAIRN_DATA_DIR: first.folder,
  })
})
afterAll(async () => {
  await full.stop()
  await first.stop()
})

/** What is served: sign-ins, what takes a credential or a right away or replaces it, and what stores nothing. */
const SERVED = [
  ...['POST /auth/exchange', 'POST /auth/sync', 'POST /auth/sign-out'],
  ...['POST /auth/codes', 'POST /auth/codes/exchange', 'POST /auth/player-token'],
  ...['POST /api/v1/apps/{id}/api-key/rotate', 'POST /api/v1/apps/{id}/webhooks/{webhookId}/rotate-secret'],
  ...['PUT /api/v1/user/password', 'PATCH /api/v1/accounts/{id}', 'PUT /api/v1/users/{id}/roles'],
  ...['POST /api/v1/apps/leaderboards/stream-token', 'POST /api/v1/apps/fences/simulate'],
  'POST /api/v1/box/jobs/{queue}/{id}/retry',
]

const isWrite = (operation: string) => /^(POST|PUT|PATCH) /.test(operation) && !SERVED.includes(operation)
const operations = (filter: (operation: string) => boolean) =>
  Object.entries(accessTable).filter(([operation]) => filter(operation))

function send(operation: string, rule: Rule) {
  const headers: Partial<Record<Rule['needs'], Record<string, string>>> = {
    appKey: rule.clientKey === 'player' && isWrite(operation) ? { ...own.app.headers, ...player } : own.app.headers,
    ops: admin.headers,
    admin: admin.headers,
    open: {},
  }
  return sendOn(full, own, operation, rule, headers[rule.needs] ?? own.user.headers)
}

describe('while the disk of the database is nearly full, an operation that writes is 507', () => {
  test.each(operations(isWrite))('%s', async (operation, rule) => {
    expect((await send(operation, rule)).status).toBe(507)
  })
})

describe('while the disk of the database is nearly full, a read, a deletion or a sign-in is served', () => {
  // Reads first, while everything is there.
  const turn = (operation: string) => (operation.startsWith('GET') ? 0 : operation === 'POST /auth/sign-out' ? 2 : 1)
  const served = operations((operation) => !isWrite(operation))
  test.each(served.toSorted(([a], [b]) => turn(a) - turn(b)))('%s', async (operation, rule) => {
    const { status, body } = await send(operation, rule)
    expect({ status, body }).toMatchObject({ status: rule.ok })
  })
})
