import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { createLayers, LAYERS, type Layer } from '../../../test/ogc/layers.ts'
import { type Answer, type Service, startService } from '../../../test/service.ts'

let service: Service
let ids: Record<Layer, number[]>
beforeAll(async () => {
  service = await startService()
  ids = await createLayers(await buildersOn(service).user())
})
afterAll(() => service.stop())

const uri = (code: number) => `http://www.opengis.net/def/crs/EPSG/0/${code}`
const asked = (layer: Layer, query: Record<string, string>) =>
  service.anonymous.get(`/ogc/collections/${layer}/items?${new URLSearchParams(query)}`)
const idsOf = ({ body }: Answer): number[] => body.features.map(({ id }: { id: number }) => id)

/** Sends a filter on the geometry in a system, in both languages. */
async function selected(layer: Layer, code: number, text: string, json: object): Promise<number[]> {
  const found = await asked(layer, { filter: `S_INTERSECTS(geometry, ${text})`, 'filter-crs': uri(code) })
  expect([text, found.status]).toEqual([text, 200])
  const filter = JSON.stringify({ op: 's_intersects', args: [{ property: 'geometry' }, json] })
  const other = await asked(layer, { filter, 'filter-lang': 'cql2-json', 'filter-crs': uri(code) })
  expect([text, other.status, idsOf(other)]).toEqual([text, 200, idsOf(found)])
  return idsOf(found)
}
const box = (layer: Layer, code: number, bbox: number[]) => selected(layer, code, `BBOX(${bbox.join(',')})`, { bbox })
const ringOf = ([minX, minY, maxX, maxY]: number[]) => [
  [minX, minY],
  [maxX, minY],
  [maxX, maxY],
  [minX, maxY],
  [minX, minY],
]
const polygon = (layer: Layer, code: number, bbox: number[]) => {
  const ring = ringOf(bbox)
  const text = ring.map((position) => position.join(' ')).join(', ')
  return selected(layer, code, `POLYGON((${text}))`, { type: 'Polygon', coordinates: [ring] })
}

/** Boxes around the features in the Netherlands or in Germany: in the order of the axes of each system, and in CRS84. */
const BOXES: [code: number, box: number[], inCrs84: string][] = [
  [28992, [130_000, 440_000, 165_000, 480_000], '4.9,52.0,5.4,52.3'],
  [25832, [790_000, 5_810_000, 830_000, 5_850_000], '13.2,52.3,13.9,52.8'],
  [25833, [360_000, 5_790_000, 420_000, 5_850_000], '13.2,52.3,13.9,52.8'],
  [3857, [545_000, 6_800_000, 602_000, 6_850_000], '4.9,52.0,5.4,52.3'],
  [4326, [52, 4.9, 52.3, 5.4], '4.9,52.0,5.4,52.3'],
  [4258, [52, 4.9, 52.3, 5.4], '4.9,52.0,5.4,52.3'],
  [3035, [3_200_000, 3_960_000, 3_290_000, 4_030_000], '4.9,52.0,5.4,52.3'],
]

describe('a filter in a reference system', () => {
  test.each(BOXES)(
    'EPSG:%i selects by a box and by a polygon what the same filter in CRS84 selects',
    async (code, bbox, degrees) => {
      for (const layer of LAYERS) {
        const filter = `S_INTERSECTS(geometry, BBOX(${degrees}))`
        const expected = idsOf(await asked(layer, { filter }))
        expect(expected).toHaveLength(layer === 'pins' ? 2 : 1)
        expect(await box(layer, code, bbox)).toEqual(expected)
        if (layer !== 'zones') expect(await polygon(layer, code, bbox)).toEqual(expected)
      }
    },
  )

  test('holds exactly the points that lie in its box in that system', async () => {
    const placed = async (code: number, bbox: string) => {
      const { features } = (await asked('pins', { crs: uri(code), bbox })).body
      return features.map(({ id, geometry }: Answer['body']) => [code, id, ...geometry.coordinates])
    }
    const points = [...(await placed(28992, '5,52,5.3,52.3')), ...(await placed(25832, '10,54,10.5,54.5'))]
    expect(points).toHaveLength(3)
    for (const [code, id, x, y] of points) {
      for (const [dx, dy, holds] of [
        [0.01, 0.01, true],
        [-0.01, 0.01, false],
        [0.01, -0.01, false],
      ] as const) {
        const bbox = [x - 500, y - 500, x + dx, y + dy]
        expect([id, dx, dy, (await box('pins', code, bbox)).includes(id)]).toEqual([id, dx, dy, holds])
      }
    }
  })

  test('follows edges that are straight in that system, not in degrees', async () => {
    const [id] = ids.pins
    const { geometry } = (await service.anonymous.get(`/ogc/collections/pins/items/${id}?crs=${uri(3035)}`)).body
    const [y, x] = geometry.coordinates
    const [south, north] = [y - 500_000, y + 500]
    for (const select of [box, polygon]) {
      expect(await select('pins', 3035, [south, x - 1_000_000, north, x + 1_000_000])).toContain(id)
      expect(await select('pins', 3035, [south, x - 1_000_000, y - 500, x + 1_000_000])).not.toContain(id)
    }
  })

  test('compares zones with a point, and takes several geometries', async () => {
    const [x, y] = [155_000, 463_000]
    expect(await selected('zones', 28992, `POINT(${x} ${y})`, { type: 'Point', coordinates: [x, y] })).toEqual([
      ids.zones[0],
    ])
    const [west, east] = [BOXES[0]![1], [1_000_000, 440_000, 1_100_000, 480_000]]
    const text = [west, east]
      .map(
        (one) =>
          `((${ringOf(one)
            .map((at) => at.join(' '))
            .join(', ')}))`,
      )
      .join(', ')
    const coordinates = [west, east].map((one) => [ringOf(one)])
    expect(await selected('gcps', 28992, `MULTIPOLYGON(${text})`, { type: 'MultiPolygon', coordinates })).toEqual([
      ids.gcps[0],
    ])
    const filter = `S_INTERSECTS(geometry, BBOX(${west})) AND NOT S_INTERSECTS(BBOX(${east}), geometry)`
    expect(idsOf(await asked('gcps', { filter, 'filter-crs': uri(28992) }))).toEqual([ids.gcps[0]])
  })

  test('joins a bbox in another system, and keeps its system on the pages that follow', async () => {
    const query = { 'bbox-crs': uri(4326), bbox: '52,4.9,52.15,5.4', 'filter-crs': uri(28992) }
    const filter = `S_INTERSECTS(geometry, BBOX(${BOXES[0]![1]}))`
    expect(idsOf(await asked('pins', { ...query, filter }))).toEqual([ids.pins[0]])
    const first = await asked('pins', { 'filter-crs': uri(28992), filter, limit: '1' })
    const { href } = first.body.links.find(({ rel }: { rel: string }) => rel === 'next')
    expect([...idsOf(first), ...idsOf(await service.anonymous.get(href))]).toEqual([ids.pins[0], ids.pins[3]])
  })

  test.each([
    ['a system that is not listed', 27700, 'BBOX(1,2,3,4)', 'filter-crs'],
    ['a box that is turned', 28992, 'BBOX(165000,440000,130000,480000)', 'filter'],
    ['a box around a pole', 3031, 'BBOX(-1000000,-1000000,1000000,1000000)', 'filter'],
    ['a place that the system does not have', 25832, 'POINT(1e30 1)', 'filter'],
    ['longitude first where latitude is', 4326, 'POINT(100 52)', 'filter'],
    ['a ring that is not closed', 28992, 'POLYGON((1 1, 2 1, 2 2, 1 2))', 'filter'],
  ])('with %s is 400', async (_, code, geometry, path) => {
    const { status, body } = await asked('gcps', {
      filter: `S_INTERSECTS(geometry, ${geometry})`,
      'filter-crs': uri(code),
    })
    expect({ status, path: body.error[0].path }).toEqual({ status: 400, path: [path] })
  })

  test.each([
    ['POINT(52 200)', 'has the position 52 200, which is not on earth: EPSG:4326 has latitude first'],
    ['BBOX(53,4,52,5)', 'has a BBOX whose first number lies north of its third'],
  ])('names what is wrong in the order of its axes: %s', async (geometry, message) => {
    const filter = `S_INTERSECTS(geometry, ${geometry})`
    const { body } = await asked('gcps', { filter, 'filter-crs': uri(4326) })
    expect(body.error).toMatchObject([{ path: ['filter'], message }])
  })
})
