import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Answer, type Caller, type Service, startService } from '../../test/service.ts'
import { importsOn } from '../../test/surveying/imports.ts'
import { entriesOf } from '../surveys/parser/formats/zip/archive.ts'

let service: Service
let user: Caller
let imports: ReturnType<typeof importsOn>
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
  imports = importsOn(service, user)
})
afterAll(() => service.stop())

const angles = { yaw: 90, pitch: -1.5, roll: 0 }
const gcp = (zoneId: number, fields: object): Promise<Answer> =>
  user.post('/api/gcp', { gcpType: 'SINGLE', zoneId, ...fields })
const exported = (zoneId: number, format = 'csv'): Promise<Answer> =>
  service.anonymous.get(`/api/gcp/zone/${zoneId}/export?format=${format}`)

describe('an export', () => {
  test('is a public file with a content type and name', { tags: ['long'] }, async () => {
    const zoneId = await imports.zone({ title: 'Höhle "1" / ../x' })
    const names = {
      csv: ['text/csv; charset=utf-8', '.csv'],
      geojson: ['application/geo+json', '.geojson'],
      kml: ['application/vnd.google-earth.kml+xml', '.kml'],
      gcp_list: ['text/plain; charset=utf-8', ' gcp_list.txt'],
      opensfm: ['application/json', ' ground_control_points.json'],
      xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', '.xlsx'],
      gpkg: ['application/geopackage+sqlite3', '.gpkg'],
      shp: ['application/zip', '.shp.zip'],
      gpx: ['application/gpx+xml', '.gpx'],
      'dxf&crs=EPSG:25833': ['image/vnd.dxf', '.dxf'],
      'pnezd&crs=EPSG:25833': ['text/plain; charset=utf-8', ' pnezd.txt'],
    }
    for (const [format, [type, ending]] of Object.entries(names)) {
      const { status, headers } = await exported(zoneId, format)
      expect([format, status, headers.get('content-type')]).toEqual([format, 200, type])
      expect(headers.get('content-disposition')).toBe(
        `attachment; filename="H_hle _1_ _ .._x${ending}"; filename*=UTF-8''H%C3%B6hle%20%221%22%20_%20.._x${encodeURIComponent(ending!)}`,
      )
    }
    expect((await service.anonymous.get(`/api/gcp/zone/${zoneId}/export`)).headers.get('content-type')).toContain('csv')
  })

  test('of an unknown zone is 404, in an unknown format 400', async () => {
    expect((await exported(999_999)).status).toBe(404)
    expect((await exported(await imports.zone(), 'dwg')).status).toBe(400)
    expect((await service.anonymous.get('/api/gcp/zone/x/export')).status).toBe(400)
  })

  test('of an empty zone is an empty file of its format', async () => {
    const zoneId = await imports.zone({ title: 'Empty' })
    expect((await exported(zoneId)).body.split('\r\n')).toHaveLength(2)
    expect((await exported(zoneId, 'geojson')).body).toEqual({ type: 'FeatureCollection', name: 'Empty', features: [] })
    expect((await exported(zoneId, 'kml')).body).toContain('<name>Empty</name>\n</Document>')
    expect((await exported(zoneId, 'gcp_list')).body).toBe('EPSG:4326\n')
    expect((await exported(zoneId, 'opensfm')).body).toEqual({ points: [], notes: [] })
  })

  test('has all points of its zone and no others, in order of creation', {
    tags: ['long'],
  }, async () => {
    const { zoneId } = await imports.imported(
      `title,lat,lon\n${Array.from({ length: 2500 }, (_, i) => `P${i},${1 + i / 1000},2`).join('\n')}\n`,
    )
    await gcp(await imports.zone(), { title: 'Elsewhere' })
    const { features } = (await exported(zoneId, 'geojson')).body
    expect(features.map((feature: Answer['body']) => feature.properties.title)).toEqual(
      Array.from({ length: 2500 }, (_, i) => `P${i}`),
    )
    for (const format of ['csv', 'gcp_list'])
      expect((await exported(zoneId, format)).body.trim().split('\n')).toHaveLength(2501)
    expect((await exported(zoneId, 'kml')).body.match(/<Placemark /g)).toHaveLength(2500)
  })

  test('has all points also where their texts fill more than one read', { tags: ['long'] }, async () => {
    const zoneId = await imports.zone()
    const titles = Array.from({ length: 70 }, (_, i) => `P${i}`)
    for (const title of titles) await gcp(zoneId, { title, gcpData: title.padEnd(65_000, 'x') })
    const { features } = (await exported(zoneId, 'geojson')).body
    expect(features.map(({ properties }: Answer['body']) => properties.title)).toEqual(titles)
    expect(features.map(({ properties }: Answer['body']) => properties.gcpData.length)).toEqual(
      titles.map(() => 65_000),
    )
  })

  test('goes on for others when a client leaves', { tags: ['long'] }, async () => {
    const { zoneId } = await imports.imported(
      `title,lat,lon\n${Array.from({ length: 3000 }, (_, i) => `P${i},${1 + i / 1000},2`).join('\n')}\n`,
    )
    const whole = (await exported(zoneId, 'kml')).body
    for (let i = 0; i < 5; i++) {
      const gone = new AbortController()
      const [left, stays] = await Promise.all([
        fetch(`${service.url}/api/gcp/zone/${zoneId}/export?format=kml`, { signal: gone.signal }),
        fetch(`${service.url}/api/gcp/zone/${zoneId}/export?format=kml`),
      ])
      await left.body!.getReader().read()
      gone.abort()
      expect(await stays.text()).toBe(whole)
    }
  })

  test('is refused for a while with 503 beyond 24 that are being read', { tags: ['long'] }, async () => {
    const zoneId = await imports.zone()
    const gcpData = 'x'.repeat(60_000)
    // 24 MB: much more than the buffers of a connection that nobody reads. They held 12 MB once.
    for (let ten = 0; ten < 40; ten++)
      await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          gcp(zoneId, { title: `P${ten}${n}`, gcpData, geoPose: { position: { lat: 1, lon: 2, h: 0 }, angles } }),
        ),
      )
    const leave = new AbortController()
    const url = `${service.url}/api/gcp/zone/${zoneId}/export?format=geojson`
    const held = await Promise.all(Array.from({ length: 24 }, () => fetch(url, { signal: leave.signal })))
    expect(new Set(held.map(({ status }) => status))).toEqual(new Set([200]))
    const refused = await fetch(url)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
    leave.abort()
    await expect.poll(async () => (await fetch(url)).status).toBe(200)
  })

  test('as CSV has no cell that a spreadsheet would run', async () => {
    const zoneId = await imports.zone()
    for (const title of ['=HYPERLINK("http://x")', '+1', '-1+1', '@SUM(1)', '＝1'])
      await gcp(zoneId, { title, description: `\t${title}`, gcpData: `\r${title}` })
    const { body } = await exported(zoneId)
    expect(body).toContain('"\'=HYPERLINK(""http://x"")"')
    const cells = [...body.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell]) => cell)
    expect(cells.length).toBeGreaterThan(15)
    for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@＝\t\r\n]/)
  })

  test('as GeoJSON has positions by RFC 7946 and everything else as properties', async () => {
    const zoneId = await imports.zone({ title: 'Z' })
    const position = { lat: 52.51631, lon: 13.37771, h: 77.2 }
    const { body } = await gcp(zoneId, {
      title: 'A "1"',
      description: 'by the gate',
      ...{ aprilTagId: 0, tagSize: 0.16, tagPose: { heading: 30, tilt: 90 } },
      gcpData: 'raw',
      altitude: 34.5,
      photoUrls: ['https://a.example/1.jpg'],
      geoPose: { position, angles },
    })
    await gcp(zoneId, { title: 'Nowhere' })
    const { features } = (await exported(zoneId, 'geojson')).body
    expect(features[0]).toEqual({
      type: 'Feature',
      id: body.gcp.id,
      geometry: { type: 'Point', coordinates: [13.37771, 52.51631, 77.2] },
      properties: {
        ...{ title: 'A "1"', description: 'by the gate', gcpType: 'SINGLE', aprilTagId: 0, gcpData: 'raw' },
        ...{ photoUrls: ['https://a.example/1.jpg'], altitude: 34.5, h: 77.2, yaw: 90, pitch: -1.5, roll: 0 },
        ...{ accuracyH: null, accuracyV: null, heightDatum: null, heightOperation: null, heightAccuracy: null },
        ...{ tagSize: 0.16, tagPose: { heading: 30, tilt: 90, turn: 0, accuracy: 1 }, tagCheck: null },
        ...{ distanceToGcp: null, photoNotes: [] },
        ...{ createdAt: body.gcp.createdAt, updatedAt: body.gcp.updatedAt },
      },
    })
    expect(features[1]).toMatchObject({ geometry: null, properties: { title: 'Nowhere' } })
  })

  test('as KML is well-formed XML with any texts', async () => {
    const zoneId = await imports.zone({ title: '<Z> & "co"' })
    const position = { lat: -33, lon: 151, h: 5 }
    await gcp(zoneId, { title: '<b>&"\u0007\uffff]]>', description: '</description>', geoPose: { position, angles } })
    await gcp(zoneId, { title: 'Nowhere' })
    const { body } = await exported(zoneId, 'kml')
    expect(body).toContain('<name>&lt;Z&gt; &amp; &quot;co&quot;</name>')
    expect(body).toContain('<name>&lt;b&gt;&amp;&quot;\ufffd\ufffd]]&gt;</name>')
    expect(body).toContain('<description>&lt;/description&gt;</description>')
    expect(body).toContain('<Point><coordinates>151,-33,5</coordinates></Point>')
    expect(body).toContain('<Data name="h"><value>5</value></Data>')
    expect(body.match(/<Point>/g)).toHaveLength(1)
  })

  test('as gcp_list.txt has a line for each photo, with words separated by spaces', { tags: ['long'] }, async () => {
    const zoneId = await imports.zone()
    const at = (h: number) => ({ position: { lat: 46.5, lon: 6.6, h }, angles })
    await gcp(zoneId, {
      title: 'P 1',
      geoPose: at(400.25),
      photoUrls: ['https://a.example/x/DJI%20001.JPG?a=1', 'https://a.example/'],
    })
    await gcp(zoneId, { title: 'P2', geoPose: at(0) })
    await gcp(zoneId, { title: 'No\nwhere' })
    await imports.imported('title,lat,lon\nP3,1.5,2.5\n', { zoneId })
    expect((await exported(zoneId, 'gcp_list')).body).toBe(
      [
        'EPSG:4326',
        '# heights are above the ellipsoid',
        '6.6 46.5 400.25 0 0 DJI_001.JPG P_1',
        '6.6 46.5 400.25 0 0 none P_1',
        '6.6 46.5 0 0 0 none P2',
        '# No_where has no coordinates',
        '2.5 1.5 NaN 0 0 none P3',
        '',
      ].join('\n'),
    )
  })

  test('as gcp_list.txt can be imported again', { tags: ['long'] }, async () => {
    const zoneId = await imports.zone()
    await gcp(zoneId, { title: 'P1', geoPose: { position: { lat: 46.5, lon: 6.6, h: 400.25 }, angles } })
    await gcp(zoneId, { title: 'P2', geoPose: { position: { lat: 46.6, lon: 6.7, h: 1 }, angles } })
    const { gcps, report } = await imports.imported((await exported(zoneId, 'gcp_list')).body)
    expect(report.summary).toMatchObject({ created: 2, failed: 0 })
    expect(
      gcps.map(({ title, pin, altitude }: Answer['body']) => [title, pin.latitude, pin.longitude, altitude]),
    ).toEqual([
      ['P1', 46.5, 6.6, 400.25],
      ['P2', 46.6, 6.7, 1],
    ])
  })
})

describe('texts that a format cannot hold', () => {
  const zipped = async (zoneId: number) =>
    entriesOf(Buffer.from(await (await fetch(`${service.url}/api/gcp/zone/${zoneId}/export?format=shp`)).arrayBuffer()))

  test('are complete in a table beside a Shapefile, and importing the file keeps them', async () => {
    const zoneId = await imports.zone()
    const description = 'ä'.repeat(300)
    await gcp(zoneId, { title: 'P1', description, geoPose: { position: { lat: 1, lon: 2, h: 1e21 }, angles } })
    const members = await zipped(zoneId)
    expect(members.map(({ name }) => name).sort()).toEqual(
      ['README.txt', 'not-in-dbf.csv', 'points.cpg', 'points.dbf', 'points.prj', 'points.shp', 'points.shx'].sort(),
    )
    const rest = members
      .find(({ name }) => name === 'not-in-dbf.csv')!
      .unpack()
      .toString()
    expect(rest).toContain(description)
    expect(rest).toContain(',h,1e+21')
    const before = await imports.gcps(zoneId)
    const file = await fetch(`${service.url}/api/gcp/zone/${zoneId}/export?format=shp`)
    const { gcps, report } = await imports.imported(new Uint8Array(await file.arrayBuffer()), { zoneId })
    expect([gcps, report.summary.unchanged]).toEqual([before, 1])
  })

  test('refuse a Shapefile if they are titles, and the error names another format', async () => {
    const zoneId = await imports.zone()
    await gcp(zoneId, { title: '日'.repeat(100), geoPose: { position: { lat: 1, lon: 2, h: 0 }, angles } })
    const { status, body } = await exported(zoneId, 'shp')
    expect([status, body.error]).toEqual([400, expect.stringMatching(/254 bytes.*export as gpkg/)])
    expect((await exported(zoneId, 'gpkg')).status).toBe(200)
  })
})
