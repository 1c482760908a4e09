import { expect, test } from 'vitest'
import { archiveOf } from '../../../../../test/content/archives.ts'
import { gdalFile, geopackageOf, pointsOf } from '../../../../../test/programs/gdal-files.ts'
import { type Survey, surveyOf } from '../../../../../test/surveying/survey.ts'
import { openGdal } from '../../../../gdal/gdal.ts'
import { readSurvey, type SurveyOptions } from '../../read-survey.ts'
import { systemOfLayer } from './layer-system.ts'

const read = (file: Uint8Array | string, options: SurveyOptions = {}): Promise<Survey> =>
  surveyOf(file, options, 64 * 1024)
const only = (files: Record<string, Uint8Array>): Uint8Array => Object.values(files)[0]!
const line = {
  type: 'Feature',
  properties: { gcp_name: 'L' },
  geometry: {
    type: 'LineString',
    coordinates: [
      [13, 52],
      [14, 53],
    ],
  },
}

const grid = pointsOf([
  { at: [372042.97362072783, 5796064.122161366, 34.125], properties: { gcp_name: '001', desc: 'Höhe, "a"' } },
  { at: [377289.4881716554, 5797043.741279014, 35.5], properties: { gcp_name: 'B-2', desc: null } },
])
const grids: [format: string, files: () => Promise<Uint8Array>][] = [
  ['geopackage', async () => only(await gdalFile('a.gpkg', grid, { driver: 'GPKG', crs: 'EPSG:25833' }))],
  [
    'flatgeobuf',
    async () =>
      only(
        await gdalFile('a.fgb', grid, { driver: 'FlatGeobuf', crs: 'EPSG:25833', args: ['-lco', 'SPATIAL_INDEX=NO'] }),
      ),
  ],
  [
    'shapefile',
    async () =>
      archiveOf(
        await gdalFile('a.shp', grid, {
          driver: 'ESRI Shapefile',
          crs: 'EPSG:25833',
          args: ['-lco', 'ENCODING=UTF-8'],
        }),
      ),
  ],
  ['gml', async () => (await gdalFile('a.gml', grid, { driver: 'GML', crs: 'EPSG:25833' }))['a.gml']!],
]

test.each(grids)(
  '%s: reads points from the geometry, the system from the file, titles from a field',
  async (format, file) => {
    const { detected, points, faulty } = await read(await file())
    expect(faulty).toEqual([])
    expect(detected).toMatchObject({ format, crs: 'EPSG:25833', delimiter: null, encoding: null })
    expect(detected.columns).toMatchObject({ easting: 'easting', northing: 'northing', z: 'z', title: 'gcp_name' })
    expect(points).toMatchObject([
      { title: '001', description: 'Höhe, "a"', altitude: 34.125 },
      { title: 'B-2', description: null, altitude: 35.5 },
    ])
    expect(points[0]!.latitude).toBeCloseTo(52.3, 9)
    expect(points[0]!.longitude).toBeCloseTo(13.123456789, 9)
  },
)

test('keeps every digit of coordinates and numeric fields', async () => {
  const at = [13.123456789012344, -0.30000000000000004, 1 / 3]
  const file = await gdalFile(
    'a.gpkg',
    pointsOf([{ at, properties: { name: 'A', n: 9007199254740993n.toString(), yaw: 0.1 + 0.2 } }]),
    { driver: 'GPKG', crs: 'EPSG:4326' },
  )
  const { detected, points } = await read(only(file))
  expect(points).toMatchObject([{ longitude: at[0], latitude: at[1], altitude: at[2], yaw: 0.1 + 0.2 }])
  expect(detected.cells[0]).toContain('9007199254740993')
})

test('prefers the geometry to a field with a position', async () => {
  const file = await gdalFile(
    'a.gpkg',
    pointsOf([
      { at: [13.5, 52.5], properties: { name: 'A', latitude: 1, longitude: 2, easting: 3, northing: 4, epsg: 2056 } },
    ]),
    { driver: 'GPKG', crs: 'EPSG:4326' },
  )
  expect((await read(only(file))).points).toMatchObject([{ latitude: 52.5, longitude: 13.5 }])
})

test('prefers a field of heights to a third coordinate that is always 0', async () => {
  const points = pointsOf([{ at: [13.5, 52.5, 0], properties: { name: 'A', hoehe: 34.5 } }])
  const file = await gdalFile('a.gpkg', points, { driver: 'GPKG', crs: 'EPSG:4326' })
  expect((await read(only(file))).points).toMatchObject([{ altitude: 34.5 }])
})

test.each([
  ['POINT M (13.5 52.5 77)', null],
  ['POINT ZM (13.5 52.5 34.5 77)', 34.5],
])('does not read the measure of %s as a height', async (wkt, h) => {
  const gdal = await openGdal()
  gdal.write('/in/a.csv', Buffer.from(`name,WKT\nA,${wkt}\n`))
  const args = ['-f', 'GPKG', '-a_srs', 'EPSG:4326']
  gdal.translate('/in/a.csv', '/out/a.gpkg', args, { drivers: ['CSV'] })
  expect((await read(gdal.take('/out/a.gpkg'))).points).toMatchObject([
    { latitude: 52.5, longitude: 13.5, altitude: h },
  ])
})

test.each([
  ['EPSG:4979', { x: 'lon', y: 'lat', z: 'h' }],
  ['EPSG:4326', { x: 'lon', y: 'lat', z: 'z' }],
  ['EPSG:4978', { x: 'x', y: 'y', z: 'z' }],
  ['EPSG:5555', { x: 'easting', y: 'northing', z: 'altitude' }],
  ['EPSG:25832+7837', { x: 'easting', y: 'northing', z: 'altitude' }],
  ['EPSG:2056', { x: 'easting', y: 'northing', z: 'z' }],
])('names the axes of %s by their meaning', async (crs, words) => {
  const file = only(await gdalFile('a.gpkg', grid, { driver: 'GPKG', crs }))
  const gdal = await openGdal()
  gdal.write('/in/a.gpkg', file)
  const [layer] = gdal.layersOf('/in/a.gpkg', { drivers: ['GPKG'] })
  gdal.remove('/in')
  expect(systemOfLayer(layer!).words).toEqual(words)
})

test('fails rows that are not points, and accepts a MultiPoint with one part', async () => {
  const multi = (...parts: number[][]) => ({
    type: 'Feature',
    properties: { gcp_name: `M${parts.length}` },
    geometry: { type: 'MultiPoint', coordinates: parts },
  })
  const nothing = { type: 'Feature', properties: { gcp_name: 'N' }, geometry: null }
  const features = [
    ...pointsOf([{ at: [13.5, 52.5], properties: { gcp_name: 'A' } }]),
    line,
    multi([13.6, 52.6]),
    multi([1, 2], [3, 4]),
    nothing,
  ]
  const { points, faulty } = await read(only(await gdalFile('a.gpkg', features, { driver: 'GPKG', crs: 'EPSG:4326' })))
  expect(points.map(({ title }) => title)).toEqual(['A', 'M1'])
  expect(faulty.map(({ row, faults }) => [row, faults[0]!.code, faults[0]!.message])).toEqual([
    [2, 'NOT_A_POINT', 'the row is a LineString and not one point: only points are imported'],
    [4, 'NOT_A_POINT', expect.stringMatching(/^the row is a MultiPoint and not one point: .*split it into one row/)],
    [5, 'NOT_A_POINT', 'the row has no position'],
  ])
})

test('reads single points of a layer of MultiPoints that is declared without heights', async () => {
  const args = ['-nlt', 'MULTIPOINT']
  const { points } = await read(only(await gdalFile('a.gpkg', grid, { driver: 'GPKG', crs: 'EPSG:25833', args })))
  expect(points).toMatchObject([
    { title: '001', altitude: 34.125 },
    { title: 'B-2', altitude: 35.5 },
  ])
})

test('requires a reference system for a file without one, and uses that of the request', async () => {
  const file = only(await gdalFile('a.gpkg', grid, { driver: 'GPKG' }))
  await expect(read(file)).rejects.toMatchObject({
    code: 'UNKNOWN_CRS',
    message: expect.stringContaining('import with crs='),
  })
  expect((await read(file, { crs: 'EPSG:25833' })).points).toHaveLength(2)
})

test('reports the names of the layers before it refuses a file with several', async () => {
  const two = await geopackageOf({
    marks: { features: grid, crs: 'EPSG:25833' },
    checks: { features: grid, crs: 'EPSG:25833' },
  })
  async function* bytes() {
    yield two
  }
  const items = readSurvey(bytes())
  expect((await items.next()).value).toMatchObject({ kind: 'detected', detected: { layers: ['marks', 'checks'] } })
  await expect(items.next()).rejects.toMatchObject({ code: 'WHICH_LAYER' })
})

test('requires a layer name if several have points; names lines beside points in a notice', async () => {
  const two = await geopackageOf({
    marks: { features: grid, crs: 'EPSG:25833' },
    checks: { features: grid, crs: 'EPSG:25833' },
  })
  await expect(read(two)).rejects.toMatchObject({
    code: 'WHICH_LAYER',
    message: 'the file has 2 layers with points, "marks", "checks": name the one to import, as in layer=marks',
  })
  const { detected, points, notices } = await read(two, { layer: 'checks' })
  expect(detected).toMatchObject({ layer: 'checks', layers: ['marks', 'checks'] })
  expect(points).toHaveLength(2)
  expect(notices.map(({ code }) => code)).not.toContain('LAYERS_NOT_READ')
  const walls = await read(
    await geopackageOf({ walls: { features: [line], crs: 'EPSG:4326' }, marks: { features: grid, crs: 'EPSG:25833' } }),
  )
  expect(walls.points).toHaveLength(2)
  expect(walls.notices).toContainEqual(
    expect.objectContaining({ code: 'LAYERS_NOT_READ', message: expect.stringContaining('"walls"') }),
  )
})

test('refuses a file of lines and names its layers', async () => {
  const file = await geopackageOf({ walls: { features: [line], crs: 'EPSG:4326' } })
  await expect(read(file)).rejects.toMatchObject({
    code: 'EMPTY_FILE',
    message: expect.stringContaining('"walls" (LineString)'),
  })
})

test('refuses a truncated file, even if its first points are readable', async () => {
  const many = pointsOf(
    Array.from({ length: 50 }, (_, i) => ({ at: [372042 + i, 5796064], properties: { name: `P${i}` } })),
  )
  const gml = (await gdalFile('a.gml', many, { driver: 'GML', crs: 'EPSG:25833' }))['a.gml']!
  await expect(read(gml.subarray(0, (gml.length * 3) >> 2))).rejects.toMatchObject({ code: 'UNREADABLE_FILE' })
  const gpkg = only(await gdalFile('a.gpkg', many, { driver: 'GPKG', crs: 'EPSG:25833' }))
  await expect(read(gpkg.subarray(0, gpkg.length >> 1))).rejects.toMatchObject({ code: 'UNREADABLE_FILE' })
})

test('refuses a layer with too many rows before reading it', async () => {
  const file = only(await gdalFile('a.gpkg', grid, { driver: 'GPKG', crs: 'EPSG:25833' }))
  await expect(read(file, { maxRows: 1 })).rejects.toMatchObject({ code: 'TOO_MANY_ROWS' })
  await expect(read(file, { maxColumns: 4 })).rejects.toMatchObject({ code: 'TOO_MANY_COLUMNS' })
})
