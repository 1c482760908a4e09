import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let user: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const square = {
  type: 'Polygon',
  coordinates: [
    [
      [13, 52],
      [14, 52],
      [14, 53],
      [13, 53],
      [13, 52],
    ],
  ],
}

describe('zones', () => {
  test('are made by users and open to all', async () => {
    expect((await service.anonymous.post('/api/zones', { title: 'Park' })).status).toBe(401)
    const { status, body } = await user.post('/api/zones', { title: ' Park ', boundary: square })
    expect(status).toBe(201)
    expect(body).toMatchObject({ title: 'Park', description: null, boundary: square, userId: user.id })
    expect((await service.anonymous.get(`/api/zones/${body.id}`)).body).toEqual(body)
    expect((await service.anonymous.get('/api/zones')).body.zones).toContainEqual(body)
    expect(await service.anonymous.get('/api/zones/12345678')).toMatchObject({
      status: 404,
      body: { error: 'Zone not found' },
    })
  })

  test('are listed oldest first, page by page', async () => {
    const ids: number[] = []
    for (let i = 0; i < 5; i++) ids.push((await user.post('/api/zones', { title: `L${i}` })).body.id)
    const seen: number[] = []
    let path: string | undefined = '/api/zones?limit=2'
    while (path) {
      const { status, body, headers } = await service.anonymous.get(path)
      expect([status, Object.keys(body)]).toEqual([200, ['zones']])
      expect(Number(headers.get('x-total-count'))).toBeGreaterThanOrEqual(5)
      seen.push(...body.zones.map(({ id }: { id: number }) => id))
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual([...new Set(seen)])
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids)
    for (const query of ['limit=0', 'limit=10001', 'cursor=x', 'cursor=WyJ4IiwxXQ'])
      expect((await service.anonymous.get(`/api/zones?${query}`)).status).toBe(400)
  })
})

describe('changing zones', () => {
  test('absent members stay, null clears', async () => {
    const { body: made } = await user.post('/api/zones', { title: 'Park', description: 'green', boundary: square })
    const put = (change: object) => user.put(`/api/zones/${made.id}`, change)
    const renamed = await put({ title: ' Wood ' })
    expect([renamed.status, renamed.body]).toEqual([
      200,
      { ...made, title: 'Wood', updatedAt: expect.stringMatching(/Z$/) },
    ])
    const cleared = (await put({ title: 'Wood', description: null, boundary: null })).body
    expect(cleared).toMatchObject({ description: null, boundary: null, createdAt: made.createdAt })
    expect((await put({ title: 'Wood', boundary: square })).body.boundary).toEqual(square)
    expect((await user.get(`/api/zones/${made.id}`)).body).toMatchObject({ title: 'Wood', boundary: square })
    expect((await put({})).body.error).toMatchObject([{ code: 'invalid_type', path: ['title'] }])
    const open = { type: 'Polygon', coordinates: [square.coordinates[0]!.slice(0, 4)] }
    expect((await put({ title: 'Wood', boundary: open })).body.error[0].path).toEqual(['boundary', 'coordinates', 0, 3])
  })

  test('is for the maker and ops', async () => {
    const given = buildersOn(service)
    const { id } = (await user.post('/api/zones', { title: 'Park' })).body
    const [stranger, ops] = [await given.user(), await given.user({ roles: ['ops'] })]
    for (const [caller, status] of [
      [service.anonymous, 401],
      [stranger, 403],
      [ops, 200],
      [user, 200],
    ] as const)
      expect((await caller.put(`/api/zones/${id}`, { title: 'Mine' })).status).toBe(status)
    expect(await user.put('/api/zones/12345678', { title: 'Z' })).toMatchObject({
      status: 404,
      body: { error: 'Zone not found' },
    })
    expect((await user.put('/api/zones/x', { title: 'Z' })).status).toBe(400)
  })
})
