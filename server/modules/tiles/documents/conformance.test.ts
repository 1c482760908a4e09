import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { createLayers, LAYERS } from '../../../test/ogc/layers.ts'
import { type Answer, type Service, startService } from '../../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  await createLayers(await buildersOn(service).user())
})
afterAll(() => service.stop())

type Link = { rel: string; href: string; type: string; templated?: boolean }
const get = async (path: string): Promise<Answer['body']> => {
  const { status, headers, body } = await service.as({ accept: 'application/json' }).get(path)
  expect([path, status, headers.get('content-type')]).toEqual([path, 200, expect.stringMatching(/^application\/json/)])
  return body
}
const MVT = 'application/vnd.mapbox-vector-tile'
const REL = 'http://www.opengis.net/def/rel/ogc/1.0'
const linked = ({ links }: { links: Link[] }, rel: string) => links.find((link) => link.rel === rel)!

describe('the tile sets of a layer', () => {
  test('are listed below it, each with its data type, its system and its tile matrix set', async () => {
    for (const layer of LAYERS) {
      const path = `/ogc/collections/${layer}`
      expect(linked(await get(path), `${REL}/tilesets-vector`).href).toBe(`${service.url}${path}/tiles`)
      const { tilesets } = await get(`${path}/tiles`)
      expect(tilesets).toHaveLength(1)
      for (const set of tilesets) {
        expect(set).toMatchObject({ dataType: 'vector', crs: 'http://www.opengis.net/def/crs/EPSG/0/3857' })
        const matrices = await get(linked(set, `${REL}/tiling-scheme`).href)
        expect(set.tileMatrixSetURI).toBe('http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad')
        expect(matrices).toMatchObject({ id: 'WebMercatorQuad', uri: set.tileMatrixSetURI, crs: set.crs })
        expect(linked(set, 'self').href).toBe(`${service.url}${path}/tiles/${matrices.id}`)
        expect(await get(linked(set, 'self').href)).toEqual(set)
      }
    }
  })

  test('have a template with the type of its tiles, and each tile that it makes is there or empty', async () => {
    for (const layer of LAYERS) {
      const item = linked(await get(`/ogc/collections/${layer}/tiles/WebMercatorQuad`), 'item')
      expect(item).toMatchObject({ templated: true, type: MVT })
      const tile = (matrix: number, row: number, column: number) =>
        fetch(
          item.href
            .replace('{tileMatrix}', String(matrix))
            .replace('{tileRow}', String(row))
            .replace('{tileCol}', String(column)),
          { headers: { accept: MVT } },
        )
      const whole = await tile(0, 0, 0)
      expect([whole.status, whole.headers.get('content-type')]).toEqual([200, MVT])
      expect((await tile(2, 3, 0)).status).toBe(204)
      expect((await tile(2, 4, 0)).status).toBe(404)
      const { paths } = (await service.anonymous.get('/ogc/api')).body
      const path = `/collections/${layer}/tiles/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}`
      const { parameters } = paths[path].get
      const cell = parameters.filter((one: { in: string }) => one.in === 'path')
      expect(cell.map(({ name, required, schema }: Answer['body']) => [name, required, schema.type])).toEqual([
        ['tileMatrix', true, 'string'],
        ['tileRow', true, 'integer'],
        ['tileCol', true, 'integer'],
      ])
    }
  })
})
