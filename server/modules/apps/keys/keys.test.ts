import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { appSteps, apps, fields } from '../../../test/scoring/app-steps.ts'
import { startSecondService } from '../../../test/second-service.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
let steps: ReturnType<typeof appSteps>
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  steps = appSteps(service)
})
afterAll(() => service.stop())

const keysOf = (id: string) => `${apps}/${id}/api-keys`
const create = async (owner: Caller, id: string, kind: string, name = 'Build 7') =>
  owner.post(keysOf(id), { kind, name })
const ownedApp = async () => {
  const owner = await given.user()
  const app = (await owner.post(apps, fields)).body
  return { owner, app }
}

describe('additional keys of an app', () => {
  test('creation returns the key, which no later answer has', async () => {
    const { owner, app } = await ownedApp()
    const { status, body, headers } = await create(owner, app.id, 'client')
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { kind: 'client', name: 'Build 7', endsAt: null, lastUsedAt: null, isCurrent: false, callsLastHour: 0 },
    })
    expect(body.apiKey).toMatch(/^cairn_client_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/)
    expect(headers.get('cache-control')).toBe('no-store')
    const { apiKey, ...rest } = body
    const list = (await owner.get(keysOf(app.id))).body.apiKeys
    expect(list).toEqual([rest, expect.objectContaining({ kind: 'server', name: 'default', isCurrent: true })])
    expect(rest.prefix).toBe(`cairn_client_${rest.id}_…`)
    expect((await owner.get(`${apps}/${app.id}`)).body.apiKey).toBe(app.apiKey)
    const stored = await steps.sql('select * from app_keys where key_id = $1', [rest.id])
    expect(JSON.stringify(stored)).not.toContain(apiKey)
    expect(stored).toMatchObject([{ encrypted: null }])
    expect(await steps.audited(app.id, 'app_key.created')).toEqual([{ actor: owner.id, address: '127.0.0.1' }])
  })

  test('a server key has all rights of the first one, a client key reads', async () => {
    const { owner, app } = await ownedApp()
    const server = steps.withKey((await create(owner, app.id, 'server')).body.apiKey)
    const client = steps.withKey((await create(owner, app.id, 'client')).body.apiKey)
    const made = await server.post(`${apps}/players`, { displayName: 'Ada' })
    expect(made.status).toBe(200)
    expect((await client.get(`${apps}/players/${made.body.id}`)).body).toEqual(made.body)
    expect(await client.post(`${apps}/players`, { displayName: 'Bob' })).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('with a server key') },
    })
    expect((await client.get(`${apps}/players`)).body.players).toHaveLength(1)
  })

  test('deletion ends a key within a second in every process, and leaves the others', { tags: ['long'] }, async () => {
    const other = await startSecondService(service)
    const there = async (key: string) => (await other.as({ 'x-app-api-key': key }).get(`${apps}/players`)).status
    const { owner, app } = await ownedApp()
    const [one, two] = [(await create(owner, app.id, 'client')).body, (await create(owner, app.id, 'server')).body]
    expect([await there(one.apiKey), await steps.statusOf(one.apiKey), await there(two.apiKey)]).toEqual([
      200, 200, 200,
    ])
    expect(await owner.delete(`${keysOf(app.id)}/${one.id}`)).toMatchObject({ status: 204 })
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect([await there(one.apiKey), await steps.statusOf(one.apiKey)]).toEqual([401, 401])
    expect([await there(two.apiKey), await steps.statusOf(app.apiKey)]).toEqual([200, 200])
    expect((await owner.get(keysOf(app.id))).body.apiKeys.map(({ id }: { id: string }) => id)).not.toContain(one.id)
    expect(await owner.delete(`${keysOf(app.id)}/${one.id}`), 'it has ended').toMatchObject({ status: 404 })
    expect(await steps.audited(app.id, 'app_key.ended')).toHaveLength(1)
    await other.stop()
  })

  test('the rotation of the first key does not end them', async () => {
    const { owner, app } = await ownedApp()
    const { apiKey } = (await create(owner, app.id, 'client')).body
    await owner.post(`${apps}/${app.id}/api-key/rotate`)
    await expect.poll(() => steps.statusOf(app.apiKey)).toBe(401)
    expect(await steps.statusOf(apiKey)).toBe(200)
    expect((await owner.get(keysOf(app.id))).body.apiKeys).toMatchObject([
      { isCurrent: true, name: 'default' },
      { isCurrent: false, endsAt: null },
    ])
  })

  test('an app has at most 20 working keys, however many are created at once', async () => {
    const { owner, app } = await ownedApp()
    const answers = await Promise.all(Array.from({ length: 25 }, () => create(owner, app.id, 'client')))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(19)
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('at most 20 working keys') },
    })
    const { id } = answers.find(({ status }) => status === 201)!.body
    await owner.delete(`${keysOf(app.id)}/${id}`)
    expect(await create(owner, app.id, 'client')).toMatchObject({ status: 201 })
  })

  test('others neither create nor delete them, and the app deletes them with itself', async () => {
    const { owner, app } = await ownedApp()
    const { apiKey, id } = (await create(owner, app.id, 'client')).body
    const stranger = await given.user()
    expect(await create(stranger, app.id, 'client')).toMatchObject({ status: 404 })
    expect(await stranger.delete(`${keysOf(app.id)}/${id}`)).toMatchObject({ status: 404 })
    expect(await steps.statusOf(apiKey)).toBe(200)
    expect((await owner.get(`${apps}/${app.id}/contents`)).body.keys).toBe(2)
    await owner.delete(`${apps}/${app.id}?name=Trail`)
    await expect.poll(() => steps.statusOf(apiKey)).toBe(401)
    expect(await steps.sql('select from app_keys where app_id = $1', [app.id])).toEqual([])
  })

  test('kind and name are required: server or client, 1 to 100 characters', async () => {
    const { owner, app } = await ownedApp()
    for (const [member, body] of [
      ['kind', { name: 'a' }],
      ['kind', { kind: 'admin', name: 'a' }],
      ['name', { kind: 'client' }],
      ['name', { kind: 'client', name: '' }],
      ['name', { kind: 'client', name: 'x'.repeat(101) }],
    ] as const)
      expect(await owner.post(keysOf(app.id), body)).toMatchObject({
        status: 400,
        body: { error: [{ path: [member] }] },
      })
  })

  test('the requests of a client key count against itself, not against the server key', async () => {
    const { owner, app } = await ownedApp()
    const leftOf = async (key: string) => {
      const { headers } = await steps.withKey(key).get(`${apps}/players`)
      return Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1])
    }
    const client = (await create(owner, app.id, 'client')).body.apiKey
    const before = await leftOf(app.apiKey)
    for (let i = 0; i < 5; i++) await steps.statusOf(client)
    expect(await leftOf(app.apiKey)).toBe(before - 1)
  })
})
