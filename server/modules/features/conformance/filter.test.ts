import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { createLayers, LAYERS, type Layer } from '../../../test/ogc/layers.ts'
import { type Answer, type Service, startService } from '../../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  await createLayers(await buildersOn(service).user())
})
afterAll(() => service.stop())

const REL = 'http://www.opengis.net/def/rel/ogc/1.0'
const items = (layer: Layer, query: Record<string, string> = {}) =>
  service.as({ accept: 'application/geo+json' }).get(`/ogc/collections/${layer}/items?${new URLSearchParams(query)}`)
const idsOf = ({ body }: Answer): number[] => body.features.map(({ id }: { id: number }) => id)
const ok = async (layer: Layer, query: Record<string, string>): Promise<Answer> => {
  const answer = await items(layer, query)
  expect([query, answer.status, answer.headers.get('content-type')]).toEqual([query, 200, 'application/geo+json'])
  return answer
}
const schemaOf = async (layer: Layer, name: string): Promise<Answer['body']> =>
  (await service.anonymous.get(`/ogc/collections/${layer}/${name}`)).body

describe('the schemas of a layer', () => {
  test.each(['queryables', 'sortables', 'schema'])(
    '%s: linked in the header of the features and in the collection, and a JSON Schema that names itself',
    async (name) => {
      for (const layer of LAYERS) {
        const address = `${service.url}/ogc/collections/${layer}/${name}`
        for (const method of ['HEAD', 'GET']) {
          const { status, headers } = await service.request(method, `/ogc/collections/${layer}/items`)
          expect([status, headers.get('link')]).toEqual([
            200,
            expect.stringContaining(`<${address}>; rel="${REL}/${name}"`),
          ])
        }
        const { links } = (await service.anonymous.get(`/ogc/collections/${layer}`)).body
        expect(links).toContainEqual(expect.objectContaining({ rel: `${REL}/${name}`, href: address }))
        const { status, headers, body } = await service.as({ accept: 'application/schema+json' }).get(address)
        expect([status, headers.get('content-type')]).toEqual([200, 'application/schema+json'])
        expect(body).toMatchObject({
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          $id: address,
          type: 'object',
          additionalProperties: false,
        })
        const ajv = new Ajv2020({ strict: false, validateFormats: false })
        expect(ajv.validateSchema(body), JSON.stringify(ajv.errors)).toBe(true)
        expect(Object.keys(body.properties).length).toBeGreaterThan(0)
        for (const property of Object.values<Answer['body']>(body.properties)) {
          if (property.type === undefined) expect(property.format).toMatch(/^geometry-/)
          else expect(typeof property.type).toBe('string')
        }
      }
    },
  )
})

describe('the queryables of a layer', () => {
  test('are parameters that select what has the value, and refuse a value that cannot be one', async () => {
    for (const layer of LAYERS) {
      const { geometry, ...others } = (await schemaOf(layer, 'queryables')).properties
      expect(geometry.format).toMatch(/^geometry-(point|any)$/)
      const { features } = (await items(layer)).body
      for (const name of Object.keys(others)) {
        const value = features
          .map(({ properties }: Answer['body']) => properties[name])
          .find((one: unknown) => one != null)
        const expected = features
          .filter(({ properties }: Answer['body']) => properties[name] === value)
          .map(({ id }: { id: number }) => id)
        if (value !== undefined && name in features[0].properties)
          expect([name, idsOf(await ok(layer, { [name]: String(value) }))]).toEqual([name, expected])
        expect([name, (await items(layer, { [name]: '' })).status]).toEqual([name, 400])
      }
    }
  })

  test('are selected by a filter in either language; CQL2 text is the default, and what is no filter is 400', async () => {
    for (const layer of LAYERS) {
      const { properties } = await schemaOf(layer, 'queryables')
      const all = (await items(layer)).body.features
      for (const name of Object.keys(properties)) {
        const text = { filter: `${name} IS NULL` }
        const json = {
          filter: JSON.stringify({ op: 'isNull', args: [{ property: name }] }),
          'filter-lang': 'cql2-json',
        }
        const found = idsOf(await ok(layer, text))
        expect(idsOf(await ok(layer, { ...text, 'filter-lang': 'cql2-text' }))).toEqual(found)
        expect(idsOf(await ok(layer, json))).toEqual(found)
        const absent = all.filter(
          (one: Answer['body']) => (name === 'geometry' ? one.geometry : one.properties[name]) === null,
        )
        if (name === 'geometry' || name in all[0].properties)
          expect([name, found]).toEqual([name, absent.map(({ id }: { id: number }) => id)])
      }
      for (const filter of ['THIS IS NOT A FILTER', 'this_is_not_a_queryable IS NULL'])
        for (const query of [{ filter }, { filter, 'filter-lang': 'cql2-text' }] as Record<string, string>[])
          expect([filter, (await items(layer, query)).status]).toEqual([filter, 400])
    }
  })
})

describe('the geometry of a layer', () => {
  const boxOf = async (layer: Layer): Promise<number[]> =>
    (await service.anonymous.get(`/ogc/collections/${layer}`)).body.extent.spatial.bbox[0]
  const within = (box: number[]) => `S_INTERSECTS(geometry,BBOX(${box.join(',')}))`
  const placed = async (layer: Layer): Promise<number[]> =>
    (await items(layer)).body.features.flatMap(({ id, geometry }: Answer['body']) => (geometry ? [id] : []))

  test('is in CRS84 in a filter that names no system: the extent selects all that have a place, and what is not on earth is 400', async () => {
    for (const layer of LAYERS) {
      expect(idsOf(await ok(layer, { filter: within(await boxOf(layer)) }))).toEqual(await placed(layer))
      const far = within([1_000_000, 1_000_000, 2_000_000, 2_000_000])
      expect((await items(layer, { filter: far })).status).toBe(400)
    }
  })

  test('is in the system of filter-crs: the extent in it selects all that have a place, and an unknown system is 400', async () => {
    const radius = 6_378_137
    const mercator = ([longitude, latitude]: number[]): number[] => [
      (radius * longitude! * Math.PI) / 180,
      radius * Math.log(Math.tan(Math.PI / 4 + (latitude! * Math.PI) / 360)),
    ]
    for (const layer of LAYERS) {
      const [west, south, east, north] = (await boxOf(layer)) as [number, number, number, number]
      const [low, high] = [mercator([west, south]), mercator([east, north])]
      for (const [crs, box] of [
        ['OGC/1.3/CRS84', [west, south, east, north]],
        ['OGC/0/CRS84h', [west, south, east, north]],
        ['EPSG/0/4326', [south, west, north, east]],
        ['EPSG/0/4258', [south - 1e-5, west - 1e-5, north + 1e-5, east + 1e-5]],
        ['EPSG/0/3857', [low[0]! - 1, low[1]! - 1, high[0]! + 1, high[1]! + 1]],
      ] as const) {
        const query = { filter: within([...box]), 'filter-crs': `http://www.opengis.net/def/crs/${crs}` }
        expect([crs, idsOf(await ok(layer, query))]).toEqual([crs, await placed(layer)])
      }
      const unknown = 'http://www.opengis.net/def/crs/OGC/0/does_not_exist'
      const { status } = await items(layer, { filter: within([west, south, east, north]), 'filter-crs': unknown })
      expect(status).toBe(400)
    }
  })

  test('is compared with a filter and with bbox at once: both hold', async () => {
    for (const layer of LAYERS) {
      const box = await boxOf(layer)
      expect(idsOf(await ok(layer, { filter: within(box), bbox: box.join(',') }))).toEqual(await placed(layer))
      expect(idsOf(await ok(layer, { filter: within(box), bbox: '-20,-20,-10,-10' }))).toEqual([])
    }
  })
})

describe('the sortables of a layer', () => {
  test('order its features; what is no sortable is 400', async () => {
    for (const layer of LAYERS) {
      const { properties } = await schemaOf(layer, 'sortables')
      const { features } = (await items(layer)).body
      for (const name of Object.keys(properties).filter((one) => one in features[0].properties)) {
        const values = (answer: Answer) => answer.body.features.map((one: Answer['body']) => one.properties[name])
        const sorted = values(await ok(layer, { sortby: name }))
        const rank = (one: unknown) => (one === null ? 1 : 0)
        expect([name, sorted]).toEqual([
          name,
          values(await items(layer)).toSorted(
            (a: never, b: never) => rank(a) - rank(b) || (a < b ? -1 : Number(a > b)),
          ),
        ])
      }
      for (const sortby of ['THIS IS NOT A SORTBY EXPRESSION', 'this_is_not_a_sortable'])
        expect([sortby, (await items(layer, { sortby })).status]).toEqual([sortby, 400])
    }
  })
})
