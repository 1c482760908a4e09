import { beforeAll, expect, test } from 'vitest'
import { type Gdal, GdalError, openGdal } from './gdal.ts'
import { MAX_FILE_BYTES } from './module.ts'

let gdal: Gdal
beforeAll(async () => {
  gdal = await openGdal()
})

const point = (coordinates: number[], properties: object) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates },
})
const collection = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    point([13.25, 52.5, 34.125], { name: 'Höhe, 日本', n: 7 }),
    point([-71.5, -33, 0], { name: 'B', n: null }),
  ],
})
const geojson = { drivers: ['GeoJSON'] }

test('a file written by GDAL has the layer, reference system and fields of the one it was made from', () => {
  gdal.write('/in/points.geojson', Buffer.from(collection))
  const args = ['-f', 'GPKG', '-a_srs', 'EPSG:4979', '-nln', 'marks', '-nlt', 'POINTZ']
  gdal.translate('/in/points.geojson', '/out/points.gpkg', args, geojson)
  const bytes = gdal.take('/out/points.gpkg')
  expect(Buffer.from(bytes.subarray(0, 15)).toString()).toBe('SQLite format 3')
  gdal.write('/in/points.gpkg', bytes)
  const [layer, ...others] = gdal.layersOf('/in/points.gpkg', { drivers: ['GPKG'] })
  expect(others).toEqual([])
  expect(layer).toMatchObject({ name: 'marks', geometryType: 'PointZ', count: 2, code: 'EPSG:4979' })
  expect(layer!.crs).toMatch(/^GEOGCRS\["WGS 84"/)
  expect(layer!.fields).toEqual([
    { name: 'name', type: 'String' },
    { name: 'n', type: 'Integer' },
  ])
  gdal.remove('/in')
  gdal.remove('/out')
  expect(gdal.list('/')).not.toContain('in')
})

test.each([
  ['a file of another kind than the drivers named', 'title,lat,lon\nA,1,2\n', ['-f', 'GPKG']],
  ['arguments that GDAL does not have', collection, ['-f', 'GPKG', '-nonsense']],
  ['a driver that cannot write', collection, ['-f', 'SVG']],
])('%s is refused in the words of GDAL', (_, text, args) => {
  gdal.write('/in/x.geojson', Buffer.from(text))
  expect(() => gdal.translate('/in/x.geojson', '/out/x', args, geojson)).toThrow(GdalError)
  gdal.remove('/in')
})

test('a file that would be larger than the limit is not written, and GDAL can be opened again', async () => {
  expect(() => gdal.write('/in/large', new Uint8Array(MAX_FILE_BYTES + 1))).toThrow(GdalError)
  gdal = await openGdal()
  gdal.write('/in/x.geojson', Buffer.from(collection))
  expect(gdal.layersOf('/in/x.geojson', geojson)).toHaveLength(1)
  gdal.remove('/in')
})

test('GDAL knows reference systems, and reaches no file of this machine', () => {
  expect(() => gdal.layersOf(import.meta.filename, { drivers: ['CSV'] })).toThrow(GdalError)
  expect(gdal.list('/')).not.toContain('etc')
})
