import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Service, startSecondService, startService } from '../../../test/service.ts'

/** More than any disk has. */
const FULL = { CAIRN_DATABASE_RESERVE_BYTES: String(2 ** 50) }

let first: Service
let full: Service
beforeAll(async () => {
  first = await startService({ CAIRN_ROLE: 'api' })
  full = await startSecondService(first, { ...FULL, CAIRN_DATABASE_FOLDER: first.folder })
})
afterAll(async () => {
  await full.stop()
  await first.stop()
})

const players = '/api/v1/apps/players'

test('while the database disk is nearly full, writes are 507 with what to do', async () => {
  const app = await buildersOn(first).app()
  const { status, body, headers } = await full.as(app.headers).post(players, { displayName: 'Ada' })
  expect(status).toBe(507)
  expect(body.error).toMatch(/^The disk of the database is nearly full.*delete what you do not need/)
  expect(headers.get('retry-after')).toBe('60')
  expect((await full.anonymous.get('/metrics')).body).toMatch(/^cairn_writes_refused_total [1-9]/m)
})

test('reads and deletions are served, and every other write is refused before its body is read', async () => {
  const app = await buildersOn(first).app()
  const player = await buildersOn(first).player(app)
  const caller = full.as(app.headers)
  expect((await caller.get(`${players}/${player.id}`)).status).toBe(200)
  expect((await caller.patch(`${players}/${player.id}`, { displayName: 'Other' })).status).toBe(507)
  expect((await caller.delete(`${players}/${player.id}`)).status).toBeLessThan(300)
  expect((await full.anonymous.get('/readyz')).status).toBe(200)
})

test('sign-in, sign-out and the rotation of keys are served', async () => {
  const owner = await buildersOn(first).user()
  const app = await buildersOn(first).app({ owner })
  const user = full.as(owner.headers)
  expect((await user.post(`/api/v1/apps/${app.id}/api-key/rotate`, {})).status).toBeLessThan(300)
  const code = await user.post('/auth/codes', {})
  expect(code.status).toBeLessThan(300)
  expect((await user.post('/auth/sync')).status).toBe(200)
  expect((await user.post('/auth/sign-out')).status).toBe(204)
})

test('a database whose disk is unknown accepts writes', async () => {
  const unknown = await startSecondService(first, { ...FULL, CAIRN_DATABASE_FOLDER: `${first.folder}/not-there` })
  try {
    const app = await buildersOn(first).app()
    expect((await unknown.as(app.headers).post(players, { displayName: 'Ada' })).status).toBe(200)
  } finally {
    await unknown.stop()
  }
})
