// @module-tag long
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Answer, type Caller, type Service, startService } from '../../test/service.ts'
import { importsOn } from '../../test/surveying/imports.ts'

let service: Service
let user: Caller
let imports: ReturnType<typeof importsOn>
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
  imports = importsOn(service, user)
})
afterAll(() => service.stop())

async function exported(zoneId: number, query: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(`${service.url}/api/gcp/zone/${zoneId}/export?${query}`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(Buffer.from(bytes).toString())
  return bytes
}

/** Texts that every format except PNEZD and gcp_list preserves. */
const text = fc.oneof(
  fc.constantFrom(
    '=1+1',
    "'=1+1",
    "''quoted'",
    '+49 30 1234',
    'json:"x"',
    'a,b;c|d',
    'say "hi"',
    '<b>&amp;</b> ]]>',
    '-- x -->',
    '100%%d %%%',
    '^J ^ caret^',
    'C:\\U+00E4',
    '2026-01-02',
    '007',
    '1e5',
    'true',
    '_x0041_',
    'title,latitude',
    'Höhe, 日本 👩‍🚀',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)
const carried = text.filter(
  (value) =>
    value.isWellFormed() && value === value.trim() && value !== '' && !/[\p{Cc}\ufffe\uffff]/u.test(value.normalize()),
)
/** Measured coordinates. */
const figure = (most: number) => fc.integer({ min: -most * 1e6, max: most * 1e6 }).map((value) => value / 1e6)
const gcp = fc.record(
  {
    title: carried,
    gcpType: fc.constantFrom('SINGLE', 'MULTI'),
    geoPose: fc.record({
      position: fc.record({
        lat: fc.double({ min: 51, max: 53.5, noNaN: true }),
        lon: fc.double({ min: 3.5, max: 7, noNaN: true }),
        h: figure(9000),
      }),
      angles: fc.record({ yaw: figure(180), pitch: figure(90), roll: figure(180) }),
    }),
    description: carried,
    altitude: figure(9000),
    gcpData: carried,
    photoUrls: fc.uniqueArray(fc.constantFrom('https://a.example/1.jpg?a=1&b=2', 'http://a.example/x,y;z'), {
      maxLength: 2,
    }),
  },
  { requiredKeys: ['title', 'gcpType', 'geoPose'] },
)
const folded = (value: string) => value.trim().normalize('NFKC').toUpperCase().toLowerCase()
const points = fc.uniqueArray(gcp, { selector: ({ title }) => folded(title), minLength: 1, maxLength: 8 })

/** RD New, east before north, on another datum; Europe's LAEA, north before east; degrees of another datum. */
const formats = [
  'format=csv&crs=EPSG:28992',
  'format=csv&crs=EPSG:4258',
  'format=csv&crs=EPSG:3035',
  'format=xlsx',
  'format=xlsx&crs=EPSG:28992',
  'format=geojson',
  'format=geojson&crs=EPSG:28992',
  'format=kml',
  'format=gpx',
  'format=gpkg',
  'format=gpkg&crs=EPSG:28992',
  'format=shp',
  'format=shp&crs=EPSG:3035',
  'format=dxf&crs=EPSG:28992',
]

describe('importing an export changes nothing', () => {
  for (const query of formats)
    test(`with ${query}`, async () => {
      await fc.assert(
        fc.asyncProperty(points, async (made) => {
          const zoneId = await imports.zone()
          for (const point of made) expect((await user.post('/api/gcp', { ...point, zoneId })).status).toBe(201)
          const before = await imports.gcps(zoneId)
          const { report, record, gcps } = await imports.imported(await exported(zoneId, query), { zoneId })
          const failed = report.rows.filter(({ status }: Answer['body']) => status === 'failed')
          expect([query, record.errorMessage, failed]).toEqual([query, null, []])
          expect(gcps, query).toEqual(before)
          expect(report.summary).toMatchObject({ created: 0, updated: 0, unchanged: made.length, failed: 0 })
        }),
        { numRuns: Number(process.env.CAIRN_TEST_ROUNDS ?? 4) },
      )
    }, 120_000)

  test('with PNEZD, within its columns: name, position, height and description', async () => {
    const { zoneId, gcps } = await imports.imported(
      'title,lat,lon,h,description\nP1,52.1,5.2,43.125,"by the gate, left"\n+2,52.2,5.3,,\n',
    )
    const file = await exported(zoneId, 'format=pnezd&crs=EPSG:28992')
    const { report, gcps: after } = await imports.imported(file, {
      zoneId,
      query: '?crs=EPSG:28992&header=title,northing,easting,ellipsoidalheight,description',
    })
    expect(after).toEqual(gcps)
    expect(report.summary).toMatchObject({ created: 0, updated: 0, unchanged: 2, failed: 0 })
  })
})

describe('importing an export changes nothing in other kinds of systems', () => {
  for (const [what, crs, lat, lon] of [
    ['axes that run west and south', 'EPSG:2053', -30.1234567, 28.7654321],
    ['Krovak, with X to the south', 'EPSG:5513', 50.0871234, 14.4205678],
    ['Krovak, with eastings', 'EPSG:5514', 50.0871234, 14.4205678],
    ['US survey feet', 'EPSG:2263', 40.7123456, -73.9876543],
    ['grads from Paris', 'EPSG:4807', 46.5, 2.5],
    ['a pole', 'EPSG:3031', -75.5, -120.25],
    ['a system of ESRI', 'ESRI:102014', 50, 10],
    ['proj text', '+proj=tmerc +lat_0=0 +lon_0=10 +k=1 +x_0=500000 +ellps=GRS80 +units=m', 50, 10],
  ] as [string, string, number, number][])
    test(what, async () => {
      const { zoneId, gcps } = await imports.imported(
        `title,lat,lon,h\nP1,${lat},${lon},43.5\nP2,${lat + 0.01},${lon + 0.01},\n`,
      )
      for (const format of ['csv', 'xlsx', 'gpkg', 'shp', 'dxf']) {
        if (format === 'dxf' && crs === 'EPSG:4807') continue
        if (format === 'shp' && ['EPSG:2053', 'EPSG:5513'].includes(crs)) continue
        const query = `format=${format}&crs=${encodeURIComponent(crs)}`
        const { report, record, gcps: after } = await imports.imported(await exported(zoneId, query), { zoneId })
        expect([format, record.errorMessage, report.summary.unchanged]).toEqual([format, null, 2])
        expect(after).toEqual(gcps)
      }
    })
})

test('importing an export changes nothing if no point has a height', async () => {
  const { zoneId, gcps } = await imports.imported('title,lat,lon\n=1+1,52.1,5.2\nP2,52.2,5.3\n')
  for (const query of formats) {
    const { report, gcps: after } = await imports.imported(await exported(zoneId, query), { zoneId })
    expect([query, report.summary.unchanged, report.summary.failed]).toEqual([query, 2, 0])
    expect(after, query).toEqual(gcps)
  }
})

test('importing an export changes nothing of heights that a geoid converted to the ellipsoid', async () => {
  const { zoneId, gcps } = await imports.imported('title,lat,lon,elevation\nP1,52.1,5.2,43.125\nP2,52.2,5.3,\n', {
    query: '?heightDatum=EGM96',
  })
  for (const query of formats) {
    const { report, gcps: after } = await imports.imported(await exported(zoneId, query), { zoneId })
    expect([query, report.summary.unchanged, report.summary.failed]).toEqual([query, 2, 0])
    expect(after, query).toEqual(gcps)
  }
})

test('importing an export changes nothing of lengths that have more figures than a Shapefile', async () => {
  const { zoneId, gcps } = await imports.imported(
    'title,lat,lon,altitude (ft),easting rms,northing rms\nP1,52.1,5.2,-141.3,0.01,0.01\nP2,52.2,5.3,1,0.02,0.01\n',
    { query: '?heightDatum=EGM96' },
  )
  for (const query of formats) {
    const { report, gcps: after } = await imports.imported(await exported(zoneId, query), { zoneId })
    expect([query, report.summary.unchanged, report.summary.failed]).toEqual([query, 2, 0])
    expect(after, query).toEqual(gcps)
  }
})

test('importing an export changes nothing of points that were made over HTTP with a height datum', async () => {
  const zoneId = await imports.zone()
  for (const heightDatum of ['EGM96', 'EPSG:5709', 'ellipsoid', 'unknown']) {
    const geoPose = { position: { lat: 52.1, lon: 5.2 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
    const made = await user.post('/api/gcp', {
      title: heightDatum,
      gcpType: 'SINGLE',
      zoneId,
      altitude: 2.5,
      heightDatum,
      geoPose,
    })
    expect(made.status).toBe(201)
  }
  const gcps = await imports.gcps(zoneId)
  for (const query of formats) {
    const { report, gcps: after } = await imports.imported(await exported(zoneId, query), { zoneId })
    expect([query, report.summary.unchanged, report.summary.failed]).toEqual([query, 4, 0])
    expect(after, query).toEqual(gcps)
  }
})

test('a point whose coordinates are edited in an exported table moves', async () => {
  const { zoneId } = await imports.imported('title,lat,lon\nP1,52.1,5.2\nP2,52.2,5.3\n')
  const file = Buffer.from(await exported(zoneId, 'format=csv&crs=EPSG:28992')).toString()
  const easting = /"P1",(\d+\.\d+)/.exec(file)![1]!
  const { report, gcps } = await imports.imported(file.replace(easting, String(Number(easting) + 1)), { zoneId })
  expect(report.summary).toMatchObject({ created: 0, updated: 1, unchanged: 1 })
  const moved = gcps.find(({ title }: Answer['body']) => title === 'P1').pin.longitude
  expect(moved - 5.2).toBeCloseTo(1 / 68_600, 6)
})
