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

const gcp = (zoneId: number, fields: object): Promise<Answer> =>
  user.post('/api/gcp', { gcpType: 'SINGLE', zoneId, ...fields })
const exported = (zoneId: number, format = 'csv'): Promise<Answer> =>
  service.anonymous.get(`/api/gcp/zone/${zoneId}/export?format=${format}`)

describe('an export in another reference system', () => {
  const two = 'title,lat,lon,h\nP1,52.1,5.2,43\nP2,51.5,4.5,\n'
  const at = (crs: string, format = 'csv') => `${format}&crs=${encodeURIComponent(crs)}`

  test('names the axes and the system in its headers, in the order of the register', { tags: ['long'] }, async () => {
    const { zoneId } = await imports.imported(two)
    const first = async (crs: string) => (await exported(zoneId, at(crs))).body.split('\r\n')[0]
    expect(await first('EPSG:28992')).toMatch(/^title,easting \(EPSG:28992\),northing \(EPSG:28992\),h,altitude,/)
    expect(await first('EPSG:3035')).toMatch(/^title,northing \(EPSG:3035\),easting \(EPSG:3035\),h,/)
    expect(await first('EPSG:4258')).toMatch(/^title,latitude \(EPSG:4258\),longitude \(EPSG:4258\),h,/)
    expect(await first('RD New')).toContain('easting (EPSG:28992)')
    expect(await first('EPSG:4326')).toMatch(/^title,latitude,longitude,h,/)
  })

  test('reports the operations and their accuracy in response headers', async () => {
    const { zoneId } = await imports.imported(two)
    const { headers } = await exported(zoneId, at('EPSG:28992'))
    expect(headers.get('content-crs')).toBe('<http://www.opengis.net/def/crs/EPSG/0/28992>')
    expect(headers.get('transformation')).toMatch(
      /^"Inverse of [^"]*Amersfoort to WGS 84[^"]*";accuracy=[\d.]+;points=2$/,
    )
    const plain = await exported(zoneId)
    expect([plain.headers.get('content-crs'), plain.headers.get('transformation')]).toEqual([
      '<http://www.opengis.net/def/crs/EPSG/0/4326>',
      null,
    ])
  })

  test('returns the coordinates that were imported', async () => {
    const file = 'title,easting,northing,h\nP1,155000,463000,43.5\nP2,120700.723,487525.501,44\n'
    const { zoneId } = await imports.imported(file, { query: '?crs=EPSG:28992' })
    const { body } = await exported(zoneId, at('EPSG:28992', 'pnezd'))
    expect(body).toBe('P1,463000,155000,43.5,\r\nP2,487525.501,120700.723,44,\r\n')
  })

  test('names the system in gcp_list.txt and GeoJSON, which an import reads', async () => {
    const { zoneId } = await imports.imported(two)
    const list = (await exported(zoneId, at('EPSG:28992', 'gcp_list'))).body
    expect(list).toMatch(
      /^EPSG:28992\n# 2 points from WGS84 to EPSG:28992 by .+, accuracy [\d.]+ m\n# heights are above the ellipsoid\n142173\.0\d+ 456878\.0\d+ 43 0 0 none P1\n/,
    )
    expect((await imports.imported(list)).gcps[0].pin.latitude).toBeCloseTo(52.1, 9)
    const { crs, transformations } = (await exported(zoneId, at('EPSG:28992', 'geojson'))).body
    expect(crs).toEqual({ type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::28992' } })
    expect(transformations).toEqual([{ name: expect.stringContaining('Amersfoort'), accuracy: 1, points: 2 }])
  })

  test('is refused with what to change', { tags: ['long'] }, async () => {
    const { zoneId } = await imports.imported(two)
    for (const [query, sentence] of [
      [at('EPSG:99999'), /EPSG:99999/],
      [at('nonsense'), /"nonsense" is not a reference system/],
      [at('EPSG:5773'), /no plane coordinates/],
      [at('EPSG:4978'), /is geocentric/],
      [at('EPSG:25831+7837'), /name the plane system alone/],
      [at('EPSG:28992', 'kml'), /kml is always in WGS84/],
      [at('EPSG:28992', 'gpx'), /gpx is always in WGS84/],
      ['dxf', /requires a projected reference system, such as crs=EPSG:25833/],
      ['pnezd', /requires a projected reference system/],
      [at('EPSG:4258', 'pnezd'), /is in degrees/],
      [at('+proj=utm +zone=31 +datum=WGS84', 'geojson'), /requires a reference system with a code/],
      [at('EPSG:2263', 'gcp_list'), /in metres/],
      [`${at('EPSG:28992')}&maxError=0.01`, /accurate to/],
      [at('EPSG:2193'), /^2 of 2 points lie outside the area of EPSG:2193 .*such as "P1" at latitude 52.1/],
    ] as [string, RegExp][]) {
      const { status, body } = await exported(zoneId, query)
      expect([query, status, body.error]).toEqual([query, 400, expect.stringMatching(sentence)])
    }
    const gpkg = await exported(zoneId, at('EPSG:2193', 'gpkg'))
    expect([gpkg.status, gpkg.body.error]).toEqual([400, expect.stringContaining('2 of 2 points')])
  })

  test('of an empty zone is an empty file of its format', async () => {
    const zoneId = await imports.zone({ title: 'Empty' })
    expect((await exported(zoneId, at('EPSG:28992'))).body.split('\r\n')).toHaveLength(2)
    expect((await exported(zoneId, at('EPSG:28992', 'pnezd'))).body).toBe('')
    expect((await exported(zoneId, at('EPSG:28992', 'geojson'))).body.features).toEqual([])
  })

  test('counts the points without coordinates that its format cannot hold', async () => {
    const { zoneId } = await imports.imported(two)
    await gcp(zoneId, { title: 'Nowhere' })
    const { headers, body } = await exported(zoneId, at('EPSG:28992', 'pnezd'))
    expect([headers.get('points-left-out'), body.split('\r\n')]).toEqual([
      '1',
      [expect.any(String), expect.any(String), ''],
    ])
    const drawing = (await exported(zoneId, at('EPSG:28992', 'dxf'))).body
    expect(drawing).toContain('999\r\nNowhere has no coordinates\r\n')
    expect((await exported(zoneId, 'gpx')).body).toContain('<!-- Nowhere has no coordinates -->')
  })
})
