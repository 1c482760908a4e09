import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenOn } from '../../test/given.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let user: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  user = await givenOn(service).user()
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

  test('a boundary is closed rings of four positions and more, in range; a fault names its place', async () => {
    const ring = square.coordinates[0]!
    const wrong: [unknown, unknown[]][] = [
      [{ type: 'Polygon', coordinates: [ring.slice(0, 4)] }, [0, 3]],
      [{ type: 'Polygon', coordinates: [[ring[0], ring[1], ring[0]]] }, [0]],
      [
        {
          type: 'Polygon',
          coordinates: [
            ring,
            [
              [13, 52],
              [181, 52],
              [14, 53],
              [13, 52],
            ],
          ],
        },
        [1, 1, 0],
      ],
      [
        {
          type: 'MultiPolygon',
          coordinates: [
            [ring],
            [
              [
                [13, 52],
                [14, 95],
                [14, 53],
                [13, 52],
              ],
            ],
          ],
        },
        [1, 0, 1, 1],
      ],
      [{ type: 'Polygon', coordinates: [Array.from({ length: 10_001 }, (_, i) => [i % 180, 0])] }, []],
    ]
    for (const [boundary, path] of wrong) {
      const { status, body } = await user.post('/api/zones', { title: 'Z', boundary })
      expect([status, body.error[0].path]).toEqual([400, ['boundary', 'coordinates', ...path]])
    }
    expect(
      (await user.post('/api/zones', { title: 'Z', boundary: { type: 'Point', coordinates: [1, 2] } })).status,
    ).toBe(400)
    expect(
      (await user.post('/api/zones', { title: 'Z', boundary: { type: 'MultiPolygon', coordinates: [[ring]] } })).status,
    ).toBe(201)
  })
})
