import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let user: Caller
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const rectangle = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]
const polygon = (...coordinates: number[][][]) => ({ type: 'Polygon', coordinates })

async function zone(boundary: unknown): Promise<number> {
  const { status, body } = await user.post('/api/zones', { title: 'Zone', boundary })
  expect([status, body.error]).toEqual([201, undefined])
  return body.id
}
const answer = (query: string) => service.anonymous.get(`/api/zones/at?${query}`)
async function zonesAt(latitude: number, longitude: number): Promise<number[]> {
  const { status, body } = await answer(`lat=${latitude}&lon=${longitude}`)
  expect(status).toBe(200)
  return body.zones.map(({ id }: { id: number }) => id)
}

describe('the zones at a point', () => {
  test('are those whose boundary holds it: the line is inside, a hole outside, its line inside', async () => {
    const id = await zone(polygon(rectangle(10, 50, 11, 51), rectangle(10.25, 50.25, 10.75, 50.75)))
    for (const [latitude, longitude, inside] of [
      [50.1, 10.1, true],
      [50.5, 10.5, false],
      [50.25, 10.5, true],
      [50.5, 10, true],
      [51, 11, true],
      [51.0000001, 10.5, false],
      [50.5, 9.9999999, false],
      [50.7, 10.74999, false],
    ] as const)
      expect([latitude, longitude, await zonesAt(latitude, longitude)]).toEqual([
        latitude,
        longitude,
        inside ? [id] : [],
      ])
  })

  test('are right on a slanting line, where rounding would decide', async () => {
    const id = await zone(
      polygon([
        [0.1, 0.1],
        [0.7, 0.7],
        [0.1, 0.7],
        [0.1, 0.1],
      ]),
    )
    for (const step of [0.2, 0.3, 0.4, 0.5, 0.6]) {
      expect(await zonesAt(step, step)).toEqual([id])
      expect(await zonesAt(step - 1e-15, step)).toEqual([])
    }
  })

  test('at 180 and at -180 are the same, and across it each part holds its side', async () => {
    const east = await zone(polygon(rectangle(179, -18, 180, -17)))
    const west = await zone(polygon(rectangle(-180, -17.5, -179, -16.5)))
    const both = await zone({
      type: 'MultiPolygon',
      coordinates: [[rectangle(179, -18, 180, -16)], [rectangle(-180, -18, -179, -16)]],
    })
    for (const longitude of [180, -180]) {
      expect(await zonesAt(-17.2, longitude)).toEqual([east, west, both])
      expect(await zonesAt(-17.9, longitude)).toEqual([east, both])
    }
    expect(await zonesAt(-17.2, 179.5)).toEqual([east, both])
    expect(await zonesAt(-17.2, -179.5)).toEqual([west, both])
    expect(await zonesAt(-17.2, 0)).toEqual([])
  })

  test('at a pole are those that reach it, at any longitude', async () => {
    const cap = await zone(polygon(rectangle(20, 89, 30, 90)))
    for (const longitude of [25, 0, -170, 180]) expect(await zonesAt(90, longitude)).toEqual([cap])
    expect(await zonesAt(89.5, 0)).toEqual([])
    expect(await zonesAt(-90, 25)).toEqual([])
  })

  test('follow a boundary that changes, and come page by page, oldest first', async () => {
    const ids: number[] = []
    for (let i = 0; i < 5; i++) ids.push(await zone(polygon(rectangle(100, 0, 101 + i, 1))))
    await zone(
      polygon([
        [100, -5],
        [120, 5],
        [100, 5],
        [100, -5],
      ]),
    )
    const seen: number[] = []
    let path: string | undefined = '/api/zones/at?lat=0.5&lon=100.5&limit=2'
    let pages = 0
    while (path) {
      const { body, headers } = await service.anonymous.get(path)
      seen.push(...body.zones.map(({ id }: { id: number }) => id))
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      pages++
    }
    expect([seen.slice(0, 5), seen.length, pages]).toEqual([ids, 6, 3])
    await user.put(`/api/zones/${ids[0]}`, { title: 'Zone', boundary: polygon(rectangle(0, -1, 1, 0)) })
    await user.put(`/api/zones/${ids[1]}`, { title: 'Zone', boundary: null })
    expect(await zonesAt(0.5, 100.5)).not.toContain(ids[0])
    expect((await zonesAt(0.5, 100.5)).slice(0, 3)).toEqual(ids.slice(2))
    expect(await zonesAt(-0.5, 0.5)).toEqual([ids[0]])
  })

  test('follow a boundary that a process of the release before writes, without its outline', async () => {
    const id = await zone(polygon(rectangle(150, 0, 151, 1)))
    expect(await zonesAt(0.5, 150.5)).toEqual([id])
    const client = new pg.Client({ connectionString: service.databaseUrl })
    await client.connect()
    const there = JSON.stringify(polygon(rectangle(150.6, 0, 151.6, 1)))
    await client.query('update zones set boundary = $2, updated_at = clock_timestamp() where id = $1', [id, there])
    await client.end()
    expect([await zonesAt(0.5, 150.5), await zonesAt(0.5, 151.5)]).toEqual([[], [id]])
    await user.put(`/api/zones/${id}`, { title: 'Renamed' })
    expect([await zonesAt(0.5, 150.5), await zonesAt(0.5, 151.5)]).toEqual([[], [id]])
  })

  test('continue after a page that ended because it tested the maximum of zones', async () => {
    const ids: number[] = []
    for (let i = 0; i < 21; i++) ids.push(await zone(polygon(rectangle(140, 0, 141, 1))))
    const { body, headers } = await answer('lat=0.5&lon=140.5&limit=20')
    expect(body.zones.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 20))
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link')!)![1]!
    expect((await service.anonymous.get(next)).body.zones).toMatchObject([{ id: ids[20] }])
  })

  test('need a point', async () => {
    for (const query of ['', 'lat=1', 'lon=1', 'lat=91&lon=0', 'lat=0&lon=180.1', 'lat=a&lon=0', 'lat=1&lat=2&lon=0'])
      expect((await answer(query)).status).toBe(400)
    expect((await answer('lat=91&lon=0')).body.error).toMatchObject([{ code: 'too_big', path: ['lat'] }])
  })

  test('are what counting the corners of a wheel of triangles says', { tags: ['long'] }, async () => {
    // A star around (x, y): a point is inside if it is inside the triangle of its direction.
    // Some have more sides than are looked at as one.
    const length = fc.integer({ min: 1, max: 8 })
    const spokes = fc.oneof(
      fc.array(length, { minLength: 3, maxLength: 9 }),
      fc.array(length, { minLength: 60, maxLength: 200, size: 'max' }),
    )
    const share = fc.integer({ min: 0, max: 16 })
    await fc.assert(
      fc.asyncProperty(spokes, fc.nat(), share, share, async (lengths, which, along, out) => {
        const corner = (i: number) => {
          const angle = (2 * Math.PI * (i % lengths.length)) / lengths.length
          return [
            lengths[i % lengths.length]! * Math.cos(angle),
            lengths[i % lengths.length]! * Math.sin(angle),
          ] as const
        }
        const id = await zone(
          polygon(Array.from({ length: lengths.length + 1 }, (_, i) => [-60 + corner(i)[0], -40 + corner(i)[1]])),
        )
        const [a, b] = [corner(which % lengths.length), corner((which % lengths.length) + 1)]
        const [part, height] = [along / 16, (out + 0.5) / 8]
        const point = [0, 1].map((axis) => height * (a[axis]! * (1 - part) + b[axis]! * part))
        const [latitude, longitude] = [-40 + point[1]!, -60 + point[0]!]
        expect((await zonesAt(latitude, longitude)).includes(id)).toBe(height < 1)
        const { body } = await service.anonymous.get(
          `/ogc/collections/zones/items?bbox=${[longitude, latitude, longitude, latitude]}`,
        )
        expect(body.features.some((feature: { id: number }) => feature.id === id)).toBe(height < 1)
        await user.delete(`/api/zones/${id}`)
      }),
      { numRuns: 200 },
    )
  })
})
