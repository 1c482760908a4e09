import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { nextOf } from '../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'

let service: Service
let user: Caller
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const newPin = async (fields: object) => {
  const { status, body } = await user.post('/api/location/pins', { title: 'Pin', contentType: 'TEXT', ...fields })
  expect(status).toBe(201)
  return body
}
const near = (lat: number, lon: number, more: Record<string, string | number> = {}) =>
  `/api/location/pins?${new URLSearchParams({ lat, lon, ...more } as never)}`
const pinsOf = async (address: string) => (await service.anonymous.get(address)).body.pins
const idsOf = async (address: string) => (await pinsOf(address)).map(({ id }: { id: number }) => id)
const angles = { yaw: 30, pitch: 20, roll: 10 }

describe('pins around a point', () => {
  test('have the same records as single reads, with their distance', async () => {
    const text = '"\\ \u0001 \u2028 ü 🏔 </script>'
    const rich = await newPin({
      title: text,
      latitude: 1e-7,
      longitude: -0.000012345678901234,
      geoPose: {
        position: { lat: 1e-7, lon: -0.000012345678901234, h: 1.5e21 },
        angles: { yaw: 1e-9, pitch: -0.5, roll: 720 },
      },
      contentUrl: 'https://content.example/?a=%22',
      localizationData: { trackingMode: 'WORLD', worldmapURL: 'https://content.example/map' },
      scanInstructions: text,
      cameraPoseHint: {
        position: { x: 0.1, y: -2e-12, z: 3e5 },
        rotation: { x: 0, y: 0, z: 0, w: 1 },
        more: [text, null],
      },
      zoneId: (await user.post('/api/zones', { title: 'Z' })).body.id,
    })
    const { gcp } = (
      await user.post('/api/gcp', {
        title: 'G',
        gcpType: 'SINGLE',
        geoPose: { position: { lat: 0, lon: 0, h: 0 }, angles },
      })
    ).body
    await sqlOn(service)(
      `update pins set blockchain_signature = 's', blockchain_tx_url = 'https://c.example/', blockchain_synced_at = '2026-01-31 12:00:00.1+00' where id = $1`,
      [rich.id],
    )
    await service.app.pinIndex.caughtUp()
    const pins = await pinsOf(near(0, 0))
    expect(pins).toHaveLength(2)
    for (const { distance, ...pin } of pins) {
      expect(distance).toBeGreaterThanOrEqual(0)
      expect(pin).toEqual((await service.anonymous.get(`/api/location/pins/${pin.id}`)).body)
    }
    expect(pins[0]).toMatchObject({ gcpId: gcp.id, distance: 0 })
    expect(pins[1]).toMatchObject({ id: rich.id, title: text, blockchainSyncedAt: '2026-01-31T12:00:00.100Z' })
    expect(Object.keys((await service.anonymous.get(near(0, 0))).body)).toEqual(['pins'])
  })

  test('as GeoJSON are points, with a height if they have a pose, and all members of the pin', async () => {
    const geoPose = { position: { lat: 20, lon: 30, h: 40.5 }, angles }
    const [posed, flat] = [await newPin({ geoPose }), await newPin({ latitude: 20.001, longitude: 30 })]
    const { headers, body } = await service.anonymous.get(near(20, 30, { format: 'geojson', pose: 'eus' }))
    expect(headers.get('content-type')).toBe('application/geo+json')
    const pins = await pinsOf(near(20, 30, { pose: 'eus' }))
    expect(pins.map(({ id }: { id: number }) => id)).toEqual([posed.id, flat.id])
    const feature = (coordinates: number[], properties: { id: number }) => ({
      type: 'Feature',
      id: properties.id,
      geometry: { type: 'Point', coordinates },
      properties,
    })
    expect(body).toEqual({
      type: 'FeatureCollection',
      features: [feature([30, 20, 40.5], pins[0]), feature([30, 20.001], pins[1])],
    })
    const none = await service.anonymous.get(near(-80, 30, { format: 'geojson' }))
    expect(none.body).toEqual({ type: 'FeatureCollection', features: [] })
  })

  test('show their pose as a quaternion on request, as does a single pin', async () => {
    const geoPose = { position: { lat: 25, lon: 30, h: 1 }, angles }
    const [posed, flat] = [await newPin({ geoPose }), await newPin({ latitude: 25, longitude: 30 })]
    for (const [pose, frame, [x, y, z, w]] of [
      ['quaternion', 'ENU', [0.03813458, 0.18930786, 0.23929834, 0.95154852]],
      ['eus', 'EUS', [0.03813458, 0.23929834, -0.18930786, 0.95154852]],
      ['eun', 'EUN', [-0.03813458, -0.23929834, -0.18930786, 0.95154852]],
    ] as const) {
      const quaternion = Object.fromEntries(
        Object.entries({ x, y, z, w }).map(([axis, n]) => [axis, expect.closeTo(n!, 8)]),
      )
      const expected = { frame, position: geoPose.position, quaternion }
      const pins = await pinsOf(near(25, 30, { pose }))
      expect(pins.map((pin: { pose: unknown }) => pin.pose)).toEqual([expected, null])
      const one = (pin: { id: number }) => service.anonymous.get(`/api/location/pins/${pin.id}?pose=${pose}`)
      expect((await one(posed)).body).toEqual({ ...posed, pose: expected })
      expect((await one(flat)).body).toEqual({ ...flat, pose: null })
    }
    for (const address of [near(25, 30, { pose: 'ypr' }), `/api/location/pins/${posed.id}?pose=enu`])
      expect(await service.anonymous.get(address)).toMatchObject({ status: 400, body: { error: [{ path: ['pose'] }] } })
  })

  test('in a height band are those whose pose is in it; pins without a height are not', async () => {
    const at = (h: number) => newPin({ geoPose: { position: { lat: 33, lon: 0, h }, angles } })
    const [low, middle, high] = [await at(-10), await at(3.5), await at(100)]
    const flat = await newPin({ latitude: 33, longitude: 0 })
    expect(await idsOf(near(33, 0))).toEqual([low.id, middle.id, high.id, flat.id])
    expect(await idsOf(near(33, 0, { minH: 3.5 }))).toEqual([middle.id, high.id])
    expect(await idsOf(near(33, 0, { maxH: 3.5 }))).toEqual([low.id, middle.id])
    expect(await idsOf(near(33, 0, { minH: -9.99, maxH: 99, limit: 1 }))).toEqual([middle.id])
  })

  test('are found at any distance with `nearest`, and within a radius only if given', async () => {
    const far = await newPin({ latitude: -60, longitude: -120 })
    expect(await idsOf(near(-61, 60, { nearest: 1, contentType: 'TEXT' }))).toEqual([far.id])
    expect(await idsOf(near(-61, 60, { nearest: 1, radius: 100_000 }))).toEqual([])
    expect(await idsOf(near(-60, -120, { nearest: 3, radius: 10 }))).toEqual([far.id])
  })

  test('in a bounding box include those on its edge, on both sides of 180°', async () => {
    const west = await newPin({ latitude: -45, longitude: -179.5 })
    const seam = await newPin({ latitude: -45, longitude: 180 })
    const east = await newPin({ latitude: -45, longitude: 179.5 })
    const inBox = (bbox: string) => idsOf(near(-45, 179.4, { bbox }))
    expect(await inBox('179.5,-46,-179.5,-45')).toEqual([east.id, seam.id, west.id])
    expect(await inBox('179.5,-46,180,-45')).toEqual([east.id, seam.id])
    expect(await inBox('-180,-46,-179,-45')).toEqual([seam.id, west.id])
    expect(await inBox('179.6,-46,179.9,-45')).toEqual([])
    expect(await idsOf(near(-45, 179.4, { bbox: '179,-46,-179,-44', radius: 8000 }))).toEqual([east.id])
  })

  test('are validated strictly', async () => {
    for (const [query, path] of [
      ['lat=1&lon=1&nearest=0', 'nearest'],
      ['lat=1&lon=1&nearest=1001', 'nearest'],
      ['lat=1&lon=1&nearest=2.5', 'nearest'],
      ['lat=1&lon=1&bbox=1,2,3', 'bbox'],
      ['lat=1&lon=1&bbox=1,2,3,4,5', 'bbox'],
      ['lat=1&lon=1&bbox=1,5,3,4', 'bbox'],
      ['lat=1&lon=1&bbox=-181,2,3,4', 'bbox'],
      ['lat=1&lon=1&bbox=1,-91,3,4', 'bbox'],
      ['lat=1&lon=1&bbox=1,2,,4', 'bbox'],
      ['lat=1&lon=1&bbox=a,2,3,4', 'bbox'],
      ['bbox=1,2,3,4', 'lat'],
      ['lat=1&lon=1&minH=2&maxH=1', 'minH'],
      ['lat=1&lon=1&maxH=NaN', 'maxH'],
      ['lat=1&lon=1&format=xml', 'format'],
      ['lat=1&lon=1&cursor=x', 'cursor'],
    ]) {
      const { status, body } = await service.anonymous.get(`/api/location/pins?${query}`)
      expect([query, status, body.error?.[0]?.path?.[0]]).toEqual([query, 400, path])
    }
  })
})

describe('paging', () => {
  test('shows nothing twice and omits nothing while pins are added and deleted', async () => {
    const at = (step: number) => newPin({ latitude: 50 + step * 1e-4, longitude: 60 })
    const pins: { id: number }[] = []
    for (let step = 0; step < 9; step++) pins.push(await at(step))
    const first = await service.anonymous.get(near(50, 60, { limit: 3, contentType: 'TEXT' }))
    expect(first.body.pins.map(({ id }: { id: number }) => id)).toEqual(pins.slice(0, 3).map(({ id }) => id))
    expect(first.headers.get('x-total-count')).toBeNull()
    // One before the current position and two after it, one of them at the distance of the last one shown.
    await at(0.5)
    const [twin, between] = [await at(2), await at(4.5)]
    for (const gone of [pins[2]!, pins[5]!]) await user.delete(`/api/location/pins/${gone.id}`)
    const rest: number[] = []
    for (let next = nextOf(first.headers); next; ) {
      const page = await service.anonymous.get(next)
      expect(page.body.pins.length).toBeLessThanOrEqual(3)
      rest.push(...page.body.pins.map(({ id }: { id: number }) => id))
      next = nextOf(page.headers)
    }
    expect(rest).toEqual([twin, pins[3], pins[4], between, pins[6], pins[7], pins[8]].map((pin) => pin!.id))
  })

  test('returns as many in all as `nearest` says', async () => {
    for (let i = 0; i < 6; i++) await newPin({ latitude: 55, longitude: 60 })
    const sizes: number[] = []
    for (let next: string | undefined = near(55, 60, { nearest: 5, limit: 2 }); next; ) {
      const page = await service.anonymous.get(next)
      sizes.push(page.body.pins.length)
      next = nextOf(page.headers)
    }
    expect(sizes).toEqual([2, 2, 1])
  })

  test('refuses a cursor of another search', async () => {
    for (let i = 0; i < 2; i++) await newPin({ latitude: 57, longitude: 60 })
    const { headers } = await service.anonymous.get(near(57, 60, { limit: 1 }))
    const cursor = new URLSearchParams(nextOf(headers)!.split('?')[1]).get('cursor')!
    expect(await idsOf(near(57, 60, { limit: 5, cursor }))).toHaveLength(1)
    for (const other of [
      near(57, 61, { cursor }),
      near(57, 60, { cursor, radius: 999 }),
      near(57, 60, { cursor, minH: 0 }),
    ])
      expect(await service.anonymous.get(other)).toMatchObject({ status: 400, body: { error: [{ path: ['cursor'] }] } })
  })
})
