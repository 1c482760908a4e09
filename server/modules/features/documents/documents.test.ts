import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Service, startService } from '../../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const get = (path: string) => service.anonymous.get(path)
const TILING_SCHEMES = 'http://www.opengis.net/def/rel/ogc/1.0/tiling-schemes'
const links = (body: Answer['body']): Record<string, string> =>
  Object.fromEntries(body.links.map(({ rel, href }: { rel: string; href: string }) => [rel, href]))

describe('the way to the features', () => {
  test('leads from the landing page by absolute links, each of the type it says', async () => {
    const { status, body } = await get('/ogc')
    expect(status).toBe(200)
    expect((await get('/ogc/')).body).toEqual(body)
    const found = links(body)
    expect(Object.keys(found).sort()).toEqual([
      'alternate',
      'conformance',
      'data',
      TILING_SCHEMES,
      'self',
      'service-desc',
      'service-doc',
    ])
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
    // To the letter: GDAL takes no other, and then filters nothing by property here.
    expect(api.headers.get('content-type')).toBe('application/vnd.oai.openapi+json;version=3.0')
    expect(api.body.components.parameters.limit.schema).toMatchObject({ minimum: 1, maximum: 10_000, default: 1000 })
    const { parameters } = api.body.paths['/collections/gcps/items'].get
    const own = parameters.filter(({ name }: { name?: string }) => name)
    const form = { in: 'query', required: false, style: 'form', explode: false }
    expect(own).toContainEqual({ name: 'title', ...form, schema: { type: 'string', minLength: 1, maxLength: 255 } })
    expect(own).toContainEqual({ name: 'gcpType', ...form, schema: { type: 'string', enum: ['SINGLE', 'MULTI'] } })
    expect(own).toContainEqual({ name: 'aprilTagId', ...form, schema: { type: 'integer', minimum: 0, maximum: 50 } })
    expect(own).toContainEqual({ name: 'altitude', ...form, schema: { type: 'number' } })
    const { properties } = (await get('/ogc/collections/gcps/queryables')).body
    expect(own.map(({ name }: { name: string }) => name)).toEqual(Object.keys(properties).slice(1))
  })

  test('queryables name every property that can be filtered by', async () => {
    const { body } = await get('/ogc/collections/pins/queryables')
    expect(Object.keys(body.properties)).toEqual([
      ...[
        'geometry',
        'id',
        'title',
        'contentType',
        'trackingMode',
        'zoneId',
        'gcpId',
        'userId',
        'createdAt',
        'updatedAt',
      ],
    ])
    expect(body.properties.zoneId).toMatchObject({ type: 'integer' })
    expect(body.additionalProperties).toBe(false)
  })

  test('what is not there is 404; what is not known or malformed is 400 and named', async () => {
    for (const path of [
      '/ogc/collections/trees',
      '/ogc/collections/trees/items',
      '/ogc/collections/gcps/items/99999999',
      '/ogc/nothing',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404])
    const bad: [string, string][] = [
      ['', 'x=1'],
      ['/conformance', 'f=xml'],
      ['/collections', 'limit=5'],
      ['/collections/pins/items/0', ''],
      ['/collections/pins/items/abc', ''],
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
    const { body: strayed } = await get('/ogc/collections/pins/items?cursor=bm8')
    // The link is in the page here, and in the header Link of other lists.
    expect(strayed.error[0].message).toBe('is not a cursor of this list: follow the link `next` of the previous page')
    const { body } = await get('/ogc/collections/pins/items?colour=red&shape=round')
    expect(body.error.map(({ path }: { path: string[] }) => path)).toEqual([['colour'], ['shape']])
  })

  test('a limit above ten thousand counts as ten thousand', async () => {
    expect((await get('/ogc/collections/pins/items?limit=20000')).status).toBe(200)
  })
})
