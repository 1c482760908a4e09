import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { cs2cs } from '../../../test/programs/cs2cs.ts'
import { type Service, startService } from '../../../test/service.ts'

/** Systems of every order of axes, with a place in their area. */
const SYSTEMS: [code: number, latitude: number, longitude: number][] = [
  [4326, 52.4, 13.06],
  [3857, 52.4, 13.06],
  [25833, 52.4, 13.06],
  [3035, 52.4, 13.06],
  [2180, 52.2, 21],
  [2193, -41.3, 174.8],
  [2154, 48.85, 2.35],
  [2056, 46.95, 7.45],
  [5513, 50.08, 14.42],
  [5514, 50.08, 14.42],
  [2048, -33.9, 18.4],
  [6668, 35.7, 139.7],
]
/** A millimetre or two more than cs2cs: coordinates are those that a write turns back into the same place, and a datum operation and its inverse differ. */
const TOLERANCE = 0.003

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test.each(SYSTEMS)(
  'coordinates in EPSG:%i are those of cs2cs, in its order of axes',
  async (code, latitude, longitude) => {
    const user = await buildersOn(service).user()
    const { body } = await user.post('/ogc/collections/pins/items', {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
      properties: { title: 'Pin', contentType: 'GLB' },
    })
    const crs = encodeURIComponent(`http://www.opengis.net/def/crs/EPSG/0/${code}`)
    const moved = await service.anonymous.get(`/ogc/collections/pins/items/${body.id}?crs=${crs}`)
    const {
      points: [expected],
    } = cs2cs('EPSG:4326', `EPSG:${code}`, [[latitude, longitude]])
    for (const i of [0, 1]) expect(Math.abs(moved.body.geometry.coordinates[i] - expected![i]!)).toBeLessThan(TOLERANCE)
  },
)
