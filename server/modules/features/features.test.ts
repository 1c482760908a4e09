import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenOn } from '../../test/given.ts'
import { type Answer, type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let user: Caller
beforeAll(async () => {
  service = await startService()
  user = await givenOn(service).user()
})
afterAll(() => service.stop())

const made = async (path: string, body: object): Promise<Answer['body']> => {
  const answer = await user.post(path, body)
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body
}
const pin = async (latitude: number, longitude: number, fields: object = {}): Promise<number> =>
  (await made('/api/location/pins', { title: 'Pin', contentType: 'GLB', latitude, longitude, ...fields })).id
const posed = (lat: number, lon: number, h: number) => ({
  geoPose: { position: { lat, lon, h }, angles: { yaw: 90, pitch: 0, roll: 0 } },
})
const zone = async (fields: object = {}): Promise<number> => (await made('/api/zones', { title: 'Zone', ...fields })).id
const square = (west: number, south: number, size: number) => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
]
const get = (path: string) => service.anonymous.get(path)
const items = async (collection: string, query: Record<string, string> = {}): Promise<Answer['body']> => {
  const { status, body } = await get(
    `/ogc/collections/${collection}/items?${new URLSearchParams({ limit: '10000', ...query })}`,
  )
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}
const ids = async (collection: string, query: Record<string, string>): Promise<number[]> =>
  (await items(collection, query)).features.map(({ id }: { id: number }) => id)
const links = (body: Answer['body']): Record<string, string> =>
  Object.fromEntries(body.links.map(({ rel, href }: { rel: string; href: string }) => [rel, href]))

describe('the way to the features', () => {
  test('leads from the landing page by absolute links, each of the type it says', async () => {
    const { status, body } = await get('/ogc')
    expect(status).toBe(200)
    const found = links(body)
    expect(Object.keys(found).sort()).toEqual(['conformance', 'data', 'self', 'service-desc', 'service-doc'])
    for (const { href, type } of body.links) {
      const answer = await get(href)
      expect([href, answer.status]).toEqual([href, 200])
      expect(answer.headers.get('content-type')).toContain(type.split(';')[0])
    }
    const { body: collections } = await get(found.data!)
    expect(collections.collections.map(({ id }: { id: string }) => id)).toEqual(['pins', 'gcps', 'zones'])
    for (const collection of collections.collections)
      for (const { href, type } of collection.links) {
        const answer = await get(href)
        expect([href, answer.status]).toEqual([href, 200])
        expect(answer.headers.get('content-type')).toContain(type)
        if (href.endsWith(`/${collection.id}`)) expect(answer.body).toEqual(collection)
      }
  })

  test('says what of the standard is kept, and the largest page where GIS clients look for it', async () => {
    const { body } = await get('/ogc/conformance')
    expect(body.conformsTo).toContain('http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core')
    const api = await get('/ogc/api')
    expect(api.body.openapi).toMatch(/^3\.0/)
    expect(api.body.components.parameters.limit.schema).toMatchObject({ minimum: 1, maximum: 10_000, default: 10 })
    const { parameters } = api.body.paths['/collections/gcps/items'].get
    expect(parameters.filter(({ name }: { name?: string }) => name)).toEqual([
      {
        name: 'title',
        in: 'query',
        required: false,
        style: 'form',
        explode: false,
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
      {
        name: 'gcpType',
        in: 'query',
        required: false,
        style: 'form',
        explode: false,
        schema: { type: 'string', enum: ['SINGLE', 'MULTI'] },
      },
      {
        name: 'aprilTagId',
        in: 'query',
        required: false,
        style: 'form',
        explode: false,
        schema: { type: 'integer', minimum: 0, maximum: 50 },
      },
      {
        name: 'zoneId',
        in: 'query',
        required: false,
        style: 'form',
        explode: false,
        schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      },
    ])
  })

  test('queryables name every property that can be filtered by', async () => {
    const { body } = await get('/ogc/collections/pins/queryables')
    expect(Object.keys(body.properties)).toEqual(['geometry', 'title', 'contentType', 'zoneId', 'gcpId'])
    expect(body.properties.zoneId).toMatchObject({ type: 'integer' })
    expect(body.additionalProperties).toBe(false)
  })

  test('what is not there is 404; what is not known or malformed is 400 and named', async () => {
    for (const path of [
      '/ogc/collections/trees',
      '/ogc/collections/trees/items',
      '/ogc/collections/pins/items/0',
      '/ogc/collections/pins/items/abc',
      '/ogc/collections/gcps/items/99999999',
      '/ogc/nothing',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404])
    const bad: [string, string][] = [
      ['', 'x=1'],
      ['/conformance', 'f=html'],
      ['/collections', 'limit=5'],
      ['/collections/pins/items', 'colour=red'],
      ['/collections/zones/items', 'contentType=GLB'],
      ['/collections/pins/items', 'limit=0'],
      ['/collections/pins/items', 'limit=-1'],
      ['/collections/pins/items', 'limit=x'],
      ['/collections/pins/items', 'limit=5&limit=6'],
      ['/collections/pins/items', 'cursor=bm8'],
      ['/collections/pins/items', 'bbox=1,2,3'],
      ['/collections/pins/items', 'bbox=1,2,3,x'],
      ['/collections/pins/items', 'bbox=1,2,3,NaN'],
      ['/collections/pins/items', 'bbox=1,5,3,4'],
      ['/collections/pins/items', 'bbox=1,2,9,3,4,8'],
      ['/collections/pins/items', 'bbox='],
      ['/collections/pins/items', 'bbox-crs=EPSG:3857'],
      ['/collections/pins/items', 'datetime=yesterday'],
      ['/collections/pins/items', 'datetime=2026-02-30T00:00:00Z'],
      ['/collections/pins/items', 'datetime=0000-01-01T00:00:00Z'],
      ['/collections/pins/items', 'datetime=2026-02-03T00:00:00Z/2026-02-02T00:00:00Z'],
      ['/collections/pins/items', 'zoneId=x'],
      ['/collections/gcps/items', 'aprilTagId=51'],
    ]
    for (const [path, query] of bad) {
      const { status, body } = await get(`/ogc${path}?${query}`)
      expect([query, status]).toEqual([query, 400])
      expect(body.error[0].message).not.toBe('')
    }
  })

  test('more than ten thousand are not asked for, but that is no error', async () => {
    expect((await get('/ogc/collections/pins/items?limit=20000')).status).toBe(200)
  })
})

describe('features', () => {
  test('a pin is a point with its height, in WGS84, longitude first', async () => {
    const id = await pin(52.5, 13.4, { ...posed(52.5, 13.4, 77.25), title: 'High', contentUrl: 'https://a.example/x' })
    const { status, body, headers } = await get(`/ogc/collections/pins/items/${id}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('application/geo+json')
    const stored = (await get(`/api/location/pins/${id}`)).body
    expect(body).toMatchObject({
      type: 'Feature',
      id,
      geometry: { type: 'Point', coordinates: [13.4, 52.5, 77.25] },
      properties: {
        title: 'High',
        contentType: 'GLB',
        contentUrl: 'https://a.example/x',
        yaw: 90,
        zoneId: null,
        createdAt: stored.createdAt,
        updatedAt: stored.updatedAt,
      },
    })
    expect(await ids('pins', { title: 'High' })).toEqual([id])
    expect((await items('pins', { title: 'High' })).features[0].geometry).toEqual(body.geometry)
  })

  test('only public pins with a place are there', async () => {
    const [shown, hidden, unlisted] = [
      await pin(-60, 10),
      await pin(-60, 10, { visibility: 'private' }),
      await pin(-60, 10, { visibility: 'unlisted' }),
    ]
    const gcp = await made('/api/gcp', { title: 'Nowhere', gcpType: 'SINGLE' })
    const all = await ids('pins', {})
    expect(all).toContain(shown)
    for (const id of [hidden, unlisted, gcp.pin.id]) {
      expect(all).not.toContain(id)
      expect((await get(`/ogc/collections/pins/items/${id}`)).status).toBe(404)
      expect((await user.get(`/ogc/collections/pins/items/${id}`)).status).toBe(404)
    }
    expect(await ids('pins', { bbox: '9,-61,11,-59' })).toEqual([shown])
  })

  test('a ground control point has its own properties, and no geometry without a place', async () => {
    const zoneId = await zone({ title: 'Quarry' })
    const { gcp } = await made('/api/gcp', {
      title: 'G1',
      gcpType: 'MULTI',
      aprilTagId: 7,
      altitude: 12,
      zoneId,
      photoUrls: ['https://a.example/1.jpg'],
      ...posed(-33, -70, 540.5),
    })
    const { gcp: nowhere } = await made('/api/gcp', { title: 'G2', gcpType: 'SINGLE', zoneId })
    const { features, numberMatched } = await items('gcps', { zoneId: String(zoneId) })
    expect(numberMatched).toBe(2)
    expect(features).toMatchObject([
      {
        id: gcp.id,
        geometry: { type: 'Point', coordinates: [-70, -33, 540.5] },
        properties: {
          title: 'G1',
          gcpType: 'MULTI',
          aprilTagId: 7,
          altitude: 12,
          zoneTitle: 'Quarry',
          photoUrls: ['https://a.example/1.jpg'],
        },
      },
      { id: nowhere.id, geometry: null },
    ])
    expect(await ids('gcps', { aprilTagId: '7', gcpType: 'MULTI' })).toEqual([gcp.id])
    expect(await ids('gcps', { bbox: '-71,-34,-69,-32' })).toEqual([gcp.id])
    expect(await ids('pins', { gcpId: String(gcp.id) })).toHaveLength(1)
  })

  test('heights bound those that have one', async () => {
    const [low, high, flat] = [
      await pin(-61, 50, posed(-61, 50, 10)),
      await pin(-61, 50, posed(-61, 50, 100)),
      await pin(-61, 50),
    ]
    expect(await ids('pins', { bbox: '49,-62,51,-60' })).toEqual([low, high, flat])
    expect(await ids('pins', { bbox: '49,-62,10,51,-60,50' })).toEqual([low, flat])
    expect(
      await ids('pins', { bbox: '49,-62,50.5,51,-60,100', 'bbox-crs': 'http://www.opengis.net/def/crs/OGC/0/CRS84h' }),
    ).toEqual([high, flat])
  })

  test('datetime chooses by when a feature was created', async () => {
    const id = await pin(-62, 1)
    const { createdAt } = (await get(`/api/location/pins/${id}`)).body
    const before = new Date(Date.parse(createdAt) - 60_000).toISOString()
    const bbox = '0,-63,2,-61'
    for (const datetime of [
      createdAt,
      `${before}/${createdAt}`,
      `${createdAt}/..`,
      `../${createdAt}`,
      '../..',
      `${before}/`,
    ])
      expect([datetime, await ids('pins', { bbox, datetime })]).toEqual([datetime, [id]])
    for (const datetime of [before, `../${before}`, '9999-12-31T23:59:59Z/..'])
      expect([datetime, await ids('pins', { bbox, datetime })]).toEqual([datetime, []])
    expect(await ids('pins', { bbox, datetime: createdAt.replace('Z', '+00:00').toLowerCase() })).toEqual([id])
  })

  test('pages follow each other by `next`, whatever is added or removed meanwhile', async () => {
    const all: number[] = []
    for (let i = 0; i < 7; i++)
      all.push((await made('/api/gcp', { title: `Page ${i}`, gcpType: 'MULTI', ...posed(-64, i, 0) })).gcp.id)
    const seen: number[] = []
    let next: string | undefined = `/ogc/collections/gcps/items?limit=2&bbox=-1,-65,7,-63&gcpType=MULTI`
    let pages = 0
    while (next) {
      const { body } = await get(next)
      expect(body.numberReturned).toBe(body.features.length)
      seen.push(...body.features.map(({ id }: { id: number }) => id))
      if (pages === 0) {
        expect(body.numberMatched).toBe(7)
        await user.delete(`/api/gcp/${all[0]}`)
        await user.delete(`/api/gcp/${all[2]}`)
        all.push((await made('/api/gcp', { title: 'Late', gcpType: 'MULTI', ...posed(-64, 3, 0) })).gcp.id)
      }
      pages++
      next = links(body).next
    }
    expect(seen).toEqual(all.filter((id) => id !== all[2]))
    expect(pages).toBe(4)
  })

  test('the last page has no `next`, a full one either', async () => {
    const zoneId = String(await zone())
    for (let i = 0; i < 2; i++) await pin(0, i, { zoneId: Number(zoneId) })
    const body = await items('pins', { zoneId, limit: '2' })
    expect(body.numberReturned).toBe(2)
    expect(links(body).next).toBeUndefined()
    expect(links(await items('pins', { zoneId, limit: '1' })).next).toBeDefined()
  })

  test('a zone is chosen by its boundary, not by the box around it', async () => {
    const [south, hole] = [-80, square(21, -79, 8)]
    const ring = await zone({ boundary: { type: 'Polygon', coordinates: [square(20, south, 10), hole] } })
    const corner = await zone({
      boundary: {
        type: 'Polygon',
        coordinates: [
          [
            [40, -80],
            [50, -80],
            [50, -70],
            [40, -80],
          ],
        ],
      },
    })
    const both = await zone({
      boundary: { type: 'MultiPolygon', coordinates: [[square(178, -80, 2)], [square(-180, -80, 2)]] },
    })
    const cases: [string, number[]][] = [
      ['20.2,-79.8,20.4,-79.6', [ring]],
      ['23,-77,25,-75', []],
      ['20.5,-79.5,22,-78', [ring]],
      ['10,-90,60,-60', [ring, corner]],
      ['41,-72,43,-71', []],
      ['48,-79,49,-78', [corner]],
      ['40,-80,40,-80', [corner]],
      ['179,-79.5,-179,-79', [both]],
      ['-179,-79.5,-178.5,-79', [both]],
      ['180,-80,180,-79', [both]],
      ['0,-80,1,-79', []],
    ]
    for (const [bbox, expected] of cases) expect([bbox, await ids('zones', { bbox })]).toEqual([bbox, expected])
    const { body } = await get(`/ogc/collections/zones/items/${both}`)
    expect(body.geometry.coordinates).toHaveLength(2)
  })

  test('zones are paged though their boundaries decide', async () => {
    const all: number[] = []
    for (let i = 0; i < 5; i++) {
      await zone({
        boundary: {
          type: 'Polygon',
          coordinates: [
            [
              [70, -80],
              [80, -80],
              [80, -70],
              [70, -80],
            ],
          ],
        },
      })
      all.push(await zone({ boundary: { type: 'Polygon', coordinates: [square(70, -80, 10)] } }))
    }
    const seen: number[] = []
    for (let next: string | undefined = '/ogc/collections/zones/items?limit=2&bbox=71,-72,72,-71'; next; ) {
      const { body } = await get(next)
      seen.push(...body.features.map(({ id }: { id: number }) => id))
      next = links(body).next
    }
    expect(seen).toEqual(all)
  })
})
