import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { createLayers, LAYERS, type Layer } from '../../../test/ogc/layers.ts'
import { Feature, FeatureCollection } from '../../../test/ogc/shapes.ts'
import { type Answer, type Service, startService } from '../../../test/service.ts'

let service: Service
let ids: Record<Layer, number[]>
beforeAll(async () => {
  service = await startService()
  ids = await createLayers(await buildersOn(service).user())
})
afterAll(() => service.stop())

const DEF = 'http://www.opengis.net/def/crs'
const CRS84 = `${DEF}/OGC/1.3/CRS84`
/** Systems whose area holds all features. */
const SYSTEMS = [
  'OGC/1.3/CRS84',
  'OGC/0/CRS84h',
  'EPSG/0/4326',
  'EPSG/0/4979',
  'EPSG/0/4258',
  'EPSG/0/3857',
  'EPSG/0/3035',
]
const get = (path: string) => service.anonymous.get(path)
const items = (layer: Layer, query: Record<string, string> = {}) =>
  get(`/ogc/collections/${layer}/items?${new URLSearchParams(query)}`)
const idsOf = ({ body }: Answer): number[] => body.features.map(({ id }: { id: number }) => id)

describe('the reference systems of the layers', () => {
  test('are addresses; the default system and that of storage are among those of every layer', async () => {
    const { crs, collections } = (await get('/ogc/collections')).body
    for (const one of crs) expect(one).toMatch(/^http:\/\/www\.opengis\.net\/def\/crs\/(OGC|EPSG)\/[\d.]+\/\w+$/)
    for (const listed of collections) {
      const alone = (await get(`/ogc/collections/${listed.id}`)).body
      for (const collection of [listed, alone]) {
        expect(collection.crs).toContain(CRS84)
        expect(collection.crs.filter((one: string) => one !== '#/crs')).toEqual([CRS84])
        expect(crs).toContain(collection.storageCrs)
      }
    }
  })

  test('are those of pages and features in crs, as Content-Crs says; by default CRS84', {
    tags: ['long'],
  }, async () => {
    for (const layer of LAYERS) {
      const paths = [`/ogc/collections/${layer}/items`, `/ogc/collections/${layer}/items/${ids[layer][0]}`]
      for (const [i, path] of paths.entries()) {
        const shape = i === 0 ? FeatureCollection : Feature
        expect((await get(path)).headers.get('content-crs')).toBe(`<${CRS84}>`)
        for (const system of SYSTEMS) {
          const { status, headers, body } = await get(`${path}?crs=${encodeURIComponent(`${DEF}/${system}`)}`)
          expect([system, status, headers.get('content-crs')]).toEqual([system, 200, `<${DEF}/${system}>`])
          shape.parse(body)
        }
        for (const unknown of [`${DEF}/OGC/0/does_not_exist`, 'EPSG:4326', '#/crs'])
          expect([unknown, (await get(`${path}?crs=${encodeURIComponent(unknown)}`)).status]).toEqual([unknown, 400])
      }
    }
  })

  test('are those of bbox in bbox-crs: CRS84 selects as no system does, and what is not listed is 400', async () => {
    for (const layer of LAYERS) {
      const bbox = '5,52,6,52.5'
      const expected = idsOf(await items(layer, { bbox }))
      expect(idsOf(await items(layer, { bbox, 'bbox-crs': CRS84 }))).toEqual(expected)
      const same = {
        'EPSG/0/4326': '52,5,52.5,6',
        'EPSG/0/4258': '52,5,52.5,6',
        'EPSG/0/3857': '556597,6800125,667917,6891042',
      }
      for (const [system, box] of Object.entries(same))
        expect([system, idsOf(await items(layer, { bbox: box, 'bbox-crs': `${DEF}/${system}` }))]).toEqual([
          system,
          expected,
        ])
      expect((await items(layer, { bbox, 'bbox-crs': `${DEF}/OGC/0/does_not_exist` })).status).toBe(400)
    }
  })
})
