import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { createLayers, geometriesOf, LAYERS, type Layer } from '../../../test/ogc/layers.ts'
import { Collections, ConfClasses, Feature, FeatureCollection, LandingPage } from '../../../test/ogc/shapes.ts'
import { type Answer, type Service, startService } from '../../../test/service.ts'

let service: Service
let ids: Record<Layer, number[]>
const started = Date.now()
beforeAll(async () => {
  service = await startService()
  ids = await createLayers(await buildersOn(service).user())
})
afterAll(() => service.stop())

type Link = { rel: string; href: string; type: string }
const get = (path: string, accept = 'application/json') => service.as({ accept }).get(path)
const ok = async (path: string, accept?: string): Promise<Answer['body']> => {
  const { status, body } = await get(path, accept)
  expect([path, status]).toEqual([path, 200])
  return body
}
const items = (layer: Layer, query = '') => ok(`/ogc/collections/${layer}/items${query}`, 'application/geo+json')
const idsOf = ({ features }: Answer['body']): number[] => features.map(({ id }: { id: number }) => id)
const hrefs = ({ links }: { links: Link[] }, rel: string) =>
  links.filter((link) => link.rel === rel).map(({ href }) => href)
const absolute = (path: string) => service.url + path

describe('the documents', () => {
  test('are at the addresses of the standard and of the landing page, and keep their schemas', async () => {
    const landing = LandingPage.parse(await ok('/ogc/'))
    for (const rel of ['service-desc', 'service-doc', 'conformance', 'data'])
      expect([rel, hrefs(landing as never, rel)]).toEqual([rel, [expect.any(String)]])
    const [api] = hrefs(landing as never, 'service-desc')
    expect((await ok(api!, '*/*')).openapi).toMatch(/^3\.0\./)
    for (const path of [...hrefs(landing as never, 'conformance'), '/ogc/conformance'])
      expect(ConfClasses.parse(await ok(path)).conformsTo).toContain(
        'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
      )
    for (const path of [...hrefs(landing as never, 'data'), '/ogc/collections']) {
      const { collections, crs } = Collections.parse(await ok(path))
      expect(collections.map(({ id }) => id)).toEqual(LAYERS)
      expect(crs[0]).toBe('http://www.opengis.net/def/crs/OGC/1.3/CRS84')
    }
  })

  test('link to themselves and to their other form, and every link has a relation and a type', async () => {
    for (const path of ['', '/collections', ...LAYERS.map((layer) => `/collections/${layer}`)]) {
      const body = await ok(`/ogc${path}`)
      expect(hrefs(body, 'self')).toEqual([absolute(`/ogc${path}`)])
      expect(hrefs(body, 'alternate')).toEqual([absolute(`/ogc${path}?f=html`)])
    }
    for (const layer of LAYERS) {
      const page = `/ogc/collections/${layer}/items`
      const feature = `${page}/${ids[layer][0]}`
      for (const path of [`${page}?limit=2`, feature]) {
        const body = await ok(path)
        expect(hrefs(body, 'self')).toEqual([absolute(path)])
        expect(hrefs(body, 'alternate')).toEqual([absolute(`${path}${path === feature ? '?' : '&'}f=html`)])
        expect(hrefs(body, 'collection')).toEqual([absolute(`/ogc/collections/${layer}`)])
        for (const link of body.links) expect(link).toMatchObject({ rel: expect.any(String), type: expect.any(String) })
      }
    }
  })

  test('describe each collection in the list as alone, with links to its features in each form and an extent that holds them', async () => {
    const { collections } = await ok('/ogc/collections')
    for (const collection of collections) {
      expect(await ok(`/ogc/collections/${collection.id}`)).toEqual(collection)
      const found = collection.links.filter(({ rel }: Link) => rel === 'items')
      expect(found.map(({ type }: Link) => type)).toEqual(['application/geo+json', 'text/html'])
      for (const { href, type } of found) expect((await get(href, type)).headers.get('content-type')).toContain(type)
      const [west, south, east, north] = collection.extent.spatial.bbox[0]
      const [from, to] = collection.extent.temporal.interval[0]
      for (const { geometry, properties } of (await items(collection.id)).features) {
        expect([from, to, typeof properties.createdAt]).toEqual([null, null, 'string'])
        for (const [longitude, latitude] of geometry
          ? [geometry.coordinates].flat(geometry.type === 'Point' ? 0 : 2)
          : [])
          expect([longitude >= west, longitude <= east, latitude >= south, latitude <= north]).toEqual(
            Array(4).fill(true),
          )
      }
    }
  })
})

describe('the features of a collection', () => {
  test('are a GeoJSON feature collection of now that says how many they are', async () => {
    for (const layer of LAYERS) {
      const answer = await get(`/ogc/collections/${layer}/items?limit=2`, 'application/geo+json')
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/geo+json'])
      const page = FeatureCollection.parse(answer.body)
      expect([page.features.length, page.numberReturned, page.numberMatched]).toEqual([2, 2, ids[layer].length])
      const time = Date.parse(page.timeStamp)
      expect([time >= started, time <= Date.now()]).toEqual([true, true])
    }
  })

  test('have the places that they were created with, longitude first, and are the same alone', async () => {
    for (const layer of LAYERS) {
      const { features } = await items(layer)
      expect(idsOf({ features })).toEqual(ids[layer])
      expect(features.map(({ geometry }: Answer['body']) => geometry)).toEqual(geometriesOf(layer))
      for (const feature of features) {
        const answer = await get(`/ogc/collections/${layer}/items/${feature.id}`, 'application/geo+json')
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/geo+json'])
        const { links, ...alone } = Feature.parse(answer.body)
        expect(alone).toEqual(feature)
      }
    }
  })
})

describe('the parameters of features', () => {
  test('are described as the standard defines them', async () => {
    const { paths, components } = await ok('/ogc/api', '*/*')
    const form = { in: 'query', required: false, style: 'form', explode: false }
    for (const layer of LAYERS)
      for (const name of ['limit', 'bbox', 'datetime'])
        expect(paths[`/collections/${layer}/items`].get.parameters).toContainEqual({
          $ref: `#/components/parameters/${name}`,
        })
    const { limit, bbox, datetime } = components.parameters
    expect(limit).toMatchObject({ name: 'limit', ...form, schema: { type: 'integer' } })
    expect(bbox).toMatchObject({ name: 'bbox', ...form })
    const many = (count: number) => ({ minItems: count, maxItems: count })
    expect(bbox.schema).toEqual({ type: 'array', oneOf: [many(4), many(6)], items: { type: 'number' } })
    expect(datetime).toMatchObject({ name: 'datetime', ...form, schema: { type: 'string' } })
  })

  test('bound the features of a page by limit, and by its maximum where limit is greater', async () => {
    for (const layer of LAYERS)
      for (const [limit, count] of [
        [1, 1],
        [2, 2],
        [20_000, ids[layer].length],
      ])
        expect((await items(layer, `?limit=${limit}`)).features).toHaveLength(count!)
  })

  test('select by bbox what intersects it, and every feature without a geometry', async () => {
    const at = async (layer: Layer, bbox: string, more = '') =>
      idsOf(await items(layer, `?bbox=${bbox}${more}`)).map((id) => ids[layer].indexOf(id))
    const [west, nowhere] = ['5,52,6,52.5', '-10,-10,-9,-9']
    expect(await at('pins', west)).toEqual([0, 3])
    expect(await at('pins', nowhere)).toEqual([])
    for (const layer of ['gcps', 'zones'] as const) {
      expect(await at(layer, west)).toEqual([0, 2])
      expect(await at(layer, nowhere)).toEqual([2])
      expect(await at(layer, '0,91,10,92')).toEqual([2])
      expect(await at(layer, '-180,-90,180,90')).toEqual([0, 1, 2])
      expect(await at(layer, west, '&sortby=-title')).toEqual(layer === 'gcps' ? [2, 0] : [0, 2])
      expect((await items(layer, `?bbox=${west}`)).numberMatched).toBe(layer === 'gcps' ? 2 : undefined)
    }
    expect(await at('pins', '5,52,0,6,52.5,12')).toEqual([])
    expect(await at('pins', '5,52,0,6,52.5,13')).toEqual([0])
    expect(await at('gcps', '5,52,0,6,52.5,39')).toEqual([2])
    expect(await at('gcps', '5,52,0,6,52.5,40')).toEqual([0, 2])
  })

  test('select by datetime when a feature was created: a moment, an interval, and one open at an end', async () => {
    for (const layer of LAYERS) {
      const all = (await items(layer)).features
      const times: string[] = all.map(({ properties }: Answer['body']) => properties.createdAt)
      const [, second] = times as [string, string, string]
      const expected = (holds: (time: string) => boolean) => ids[layer].filter((_, i) => holds(times[i]!))
      const at = async (datetime: string) => idsOf(await items(layer, `?datetime=${datetime}`))
      expect(await at(second)).toEqual(expected((time) => time === second))
      expect(await at(`2026-01-01T00:00:00Z/${second}`)).toEqual(expected((time) => time <= second))
      for (const open of ['..', '']) {
        expect(await at(`${open}/${second}`)).toEqual(expected((time) => time <= second))
        expect(await at(`${second}/${open}`)).toEqual(expected((time) => time >= second))
      }
      const both = idsOf(await items(layer, `?datetime=${second}/..&bbox=-10,-10,-9,-9`))
      expect(both).toEqual(layer === 'pins' ? [] : [ids[layer][2]])
    }
  })
})
