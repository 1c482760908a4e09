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

const triangle = (...corners: [number, number][]) => ({ type: 'Polygon', coordinates: [[...corners, corners[0]]] })
const half = triangle([10, 50], [12, 50], [10, 52])
const newZone = async (boundary?: object): Promise<number> =>
  (await user.post('/api/zones', { title: 'Park', boundary })).body.id
const pose = (lat: number, lon: number) => ({ position: { lat, lon, h: 0 }, angles: { yaw: 0, pitch: 0, roll: 0 } })
const create = async (fields: object) =>
  (await user.post('/api/gcp', { title: 'Mark', gcpType: 'SINGLE', ...fields })).body.gcp
const flagOf = async (id: number) => (await user.get(`/api/gcp/${id}`)).body.outsideZone

describe('a GCP outside the boundary of its zone', () => {
  test('is detected by the boundary, not by its bounding box; a point on the line is inside', async () => {
    const zoneId = await newZone(half)
    const flags: [number, number, boolean][] = [
      [50.5, 10.5, false],
      [51, 11, false],
      [51.0000001, 11, true],
      [51.9, 11.9, true],
      [50, 10, false],
      [49.9999999, 11, true],
    ]
    for (const [lat, lon, outside] of flags)
      expect([lat, lon, (await create({ zoneId, geoPose: pose(lat, lon) })).outsideZone]).toEqual([lat, lon, outside])
    const listed = (await user.get(`/api/gcp?zoneId=${zoneId}`)).body
    expect(listed.map(({ outsideZone }: { outsideZone: boolean }) => outsideZone)).toEqual(
      flags.map(([, , outside]) => outside),
    )
  })

  test('is detected in a list as for each alone, also on corners, sides and the lines of holes', async () => {
    const zoneId = await newZone({
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [4, 0],
          [2, 2],
          [4, 4],
          [0, 4],
          [0, 0],
        ],
        [
          [0.5, 1],
          [1.5, 2],
          [0.5, 3],
          [0.5, 1],
        ],
      ],
    })
    const expected: (boolean | undefined)[] = []
    for (let i = 0; i <= 16; i++) {
      for (const y of [1, 2, 3]) {
        const x = -1 + i * 0.375
        const { id, outsideZone } = await create({ zoneId, geoPose: pose(y, x) })
        expect([x, y, outsideZone]).toEqual([x, y, !isInside(x, y)])
        expect(await flagOf(id)).toBe(outsideZone)
        expected.push(outsideZone)
      }
    }
    const listed = (await user.get(`/api/gcp?zoneId=${zoneId}`)).body
    expect(listed.map(({ outsideZone }: { outsideZone: boolean }) => outsideZone)).toEqual(expected)
    expect(new Set(expected)).toEqual(new Set([true, false]))
  })

  test('is not detected without a zone, a boundary or a position', async () => {
    const bare = await newZone()
    expect((await create({ geoPose: pose(1, 2) })).outsideZone).toBeNull()
    expect((await create({ zoneId: bare, geoPose: pose(1, 2) })).outsideZone).toBeNull()
    expect((await create({ zoneId: await newZone(half) })).outsideZone).toBeNull()
  })

  test('is right again at once when the point or the boundary moves', async () => {
    const zoneId = await newZone(half)
    const { id } = await create({ zoneId, geoPose: pose(50.5, 10.5) })
    const moved = await user.put(`/api/gcp/${id}`, { title: 'Mark', geoPose: pose(52, 12) })
    expect(moved.body.gcp.outsideZone).toBe(true)
    const bounds = (boundary: object | null) => user.put(`/api/zones/${zoneId}`, { title: 'Park', boundary })
    await bounds(triangle([12, 52], [13, 52], [12, 53]))
    expect(await flagOf(id)).toBe(false)
    await bounds(null)
    expect(await flagOf(id)).toBeNull()
    await bounds(half)
    expect(await flagOf(id)).toBe(true)
    await user.put(`/api/gcp/${id}`, { title: 'Mark', geoPose: null })
    expect(await flagOf(id)).toBeNull()
  })

  test('can be listed alone, page by page', async () => {
    const zoneId = await newZone(half)
    const ids: { true: number[]; false: number[] } = { true: [], false: [] }
    for (let i = 0; i < 9; i++) {
      const outside = i % 3 !== 0
      ids[`${outside}`].push((await create({ zoneId, geoPose: outside ? pose(51.9, 11.9) : pose(50.1, 10.1) })).id)
    }
    await create({ zoneId })
    for (const outside of ['true', 'false'] as const) {
      const seen: number[] = []
      let path: string | undefined = `/api/gcp?zoneId=${zoneId}&outsideZone=${outside}&limit=2`
      while (path) {
        const { body, headers } = await service.anonymous.get(path)
        expect(headers.get('x-total-count')).toBe(String(ids[outside].length))
        seen.push(...body.map(({ id }: { id: number }) => id))
        path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      }
      expect(seen).toEqual(ids[outside])
    }
    const { status, body } = await service.anonymous.get('/api/gcp?outsideZone=true')
    expect([status, body.error[0].path]).toEqual([400, ['zoneId']])
    expect((await service.anonymous.get(`/api/gcp?zoneId=${await newZone()}&outsideZone=true`)).body).toEqual([])
  })
})

/** Of the figure above, by its lines: a square with a notch from the east to (2, 2), and a hole with corners at (0.5, 1), (1.5, 2) and (0.5, 3). */
function isInside(x: number, y: number): boolean {
  const inSquare = x >= 0 && x <= 4 && y >= 0 && y <= 4
  const inNotch = x - 2 > Math.abs(y - 2)
  const inHole = x > 0.5 && x < 1.5 - Math.abs(y - 2)
  return inSquare && !inNotch && !inHole
}
