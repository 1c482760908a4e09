import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { auditLog } from '../../platform/database/audit.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { createJobs } from '../../platform/database/jobs.ts'
import { createLog } from '../../platform/log.ts'
import { startAnother } from '../../test/another.ts'
import { givenOn } from '../../test/given.ts'
import { limitedSession } from '../../test/limited-session.ts'
import { makeSession, makeType, play, rankOf } from '../../test/scoring-steps.ts'
import { startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'
import { keyIdOf, newApiKey } from './api-key.ts'
import { appPurge } from './app-purge.ts'
import { appStore } from './store.ts'

const service = await startService()
const given = givenOn(service)
const sql = sqlOn(service)
afterAll(() => service.stop())

const apps = '/api/v1/apps'
const fields = { name: 'Trail', description: 'A race through the park' }
const withKey = (key: string) => service.as({ 'x-app-api-key': key })
const statusOf = async (key: string) => (await withKey(key).get(`${apps}/players`)).status
const audited = async (subject: string, action: string) =>
  sql<{ actor: string; address: string }>(
    'select actor, address from audit_log where subject = $1 and action = $2 order by id',
    [subject, action],
  )

describe('apps', () => {
  test('a created app answers 201 with its key, which opens the app', async () => {
    const user = await given.user()
    const { status, body, headers } = await user.post(apps, fields)
    expect({ status, body }).toMatchObject({ status: 201, body: { ...fields, imageUrl: null, visibility: 'PRIVATE' } })
    expect(body.apiKey).toMatch(/^cairn_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await withKey(body.apiKey).get(`${apps}/players`)).toMatchObject({ status: 200, body: { players: [] } })
    expect(await audited(body.id, 'app.created')).toEqual([{ actor: user.id, address: '127.0.0.1' }])
  })

  test('the owner sees the key again; of a PUBLIC app everybody else sees it masked, of a PRIVATE one nothing', async () => {
    const [owner, other] = [await given.user(), await given.user()]
    const open = (await owner.post(apps, { ...fields, visibility: 'PUBLIC' })).body
    const closed = (await owner.post(apps, fields)).body

    expect((await owner.get(apps)).body).toEqual({ apps: [open, closed] })
    expect((await owner.get(`${apps}/${closed.id}`)).body).toEqual(closed)
    for (const stranger of [other, service.anonymous]) {
      expect((await stranger.get(`${apps}/${open.id}`)).body).toEqual({
        ...open,
        apiKey: `${open.apiKey.slice(0, 14)}_…`,
      })
      expect(await stranger.get(`${apps}/${closed.id}`)).toMatchObject({
        status: 404,
        body: { error: 'App not found' },
      })
    }
    const listed = (await service.anonymous.get(`${apps}/public`)).body.apps
    expect(listed.map(({ id }: { id: string }) => id)).toContain(open.id)
    expect(JSON.stringify(listed)).not.toContain(open.apiKey)
    expect(JSON.stringify(listed)).not.toContain(closed.id)
    expect((await other.get(apps)).body).toEqual({ apps: [] })
  })

  test('each view of a key is audited with who and from where; a masked view is not', async () => {
    const owner = await given.user()
    const { id } = (await owner.post(apps, { ...fields, visibility: 'PUBLIC' })).body
    await service.anonymous.get(`${apps}/${id}`)
    await (await given.user()).get(`${apps}/${id}`)
    await service.anonymous.get(`${apps}/public`)
    expect(await audited(id, 'app_key.viewed')).toEqual([])
    for (const path of [apps, `${apps}/${id}`])
      expect((await owner.get(path)).headers.get('cache-control')).toBe('no-store')
    expect(await audited(id, 'app_key.viewed')).toEqual(Array(2).fill({ actor: owner.id, address: '127.0.0.1' }))
  })

  test('names are 1 to 100 characters, descriptions 1 to 500, images http or https addresses', async () => {
    const user = await given.user()
    const wrong = {
      name: ['', 'x'.repeat(101), 7, undefined],
      description: ['', 'x'.repeat(501), null],
      imageUrl: ['javascript:alert(1)', 'data:image/png;base64,AAAA', 'no address'],
      visibility: ['public', 'HIDDEN'],
    }
    for (const [member, values] of Object.entries(wrong))
      for (const value of values)
        expect(await user.post(apps, { ...fields, [member]: value }), `${member}=${value}`).toMatchObject({
          status: 400,
          body: { error: [{ path: [member] }] },
        })
    expect((await user.get(apps)).body).toEqual({ apps: [] })
    const { id } = (await user.post(apps, { name: 'x'.repeat(100), description: 'x'.repeat(500) })).body
    for (const [member, values] of Object.entries(wrong))
      for (const value of values.filter((one) => one !== undefined))
        expect(await user.patch(`${apps}/${id}`, { [member]: value }), `${member}=${value}`).toMatchObject({
          status: 400,
          body: { error: [{ path: [member] }] },
        })
  })

  test('the list of apps and the public listing are paged: Link followed to the end gives each once', async () => {
    const owner = await given.user()
    const made = []
    for (let i = 0; i < 5; i++) made.push((await owner.post(apps, { ...fields, visibility: 'PUBLIC' })).body.id)
    const seen: string[] = []
    let path: string | undefined = `${apps}?limit=2`
    while (path) {
      const { body, headers } = await owner.get(path)
      expect(headers.get('x-total-count')).toBe('5')
      seen.push(...body.apps.map(({ id }: { id: string }) => id))
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual(made)
    const first = await service.anonymous.get(`${apps}/public?limit=1`)
    expect(first.body.apps).toHaveLength(1)
    expect(first.headers.get('link')).toContain('rel="next"')
    expect(await service.anonymous.get(`${apps}/public?cursor=bad`)).toMatchObject({ status: 400 })
  })

  test('PATCH changes what is given, null takes the image away, the rest stays', async () => {
    const owner = await given.user()
    const made = (await owner.post(apps, { ...fields, imageUrl: 'https://game.example/a.png' })).body
    const path = `${apps}/${made.id}`
    expect(await owner.patch(path, { name: 'Trail 2' })).toMatchObject({
      status: 200,
      body: { ...made, name: 'Trail 2', updatedAt: expect.any(String) },
    })
    expect((await owner.patch(path, { imageUrl: null, visibility: 'PUBLIC' })).body).toMatchObject({
      name: 'Trail 2',
      description: fields.description,
      imageUrl: null,
      visibility: 'PUBLIC',
    })
    const unchanged = (await owner.get(path)).body
    expect((await owner.patch(path, {})).body).toEqual(unchanged)
    expect(await statusOf(made.apiKey)).toBe(200)
  })

  test("others' PRIVATE apps are 404 to every write, PUBLIC ones 403; without a session 401", async () => {
    const [owner, other] = [await given.user(), await given.user()]
    const open = (await owner.post(apps, { ...fields, visibility: 'PUBLIC' })).body
    const closed = (await owner.post(apps, fields)).body
    const writes = (app: { id: string; name: string }) =>
      [
        ['patch', `${apps}/${app.id}`, { name: 'Mine' }],
        ['delete', `${apps}/${app.id}?name=${app.name}`, undefined],
        ['post', `${apps}/${app.id}/api-key/rotate`, {}],
      ] as const
    for (const [app, status] of [
      [open, 403],
      [closed, 404],
      [{ id: 'no-id', name: 'x' }, 404],
      [{ id: crypto.randomUUID(), name: 'x' }, 404],
    ] as const)
      for (const [method, path, body] of writes(app)) {
        expect(await other[method](path, body), `${method} ${path}`).toMatchObject({ status })
        expect(await service.anonymous[method](path, body), `${method} ${path}`).toMatchObject({ status: 401 })
      }
    expect((await owner.get(apps)).body).toEqual({ apps: [open, closed] })
  })

  test('without a session it is 401', async () => {
    expect(await service.anonymous.post(apps, fields)).toMatchObject({ status: 401 })
    expect(await service.as({ authorization: 'Bearer nonsense' }).get(apps)).toMatchObject({ status: 401 })
    expect(await service.as({ authorization: 'Basic YTpi' }).get(apps)).toMatchObject({ status: 401 })
  })

  test('a session from a six-digit code sees no key, and cannot create, rotate or delete', async () => {
    const owner = await given.user()
    const app = (await owner.post(apps, fields)).body
    const limited = await limitedSession(service, owner)
    const masked = { ...app, apiKey: `${app.apiKey.slice(0, 14)}_…` }
    expect(await limited.get(apps)).toMatchObject({ status: 200, body: { apps: [masked] } })
    expect(await limited.get(`${apps}/${app.id}`)).toMatchObject({ status: 200, body: masked })
    expect((await limited.patch(`${apps}/${app.id}`, { name: 'Trail' })).body.apiKey).toBe(masked.apiKey)
    for (const answer of [
      await limited.post(apps, fields),
      await limited.post(`${apps}/${app.id}/api-key/rotate`, {}),
      await limited.delete(`${apps}/${app.id}?name=Trail`),
    ])
      expect(answer).toMatchObject({ status: 403, body: { error: expect.stringContaining('six-digit code') } })
    expect(await audited(app.id, 'app_key.viewed')).toEqual([])
    expect(await statusOf(app.apiKey)).toBe(200)
  })
})

describe('rotating the key of an app', () => {
  const rotate = (owner: { post: typeof service.anonymous.post }, id: string, body?: object) =>
    owner.post(`${apps}/${id}/api-key/rotate`, body)

  test('without grace the new key works at once and the old one is dead within a second', async () => {
    const owner = await given.user()
    const app = (await owner.post(apps, fields)).body
    expect(await statusOf(app.apiKey)).toBe(200)
    const { status, body, headers } = await rotate(owner, app.id)
    expect({ status, body }).toMatchObject({ status: 200, body: { ...app, apiKey: expect.any(String) } })
    expect(body.apiKey).not.toBe(app.apiKey)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await statusOf(body.apiKey)).toBe(200)
    await expect.poll(() => statusOf(app.apiKey), { timeout: 2000 }).toBe(401)
    expect((await owner.get(`${apps}/${app.id}`)).body.apiKey).toBe(body.apiKey)
    expect(await audited(app.id, 'app_key.rotated')).toEqual([{ actor: owner.id, address: '127.0.0.1' }])
  })

  test('with grace both work until it ends; a rotation during a grace never makes it longer', async () => {
    const owner = await given.user()
    const app = (await owner.post(apps, fields)).body
    const second = (await rotate(owner, app.id, { graceSeconds: 3600 })).body.apiKey
    const third = (await rotate(owner, app.id, { graceSeconds: 2_592_000 })).body.apiKey
    for (const key of [app.apiKey, second, third]) expect(await statusOf(key)).toBe(200)
    const ends = await sql<{ key_id: string; hours: number | null }>(
      'select key_id, round(extract(epoch from expires_at - now()) / 3600)::int8 as hours from app_keys where app_id = $1',
      [app.id],
    )
    const hoursOf = (key: string) => ends.find(({ key_id }) => key_id === keyIdOf(key))?.hours
    expect([app.apiKey, second, third].map(hoursOf)).toEqual([1, 720, null])

    const fourth = (await rotate(owner, app.id, { graceSeconds: 0 })).body.apiKey
    for (const key of [app.apiKey, second, third]) await expect.poll(() => statusOf(key), { timeout: 2000 }).toBe(401)
    expect(await statusOf(fourth)).toBe(200)
  })

  test('a grace that has ended ends the key, whatever was remembered of it', async () => {
    const owner = await given.user()
    const app = (await owner.post(apps, fields)).body
    await rotate(owner, app.id, { graceSeconds: 3600 })
    expect(await statusOf(app.apiKey)).toBe(200)
    await sql('update app_keys set expires_at = now() where key_id = $1', [keyIdOf(app.apiKey)])
    await expect.poll(() => statusOf(app.apiKey), { timeout: 2000 }).toBe(401)
  })

  test('in every process: a key that another one knew is dead within a second of its rotation, and of its app’s deletion', async () => {
    const other = await startAnother(service)
    const there = async (key: string) => (await other.as({ 'x-app-api-key': key }).get(`${apps}/players`)).status
    const owner = await given.user()
    const app = (await owner.post(apps, fields)).body
    expect(await there(app.apiKey)).toBe(200)
    const next = (await rotate(owner, app.id)).body.apiKey
    expect(await there(next)).toBe(200)
    await expect.poll(() => there(app.apiKey), { timeout: 2000 }).toBe(401)
    await owner.delete(`${apps}/${app.id}?name=Trail`)
    await expect.poll(() => there(next), { timeout: 2000 }).toBe(401)
    await other.stop()
  })

  test('ended keys are deleted in time, others are not', async () => {
    const owner = await given.user()
    const app = (await owner.post(apps, fields)).body
    const second = (await rotate(owner, app.id, { graceSeconds: 3600 })).body.apiKey
    const third = (await rotate(owner, app.id, { graceSeconds: 3600 })).body.apiKey
    await sql("update app_keys set expires_at = now() - interval '1 second' where key_id = $1", [keyIdOf(app.apiKey)])
    const database = openDatabase({ url: service.databaseUrl, applicationName: 'test', max: 1 })
    await appStore(database.kysely, auditLog(database.kysely)).removeEndedKeys()
    await database.close()
    const left = await sql<{ key_id: string }>('select key_id from app_keys where app_id = $1', [app.id])
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
    for (const key of keys) expect(await statusOf(key)).toBe(200)
    expect(keys).toContain((await owner.get(`${apps}/${app.id}`)).body.apiKey)
  })
})

describe('deleting an app', () => {
  test('without its name, or with another, it is 400, says what would go, and nothing goes', async () => {
    const owner = await given.user()
    const app = await given.app({ owner, name: 'Trail & Co' })
    await makeType(app, 'Sprint')
    const session = await makeSession(app)
    await play(given, app, session.id, [5, undefined])
    for (const query of ['', '?name=trail%20%26%20co', '?name='])
      expect(await owner.delete(`${apps}/${app.id}${query}`)).toMatchObject({
        status: 400,
        body: {
          error:
            'Deleting the app "Trail & Co" takes along 2 players, 1 game session, 1 score, 1 mini game type and 1 API key, for good: to do it, send its name in the query, ?name=Trail%20%26%20Co',
        },
      })
    expect((await app.get(`${apps}/players`)).body.players).toHaveLength(2)
  })

  test('with its name all of it goes: the app at once, its key within a second, its rows, boards and images soon after', async () => {
    const owner = await given.user()
    const app = await given.app({ owner, visibility: 'PUBLIC' })
    const kept = await given.app({ owner, name: 'Kept' })
    const type = await makeType(app, 'Sprint')
    const session = await makeSession(app, { miniGameTypeId: type.id })
    const [player] = await play(given, app, session.id, [5, 7, undefined])
    await rankOf(app, player!.id, `?miniGameTypeId=${type.id}`)
    await play(given, kept, (await makeSession(kept)).id, [1])

    expect(await owner.delete(`${apps}/${app.id}?name=Trail`)).toMatchObject({ status: 204, body: '' })
    expect(await owner.get(`${apps}/${app.id}`)).toMatchObject({ status: 404 })
    expect((await owner.get(apps)).body.apps.map(({ name }: { name: string }) => name)).toEqual(['Kept'])
    expect(JSON.stringify((await service.anonymous.get(`${apps}/public`)).body)).not.toContain(app.id)
    expect(await owner.delete(`${apps}/${app.id}?name=Trail`)).toMatchObject({ status: 404 })
    await expect.poll(() => statusOf(app.key), { timeout: 2000 }).toBe(401)
    expect(await audited(app.id, 'app.deleted')).toEqual([{ actor: owner.id, address: '127.0.0.1' }])

    const left = async () => {
      const tables = ['players', 'mini_game_types', 'game_sessions', 'session_players', 'player_best', 'app_keys']
      const counts = tables.map((table) => `(select count(*) from ${table} where app_id = $1)`)
      const [row] = await sql<{ left: number }>(
        `select ${counts.join('+')} + (select count(*) from apps where id = $1) as left`,
        [app.id],
      )
      return row!.left
    }
    await expect.poll(left, { timeout: 15_000 }).toBe(0)
    expect((await kept.get(`${apps}/players`)).body.players).toHaveLength(1)
  })

  test('a deletion whose job was given up is taken up again', async () => {
    const owner = await given.user()
    const [lost, fresh] = [await given.app({ owner }), await given.app({ owner })]
    await play(given, lost, (await makeSession(lost)).id, [1, 2])
    await sql("update apps set owner_id = null, deleted_at = now() - interval '3 hours' where id = $1", [lost.id])
    await sql('update apps set owner_id = null, deleted_at = now() where id = $1', [fresh.id])
    const database = openDatabase({ url: service.databaseUrl, applicationName: 'test', max: 2 })
    const jobs = createJobs({ url: service.databaseUrl, log: createLog('silent') })
    const forgotten: string[] = []
    const forget = (appId: string) => void forgotten.push(appId)
    await appPurge({ pool: database.pool, jobs, forget, removeUnused: async () => {} }).finish()
    await database.close()
    expect(forgotten).toEqual([lost.id])
    const ids = [lost.id, fresh.id]
    expect(await sql('select id from apps where id = any($1)', [ids])).toEqual([{ id: fresh.id }])
    expect(await sql('select id from players where app_id = any($1)', [ids])).toEqual([])
  })

  test('every table that refers to apps is emptied by a deletion, or goes with the app’s row', async () => {
    const referring = await sql<{ table: string; rule: string }>(
      `select conrelid::regclass::text as table, confdeltype::text as rule from pg_constraint
        where contype = 'f' and confrelid = 'apps'::regclass`,
      [],
    )
    const emptied = ['players', 'game_sessions', 'mini_game_types']
    for (const { table, rule } of referring)
      expect(rule === 'c' || emptied.includes(table), `${table} is left when its app is deleted`).toBe(true)
  })
})

describe('app API keys', () => {
  const key = fc.constant(null).map(() => newApiKey())
  const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_')

  test('have a public id, and are found to be well-formed', () => {
    fc.assert(fc.property(key, (good) => keyIdOf(good) === good.slice(6, 14)))
  })

  test('with any one character changed are refused without a query', () => {
    fc.assert(
      fc.property(key, fc.nat({ max: 51 }), character, (good, at, other) => {
        fc.pre(good[at] !== other)
        expect(keyIdOf(good.slice(0, at) + other + good.slice(at + 1))).toBeUndefined()
      }),
      { numRuns: 1000 },
    )
  })

  test('with any two neighbours swapped are refused without a query', () => {
    fc.assert(
      fc.property(key, fc.nat({ max: 50 }), (good, at) => {
        fc.pre(good[at] !== good[at + 1])
        const swapped = good.slice(0, at) + good[at + 1] + good[at] + good.slice(at + 2)
        expect(keyIdOf(swapped)).toBeUndefined()
      }),
      { numRuns: 1000 },
    )
  })

  test('cut short, lengthened or in another case are refused', () => {
    fc.assert(
      fc.property(key, (good) => {
        for (const bad of [good.slice(0, -1), `${good}0`, ` ${good}`, good.toUpperCase(), good.toLowerCase()])
          if (bad !== good) expect(keyIdOf(bad)).toBeUndefined()
      }),
    )
  })
})
