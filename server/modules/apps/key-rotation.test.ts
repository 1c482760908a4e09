import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog } from '../../platform/database/audit.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { appSteps, apps, fields } from '../../test/scoring/app-steps.ts'
import { startSecondService } from '../../test/second-service.ts'
import { type Service, startService } from '../../test/service.ts'
import { keyIdOf } from './api-key.ts'
import { appStore } from './store.ts'

let service: Service
let given: Builders
let steps: ReturnType<typeof appSteps>
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  steps = appSteps(service)
})
afterAll(() => service.stop())

describe('rotating the key of an app', () => {
  const rotate = (owner: { post: typeof service.anonymous.post }, id: string, body?: object) =>
    owner.post(`${apps}/${id}/api-key/rotate`, body)

  test('without grace the new key works at once and the old one is dead within a second', async () => {
    const owner = await given.user()
    const app = (await owner.post(apps, fields)).body
    expect(await steps.statusOf(app.apiKey)).toBe(200)
    const { status, body, headers } = await rotate(owner, app.id)
    expect({ status, body }).toMatchObject({ status: 200, body: { ...app, apiKey: expect.any(String) } })
    expect(body.apiKey).not.toBe(app.apiKey)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await steps.statusOf(body.apiKey)).toBe(200)
    await expect.poll(() => steps.statusOf(app.apiKey)).toBe(401)
    expect((await owner.get(`${apps}/${app.id}`)).body.apiKey).toBe(body.apiKey)
    expect(await steps.audited(app.id, 'app_key.rotated')).toEqual([{ actor: owner.id, address: '127.0.0.1' }])
  })

  test('with grace both work until it ends; a rotation during a grace never makes it longer', async () => {
    const owner = await given.user()
    const app = (await owner.post(apps, fields)).body
    const second = (await rotate(owner, app.id, { graceSeconds: 3600 })).body.apiKey
    const third = (await rotate(owner, app.id, { graceSeconds: 2_592_000 })).body.apiKey
    for (const key of [app.apiKey, second, third]) expect(await steps.statusOf(key)).toBe(200)
    const ends = await steps.sql<{ key_id: string; hours: number | null }>(
      'select key_id, round(extract(epoch from expires_at - now()) / 3600)::int8 as hours from app_keys where app_id = $1',
      [app.id],
    )
    const hoursOf = (key: string) => ends.find(({ key_id }) => key_id === keyIdOf(key))?.hours
    expect([app.apiKey, second, third].map(hoursOf)).toEqual([1, 720, null])

    const fourth = (await rotate(owner, app.id, { graceSeconds: 0 })).body.apiKey
    for (const key of [app.apiKey, second, third]) await expect.poll(() => steps.statusOf(key)).toBe(401)
    expect(await steps.statusOf(fourth)).toBe(200)
  })

  test('a key stops working at the end of its grace period, also where it is cached', async () => {
    const owner = await given.user()
    const app = (await owner.post(apps, fields)).body
    await rotate(owner, app.id, { graceSeconds: 3600 })
    expect(await steps.statusOf(app.apiKey)).toBe(200)
    await steps.sql('update app_keys set expires_at = now() where key_id = $1', [keyIdOf(app.apiKey)])
    await expect.poll(() => steps.statusOf(app.apiKey)).toBe(401)
  })

  test('in every process: a key that another one knew is dead within a second of its rotation, and of its app’s deletion', {
    tags: ['long'],
  }, async () => {
    const other = await startSecondService(service)
    const there = async (key: string) => (await other.as({ 'x-app-api-key': key }).get(`${apps}/players`)).status
    const owner = await given.user()
    const app = (await owner.post(apps, fields)).body
    expect(await there(app.apiKey)).toBe(200)
    const next = (await rotate(owner, app.id)).body.apiKey
    expect(await there(next)).toBe(200)
    await expect.poll(() => there(app.apiKey)).toBe(401)
    await owner.delete(`${apps}/${app.id}?name=Trail`)
    await expect.poll(() => there(next)).toBe(401)
    await other.stop()
  })

  test('a key whose grace runs can be ended at once; the one in use cannot, nor one of another app', async () => {
    const owner = await given.user()
    const app = (await owner.post(apps, fields)).body
    const second = (await rotate(owner, app.id, { graceSeconds: 3600 })).body.apiKey
    const end = (key: string, caller = owner, id = app.id) => caller.delete(`${apps}/${id}/api-keys/${keyIdOf(key)}`)
    expect(await end(second)).toMatchObject({ status: 409, body: { error: expect.stringContaining('Rotate it') } })
    const other = (await owner.post(apps, fields)).body
    expect(await end(app.apiKey, owner, other.id)).toMatchObject({ status: 404 })
    expect(await end(app.apiKey, await given.user())).toMatchObject({ status: 404 })
    expect(await steps.statusOf(app.apiKey)).toBe(200)

    expect(await end(app.apiKey)).toMatchObject({ status: 204 })
    await expect.poll(() => steps.statusOf(app.apiKey)).toBe(401)
    expect(await steps.statusOf(second)).toBe(200)
    expect((await owner.get(`${apps}/${app.id}/api-keys`)).body.apiKeys).toMatchObject([
      { id: keyIdOf(second), isCurrent: true },
    ])
    expect(await end(app.apiKey), 'it has ended').toMatchObject({ status: 404 })
    expect(await steps.audited(app.id, 'app_key.ended')).toEqual([{ actor: owner.id, address: '127.0.0.1' }])
  })

  test('ended keys are deleted in time, others are not', async () => {
    const owner = await given.user()
    const app = (await owner.post(apps, fields)).body
    const second = (await rotate(owner, app.id, { graceSeconds: 3600 })).body.apiKey
    const third = (await rotate(owner, app.id, { graceSeconds: 3600 })).body.apiKey
    await steps.sql("update app_keys set expires_at = now() - interval '1 second' where key_id = $1", [
      keyIdOf(app.apiKey),
    ])
    const database = openDatabase({ url: service.databaseUrl, applicationName: 'test', max: 1 })
    await appStore(database.kysely, auditLog(database.kysely)).removeEndedKeys()
    await database.close()
    const left = await steps.sql<{ key_id: string }>('select key_id from app_keys where app_id = $1', [app.id])
    expect(left.map(({ key_id }) => key_id).sort()).toEqual([keyIdOf(second), keyIdOf(third)].sort())
  })

  test('the grace is a whole number of seconds from 0 to 30 days', async () => {
    const owner = await given.user()
    const app = (await owner.post(apps, fields)).body
    for (const graceSeconds of [-1, 2_592_001, 1.5, '10', null])
      expect(await rotate(owner, app.id, { graceSeconds }), `${graceSeconds}`).toMatchObject({
        status: 400,
        body: { error: [{ path: ['graceSeconds'] }] },
      })
    expect((await owner.get(`${apps}/${app.id}`)).body.apiKey).toBe(app.apiKey)
  })

  test('of 16 rotations at once each gives a key, and one of these is the app’s', async () => {
    const owner = await given.user()
    const app = (await owner.post(apps, fields)).body
    const answers = await Promise.all(Array.from({ length: 16 }, () => rotate(owner, app.id, { graceSeconds: 60 })))
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200))
    const keys = answers.map(({ body }) => body.apiKey)
    for (const key of keys) expect(await steps.statusOf(key)).toBe(200)
    expect(keys).toContain((await owner.get(`${apps}/${app.id}`)).body.apiKey)
  })
})
