import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitedSession } from '../../test/access/limited-session.ts'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { appSteps, apps, fields } from '../../test/scoring/app-steps.ts'
import { type Service, startService } from '../../test/service.ts'

let service: Service
let given: Builders
let steps: ReturnType<typeof appSteps>
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  steps = appSteps(service)
})
afterAll(() => service.stop())

describe('apps', () => {
  test('a created app answers 201 with its key, which opens the app', async () => {
    const user = await given.user()
    const { status, body, headers } = await user.post(apps, fields)
    expect({ status, body }).toMatchObject({ status: 201, body: { ...fields, imageUrl: null, visibility: 'PRIVATE' } })
    expect(body.apiKey).toMatch(/^cairn_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await steps.withKey(body.apiKey).get(`${apps}/players`)).toMatchObject({
      status: 200,
      body: { players: [] },
    })
    expect(await steps.audited(body.id, 'app.created')).toEqual([{ actor: user.id, address: '127.0.0.1' }])
  })

  test('the owner sees the key again; of a PUBLIC app everybody else sees it masked, of a PRIVATE one nothing', async () => {
    const [owner, other] = [await given.user(), await given.user()]
    const open = (await owner.post(apps, { ...fields, visibility: 'PUBLIC' })).body
    const closed = (await owner.post(apps, fields)).body

    expect((await owner.get(apps)).body).toEqual({ apps: [open, closed] })
    expect((await owner.get(`${apps}/${closed.id}`)).body).toEqual(closed)
    const { role: _role, ...seen } = open
    for (const stranger of [other, service.anonymous]) {
      expect((await stranger.get(`${apps}/${open.id}`)).body).toEqual({
        ...seen,
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

  test('a view of a key is audited with who and from where; a masked view is not', async () => {
    const owner = await given.user()
    const { id } = (await owner.post(apps, { ...fields, visibility: 'PUBLIC' })).body
    await service.anonymous.get(`${apps}/${id}`)
    await (await given.user()).get(`${apps}/${id}`)
    await service.anonymous.get(`${apps}/public`)
    expect(await steps.audited(id, 'app_key.viewed')).toEqual([])
    for (const path of [apps, `${apps}/${id}`])
      expect((await owner.get(path)).headers.get('cache-control')).toBe('no-store')
    expect(await steps.audited(id, 'app_key.viewed')).toEqual([{ actor: owner.id, address: '127.0.0.1' }])
  })

  test('keys are masked on request, and that is no view of them', async () => {
    const owner = await given.user()
    const { id, apiKey } = (await owner.post(apps, fields)).body
    const masked = `${apiKey.slice(0, 14)}_…`
    expect((await owner.get(`${apps}?maskKeys=true`)).body.apps).toMatchObject([{ id, apiKey: masked, role: 'owner' }])
    expect((await owner.get(`${apps}/${id}?maskKeys=true`)).body).toMatchObject({ id, apiKey: masked, role: 'owner' })
    expect(await steps.audited(id, 'app_key.viewed')).toEqual([])
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
    expect(await steps.statusOf(made.apiKey)).toBe(200)
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

  test('a session from a six-digit code sees no key, and cannot create, change, publish, rotate or delete', async () => {
    const owner = await given.user()
    const app = (await owner.post(apps, fields)).body
    const limited = await limitedSession(service, owner)
    const masked = { ...app, apiKey: `${app.apiKey.slice(0, 14)}_…` }
    expect(await limited.get(apps)).toMatchObject({ status: 200, body: { apps: [masked] } })
    expect(await limited.get(`${apps}/${app.id}`)).toMatchObject({ status: 200, body: masked })
    for (const answer of [
      await limited.post(apps, fields),
      await limited.patch(`${apps}/${app.id}`, { name: 'Trail' }),
      await limited.patch(`${apps}/${app.id}`, { visibility: 'PUBLIC' }),
      await limited.post(`${apps}/${app.id}/api-key/rotate`, {}),
      await limited.delete(`${apps}/${app.id}?name=Trail`),
    ])
      expect(answer).toMatchObject({ status: 403, body: { error: expect.stringContaining('six-digit code') } })
    expect(await steps.audited(app.id, 'app_key.viewed')).toEqual([])
    expect(await steps.statusOf(app.apiKey)).toBe(200)
  })
})
