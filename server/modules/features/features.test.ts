import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Answer, type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let user: Caller
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
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
/** Those that have a geometry: a bbox selects all that have none. */
const placedIn = ({ features }: Answer['body']): number[] =>
  features.flatMap(({ id, geometry }: { id: number; geometry: object | null }) => (geometry ? [id] : []))
const placed = async (collection: string, query: Record<string, string>) => placedIn(await items(collection, query))
const links = (body: Answer['body']): Record<string, string> =>
  Object.fromEntries(body.links.map(({ rel, href }: { rel: string; href: string }) => [rel, href]))

describe('features', () => {
  test('a pin is a point with its height, in WGS84, longitude first', async () => {
    const id = await pin(52.5, 13.4, { ...posed(52.5, 13.4, 77.25), title: 'High', contentUrl: 'https://a.example/x' })
    const { status, body, headers } = await get(`/ogc/collections/pins/items/${id}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/geo+json')
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
    expect(await placed('gcps', { bbox: '-71,-34,-69,-32' })).toEqual([gcp.id])
    expect(await ids('pins', { gcpId: String(gcp.id) })).toHaveLength(1)
  })

  test('`properties` selects the properties on every page; an unknown name is refused', async () => {
    for (const [title, at] of [
      ['A', 71],
      ['B', 72],
    ] as const)
      await pin(at, -20, { title })
    const query = { bbox: '-21,70,-19,73', properties: 'contentType,title', limit: '1' }
    const page = await items('pins', query)
    expect(page.features.map(({ properties }: { properties: object }) => properties)).toEqual([
      { contentType: 'GLB', title: 'A' },
    ])
    const { body } = await get(new URL(links(page).next!).pathname + new URL(links(page).next!).search)
    expect(body.features[0].properties).toEqual({ contentType: 'GLB', title: 'B' })
    for (const properties of ['title,colour', '', 'title,', "title'"]) {
      const refused = await get(`/ogc/collections/pins/items?${new URLSearchParams({ properties })}`)
      expect(refused.status, properties).toBe(400)
      expect(JSON.stringify(refused.body)).toContain('properties')
    }
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

  test('`next` leads through all pages while features are added and removed', async () => {
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

  test('a zone is selected by its boundary, not by its bounding box', async () => {
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
    for (const [bbox, expected] of cases) expect([bbox, await placed('zones', { bbox })]).toEqual([bbox, expected])
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
      seen.push(...placedIn(body))
      next = links(body).next
    }
    expect(seen).toEqual(all)
  })
})
