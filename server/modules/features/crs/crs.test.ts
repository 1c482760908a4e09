import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

const uri = (code: number | string) => `http://www.opengis.net/def/crs/EPSG/0/${code}`
const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'
const PINS = '/ogc/collections/pins/items'

let service: Service
let user: Caller
const ids: number[] = []
/** In UTM zone 33. */
const POTSDAM = { longitude: 13.06, latitude: 52.4 }

beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
  for (const i of [0, 1, 2, 3])
    ids.push(await pinAt(POTSDAM.longitude + i / 100, POTSDAM.latitude, i === 0 ? 40 : undefined))
})
afterAll(() => service.stop())

async function pinAt(longitude: number, latitude: number, h?: number): Promise<number> {
  const feature = {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: h === undefined ? [longitude, latitude] : [longitude, latitude, h] },
    properties: { title: 'Pin', contentType: 'GLB' },
  }
  return (await user.post(PINS, feature)).body.id
}
const get = (path: string) => service.anonymous.get(path)
const items = (query: Record<string, string>) => get(`${PINS}?${new URLSearchParams(query)}`)
const place = (answer: Awaited<ReturnType<typeof get>>) => answer.body.geometry.coordinates

describe('a reference system of features', () => {
  test('is CRS84 if none is named, and the header says so', async () => {
    for (const path of [PINS, `${PINS}/${ids[0]}`])
      expect((await get(path)).headers.get('content-crs')).toBe(`<${CRS84}>`)
  })

  test('has its own order of axes: EPSG:4326 latitude first, EPSG:3857 and UTM easting first', async () => {
    const { longitude, latitude } = POTSDAM
    const asked = async (code: number) => get(`${PINS}/${ids[1]}?crs=${encodeURIComponent(uri(code))}`)
    const at = [longitude + 0.01, latitude]
    expect(place(await asked(4326))).toEqual(at.toReversed())
    expect(place(await asked(4258))[0]).toBeCloseTo(latitude, 9)
    const radius = 6_378_137
    const mercator = [
      (radius * at[0]! * Math.PI) / 180,
      radius * Math.log(Math.tan(Math.PI / 4 + (at[1]! * Math.PI) / 360)),
    ]
    for (const i of [0, 1]) expect(place(await asked(3857))[i]).toBeCloseTo(mercator[i]!, 4)
    const utm = await asked(25833)
    expect(utm.headers.get('content-crs')).toBe(`<${uri(25833)}>`)
    expect(utm.headers.get('transformation')).toMatch(/accuracy=1;points=1$/)
    expect(place(utm)[0]).toBeGreaterThan(300_000)
    expect(place(utm)[1]).toBeGreaterThan(5_000_000)
  })

  test('keeps the height above the ellipsoid and all properties as they are', async () => {
    const plain = (await get(`${PINS}/${ids[0]}`)).body
    const moved = (await get(`${PINS}/${ids[0]}?crs=${encodeURIComponent(uri(25833))}`)).body
    expect(moved.geometry.coordinates[2]).toBe(40)
    expect(moved.properties).toEqual(plain.properties)
  })

  test('is one of the list of the collections, which names no other twice', async () => {
    const { body } = await get('/ogc/collections')
    expect(new Set(body.crs).size).toBe(body.crs.length)
    for (const code of [4326, 4979, 3857, 25833, 2154, 2056]) expect(body.crs).toContain(uri(code))
    for (const code of [27700, 4269, 31467]) expect(body.crs).not.toContain(uri(code))
    for (const collection of body.collections)
      expect(collection).toMatchObject({ crs: [CRS84, '#/crs'], storageCrs: CRS84 })
    expect((await get('/ogc/conformance')).body.conformsTo).toContain(
      'http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs',
    )
  })

  test.each([uri(27700), uri(1), uri('3857x'), 'EPSG:3857', 'http://www.opengis.net/def/crs/OGC/1.3/CRS99'])(
    'that is not listed is refused: %s',
    async (crs) => {
      const requests: Record<string, string>[] = [{ crs }, { 'bbox-crs': crs, bbox: '0,0,1,1' }]
      for (const query of requests) {
        const { status, body } = await items(query)
        expect([status, body.error[0].path]).toEqual([400, [Object.keys(query)[0]]])
      }
      expect((await get(`${PINS}/${ids[0]}?crs=${encodeURIComponent(crs)}`)).status).toBe(400)
    },
  )

  test('refuses a feature outside its area instead of giving it a wrong place', async () => {
    const tokyo = await pinAt(139.7, 35.7)
    const { status, body } = await items({ crs: uri(25833) })
    expect([status, body.error]).toEqual([400, expect.stringContaining('lies outside the area of EPSG:25833')])
    expect((await items({ crs: uri(25833), bbox: '12,52,14,53' })).status).toBe(200)
    await user.delete(`${PINS}/${tokyo}`)
  })

  test('stays the same on the pages that follow', async () => {
    const found: number[][] = []
    for (let next: string | undefined = `${PINS}?limit=3&crs=${encodeURIComponent(uri(25833))}`; next; ) {
      const { body, headers } = await get(next)
      expect(headers.get('content-crs')).toBe(`<${uri(25833)}>`)
      found.push(...body.features.map(({ geometry }: { geometry: { coordinates: number[] } }) => geometry.coordinates))
      next = body.links.find(({ rel }: { rel: string }) => rel === 'next')?.href
    }
    expect(found.every(([easting]) => easting! > 300_000)).toBe(true)
    expect(found.length).toBe(4)
  })
})

describe('a bbox in a reference system', () => {
  const within = async (bbox: number[], code: number) => {
    const { body } = await items({ bbox: bbox.join(','), 'bbox-crs': uri(code) })
    const found = body.features.map(({ id }: { id: number }) => id)
    expect(body.numberMatched).toBe(found.length)
    return found
  }

  test('has the order of its axes', async () => {
    const { latitude, longitude } = POTSDAM
    expect(await within([latitude - 1, longitude - 1, latitude + 1, longitude + 0.015], 4326)).toEqual(ids.slice(0, 2))
    expect(await within([longitude - 1, latitude - 1, longitude + 1, latitude + 1], 4326)).toEqual([])
  })

  test('holds exactly the points that lie in it in that system', async () => {
    const { features } = (await items({ crs: uri(25833) })).body
    const all = features.map(({ id, geometry }: { id: number; geometry: { coordinates: [number, number] } }) => ({
      id,
      at: geometry.coordinates,
    }))
    for (const one of all) {
      const [easting, northing] = one.at
      for (const [dx, dy] of [
        [0.01, 0.01],
        [-5000, 0.01],
        [0.01, -5000],
      ] as const) {
        const box = [
          Math.min(easting - 0.01, easting + dx),
          Math.min(northing - 0.01, northing + dy),
          easting + 0.01,
          northing + 0.01,
        ]
        const expected = all
          .filter(
            ({ at: [x, y] }: { at: [number, number] }) => x >= box[0]! && x <= box[2]! && y >= box[1]! && y <= box[3]!,
          )
          .map(({ id }: { id: number }) => id)
        expect(await within(box, 25833)).toEqual(expected)
      }
    }
  })

  test('that is turned, crosses 180° or has heights in a plane system is refused', async () => {
    for (const [bbox, code] of [
      ['400000,5800000,300000,5900000', 25833],
      ['300000,5800000,0,400000,5900000,1', 25833],
      ['-1000000,-1000000,1000000,1000000', 3031],
      ['1e30,1,2e30,2', 25833],
    ] as const) {
      const { status, body } = await items({ bbox, 'bbox-crs': uri(code) })
      expect([bbox, status, body.error?.[0]?.path]).toEqual([bbox, 400, ['bbox']])
    }
  })

  test('chooses zones by the box around it', async () => {
    const ring = [
      [13, 52.3],
      [13.1, 52.3],
      [13.1, 52.5],
      [13, 52.5],
      [13, 52.3],
    ]
    const { body } = await user.post('/api/zones', {
      title: 'Zone',
      boundary: { type: 'Polygon', coordinates: [ring] },
    })
    const asked = async (bbox: string) =>
      (
        await get(
          `/ogc/collections/zones/items?${new URLSearchParams({ bbox, 'bbox-crs': uri(25833), crs: uri(25833) })}`,
        )
      ).body.features
    const [found] = await asked('360000,5800000,370000,5810000')
    expect(found.id).toBe(body.id)
    expect(found.geometry.coordinates[0][0][0]).toBeGreaterThan(300_000)
    expect(await asked('560000,5800000,570000,5810000')).toEqual([])
  })
})

describe('a write with Content-Crs', () => {
  const at = (crs: string) => service.as({ ...user.headers, 'content-crs': crs })
  const pin = (coordinates: number[]) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates },
    properties: { title: 'Pin', contentType: 'GLB' },
  })

  test('puts back what was read in that system to a micrometre', async () => {
    const path = `${PINS}/${await pinAt(13.5, 52.5, 12)}`
    const before = place(await get(path))
    const read = (await get(`${path}?crs=${encodeURIComponent(uri(25833))}`)).body
    const { status, headers } = await at(`<${uri(25833)}>`).put(path, pin(read.geometry.coordinates))
    expect([status, headers.get('content-crs')]).toEqual([200, `<${CRS84}>`])
    const after = place(await get(path))
    for (const i of [0, 1]) expect(Math.abs(after[i] - before[i])).toBeLessThan(1e-10)
    expect(after[2]).toBe(12)
  })

  test('reads latitude first in EPSG:4326, in creations and merge patches', async () => {
    const { status, body } = await at(`<${uri(4326)}>`).post(PINS, pin([52.1, 13.1]))
    expect([status, body.geometry.coordinates]).toEqual([201, [13.1, 52.1]])
    const patch = { geometry: { coordinates: [52.2, 13.2] } }
    expect(place(await at(`<${uri(4326)}>`).patch(`${PINS}/${body.id}`, patch))).toEqual([13.2, 52.2])
  })

  test('in a system that is not listed, without brackets or outside the area is refused and writes nothing', async () => {
    const count = async () => (await get(`${PINS}?limit=1`)).body.numberMatched
    const before = await count()
    for (const [crs, coordinates] of [
      [`<${uri(27700)}>`, [1, 2]],
      ['EPSG:25833', [1, 2]],
      [`<${uri(25833)}>`, [9_000_000, 2]],
      [`<${uri(25833)}>`, ['x', 2]],
    ] as const) {
      const { status, body } = await at(crs).post(PINS, pin(coordinates as never))
      expect([crs, status, body.error[0].path[0]]).toEqual([
        crs,
        400,
        expect.stringMatching(/^(Content-Crs|geometry)$/),
      ])
    }
    expect(await count()).toBe(before)
  })
})
