import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let user: Caller
let gcpId: number
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
  const zone = await user.post('/api/zones', { title: 'Zone', description: 'Quarry' })
  const { body } = await user.post('/api/gcp', {
    title: 'G',
    description: 'corner',
    gcpType: 'SINGLE',
    aprilTagId: 7,
    altitude: 12,
    zoneId: zone.body.id,
    photoUrls: ['https://a.example/1.jpg'],
    geoPose: { position: { lat: 1, lon: 2, h: 40 }, angles: { yaw: 37, pitch: -90, roll: 0.25 } },
  })
  gcpId = body.gcp.id
  await user.post('/api/location/pins', { title: 'P', contentType: 'GLB', latitude: 5, longitude: 6 })
})
afterAll(() => service.stop())

const COLLECTIONS = ['pins', 'gcps', 'zones']
const get = (path: string) => service.anonymous.get(`/ogc${path}`)
const textOf = async (path: string) => (await fetch(`${service.url}/ogc${path}`)).text()
const links = async (collection: string): Promise<{ rel: string; href: string; type: string }[]> =>
  (await get(`/collections/${collection}`)).body.links

type Schema = { type: string; format?: string; enum?: string[]; items?: Schema; minimum?: number; maximum?: number }

/** Whether a value is what its schema says. */
function fits(value: unknown, schema: Schema): boolean {
  if (value === null) return true
  if (schema.enum && !schema.enum.includes(value as string)) return false
  if (schema.type === 'array') return Array.isArray(value) && value.every((one) => fits(one, schema.items!))
  if (schema.type === 'string') return typeof value === 'string' && (!schema.format || !Number.isNaN(Date.parse(value)))
  if (typeof value !== 'number') return false
  return schema.type === 'number' || (Number.isInteger(value) && value >= (schema.minimum ?? value))
}

describe('the schema of a collection', () => {
  test('is linked as OGC API Features part 5 has it, and the conformance says so', async () => {
    for (const collection of COLLECTIONS) {
      const [link, ...more] = (await links(collection)).filter(({ rel }) => rel.endsWith('/rel/ogc/1.0/schema'))
      expect(more).toEqual([])
      const answer = await service.anonymous.get(link!.href)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/schema+json'])
      expect(link!.type).toBe('application/schema+json')
      expect(answer.body).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: link!.href,
        type: 'object',
      })
    }
    const { body } = await get('/conformance')
    const claimed = (standard: string): string[] =>
      body.conformsTo.flatMap((uri: string) => uri.split(`/spec/${standard}/1.0/conf/`)[1] ?? [])
    expect(claimed('ogcapi-features-5')).toEqual([
      ...['schemas', 'core-roles-features', 'feature-references', 'returnables-and-receivables'],
      ...['queryables', 'sortables'],
    ])
    const published = ['schemas', 'advanced-property-roles', 'references', 'queryables', 'sortables']
    expect(claimed('ogcapi-common-3')).toEqual(published)
  })

  test('names every property that features have in their order, with a type that their values fit', async () => {
    for (const collection of COLLECTIONS) {
      const { properties } = (await get(`/collections/${collection}/schema`)).body
      const { geometry, ...others } = properties as Record<string, Schema & { 'x-ogc-propertySeq': number }>
      const { features } = (await get(`/collections/${collection}/items`)).body
      expect(features.length).toBeGreaterThan(0)
      for (const feature of features) {
        expect(Object.keys(feature.properties)).toEqual(Object.keys(others))
        for (const [name, value] of Object.entries(feature.properties))
          expect([collection, name, value, fits(value, others[name]!)]).toEqual([collection, name, value, true])
      }
      const inOrder = [...Object.values(others), geometry!].map((property) => property['x-ogc-propertySeq'])
      expect(inOrder).toEqual(inOrder.map((_, i) => i + 1))
    }
  })

  test('gives angles and heights the type number, tags and ids integer, moments date-time', async () => {
    const { properties } = (await get('/collections/gcps/schema')).body
    for (const name of ['yaw', 'pitch', 'roll', 'altitude', 'accuracyH', 'accuracyV'])
      expect([name, properties[name].type]).toEqual([name, 'number'])
    for (const name of ['aprilTagId', 'zoneId']) expect([name, properties[name].type]).toEqual([name, 'integer'])
    for (const name of ['createdAt', 'updatedAt'])
      expect(properties[name]).toMatchObject({ type: 'string', format: 'date-time' })
    expect(properties.createdAt['x-ogc-role']).toBe('primary-instant')
    expect(properties.geometry).toMatchObject({ format: 'geometry-any', 'x-ogc-role': 'primary-geometry' })
  })

  test('is there once more in the shape of a GeoJSON feature, with one type a property, where GDAL looks for it', async () => {
    for (const collection of COLLECTIONS) {
      const link = (await links(collection)).find(({ rel }) => rel === 'describedBy')!
      const { body, headers } = await service.anonymous.get(link.href)
      expect(headers.get('content-type')).toBe('application/schema+json')
      const { geometry: _, ...properties } = (await get(`/collections/${collection}/schema`)).body.properties
      const types = (of: Record<string, Schema>) => Object.entries(of).map(([name, { type }]) => [name, type])
      expect(types(body.properties.properties.properties)).toEqual(types(properties))
      for (const [, type] of types(properties)) expect(typeof type).toBe('string')
    }
  })
})

describe('a number that is not an integer by its type', () => {
  test('is written with a point, on pages and alone, so that readers who look at the first ones do not take it for one', async () => {
    for (const path of ['/collections/gcps/items', `/collections/gcps/items/${gcpId}`]) {
      const text = await textOf(path)
      expect(text).toMatch(/"yaw" ?: ?37\.0,/)
      expect(text).toMatch(/"pitch" ?: ?-90\.0,/)
      expect(text).toMatch(/"roll" ?: ?0\.25,/)
      expect(text).toMatch(/"altitude" ?: ?12\.0,/)
      expect(text).toMatch(/"aprilTagId" ?: ?7,/)
      expect(text).toMatch(/"accuracyH" ?: ?null,/)
    }
  })

  test('keeps its value, however large or small', async () => {
    const values = [1e21, 123456789012345680, 1e15, 999999999999999, -1e-7, 5e-324, 1.7976931348623157e308, 0]
    for (const value of values) {
      const { status } = await user.put(`/api/gcp/${gcpId}`, { title: 'G', altitude: value })
      expect(status).toBe(200)
      const { body } = await get(`/collections/gcps/items/${gcpId}`)
      expect(body.properties.altitude).toBe(value)
      const page = (await get('/collections/gcps/items')).body
      expect(page.features[0].properties.altitude).toBe(value)
    }
  })
})
