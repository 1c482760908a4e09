import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveOf, workbookOf } from '../../test/content/archives.ts'
import { gdalFile, geopackageOf, pointsOf } from '../../test/programs/gdal-files.ts'
import { openImports } from '../../test/surveying/imports.ts'

let opened: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  opened = await openImports()
})
afterAll(() => opened.close())

type Bytes = Uint8Array<ArrayBuffer>
const grid = pointsOf([
  { at: [372042.97362072783, 5796064.122161366], properties: { name: '001' } },
  { at: [377289.4881716554, 5797043.741279014], properties: { name: 'B-2' } },
])
const degrees = pointsOf([
  { at: [13.123456789, 52.3], properties: { name: '001' } },
  { at: [13.2, 52.31], properties: { name: 'B-2' } },
])
const gpx = `<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">${degrees
  .map(
    ({
      geometry: {
        coordinates: [lon, lat],
      },
      properties,
    }) => `<wpt lat="${lat}" lon="${lon}"><name>${properties.name}</name></wpt>`,
  )
  .join('')}</gpx>`
const kml = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>${degrees.map(({ geometry: { coordinates }, properties }) => `<Placemark><name>${properties.name}</name><Point><coordinates>${coordinates}</coordinates></Point></Placemark>`).join('')}</Document></kml>`
const rows = [
  ['EPSG:25833'],
  ['Punktnummer', 'Rechtswert', 'Hochwert'],
  ...grid.map(({ geometry: { coordinates }, properties }) => [properties.name as string, ...coordinates]),
]

const files: [name: string, file: () => Promise<Bytes | string>][] = [
  ['marks.gpkg', async () => (await geopackageOf({ marks: { features: grid, crs: 'EPSG:25833' } })) as Bytes],
  [
    'marks.zip',
    async () =>
      (await archiveOf(await gdalFile('a.shp', grid, { driver: 'ESRI Shapefile', crs: 'EPSG:25833' }))) as Bytes,
  ],
  ['marks.xlsx', async () => (await workbookOf({ Marks: rows })) as Bytes],
  ['marks.gpx', async () => gpx],
  ['marks.kml', async () => kml],
  ['marks.geojson', async () => JSON.stringify({ type: 'FeatureCollection', features: degrees })],
]

test.each(files)(
  '%s is imported in its own process, and repeating it changes nothing',
  { tags: ['long'] },
  async (name, file) => {
    const content = await file()
    const { zoneId, record, report, gcps } = await opened.imports.imported(content, { name })
    expect(record).toMatchObject({ status: 'COMPLETED', errorMessage: null, rowCount: 2, processedRows: 2 })
    expect(report.summary).toMatchObject({ rows: 2, created: 2, failed: 0 })
    expect(gcps.map(({ title }: { title: string }) => title)).toEqual(['001', 'B-2'])
    expect(gcps[0].pin.latitude).toBeCloseTo(52.3, 8)
    expect(gcps[0].pin.longitude).toBeCloseTo(13.123456789, 8)
    const again = await opened.imports.imported(content, { name, zoneId })
    expect(again.report.summary).toMatchObject({ created: 0, updated: 0, unchanged: 2, failed: 0 })
  },
)

test('a file with several layers fails with their names, and is imported with layer=', { tags: ['long'] }, async () => {
  const file = (await geopackageOf({
    marks: { features: grid, crs: 'EPSG:25833' },
    checks: { features: grid, crs: 'EPSG:25833' },
  })) as Bytes
  const { record } = await opened.imports.imported(file, { name: 'two.gpkg' })
  expect(record).toMatchObject({ status: 'FAILED', errorMessage: expect.stringContaining('"marks", "checks"') })
  const named = await opened.imports.imported(file, { name: 'two.gpkg', query: '?layer=checks' })
  expect(named.record).toMatchObject({ status: 'COMPLETED', processedRows: 2, layer: 'checks' })
  expect(named.report.detected).toMatchObject({ format: 'geopackage', layer: 'checks', layers: ['marks', 'checks'] })
})

test('a damaged file fails with a message, and the next one is read', async () => {
  const file = (await geopackageOf({ marks: { features: grid, crs: 'EPSG:25833' } })) as Bytes
  const broken = file.slice()
  for (let at = 4096; at < broken.length; at += 7) broken[at] = at % 256
  const { record } = await opened.imports.imported(broken, { name: 'broken.gpkg' })
  expect(record).toMatchObject({
    status: 'FAILED',
    errorMessage: expect.stringContaining('cannot be read as a GeoPackage'),
  })
  expect((await opened.imports.imported(file, { name: 'marks.gpkg' })).record.status).toBe('COMPLETED')
})

test('numbers of a sheet and texts with a decimal comma are read beside each other', async () => {
  const file = (await workbookOf({
    S: [
      ['Punkt', 'Rechtswert', 'Hochwert', 'Höhe'],
      ['A', '372042,974', 5796064.122, 34.5],
      ['B', 377289.448, '5797043,741', '35,5'],
      ['C', 377289.448, '5797043,741', '35,500'],
    ],
  })) as Bytes
  const { report, gcps } = await opened.imports.imported(file, { name: 'a.xlsx', query: '?crs=EPSG:25833' })
  expect(report.summary).toMatchObject({ rows: 3, created: 2, failed: 1 })
  expect(gcps[0].pin.latitude).toBeCloseTo(52.3, 6)
  expect(gcps[1]).toMatchObject({ title: 'B', altitude: 35.5 })
})
