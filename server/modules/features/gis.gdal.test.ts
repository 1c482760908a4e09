import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { countSaid, listed, ogr2ogr, ogrinfo } from '../../test/programs/gdal.ts'
import { type Service, startService } from '../../test/service.ts'

const POINTS = 45
let service: Service
let address: string

beforeAll(async () => {
  service = await startService()
  address = `OAPIF:${service.url}/ogc`
  const user = await buildersOn(service).user()
  const ring = [
    [170, 5],
    [180, 5],
    [180, 15],
    [170, 15],
    [170, 5],
  ]
  const boundary = { type: 'Polygon', coordinates: [ring] }
  const zone = await user.post('/api/zones', { title: 'Zone & "one"', boundary })
  for (let i = 0; i < POINTS; i++)
    await user.post('/api/gcp', {
      title: `P ${i} <&> é`,
      gcpType: 'SINGLE',
      zoneId: zone.body.id,
      description: `row "${i}"\nsecond line`,
      geoPose: {
        position: { lat: 10 + i / 100, lon: i % 2 ? 179.9 : -179.9, h: i },
        angles: { yaw: 0, pitch: 0, roll: 0 },
      },
    })
})
afterAll(() => service.stop())

describe('GDAL', () => {
  test('lists the three layers by the address alone', async () => {
    const text = await ogrinfo(address)
    for (const layer of ['pins', 'gcps', 'zones']) expect(text).toMatch(new RegExp(`^\\d+: ${layer} \\(`, 'm'))
    expect(await ogrinfo(`${address}/`)).toContain('zones')
  })

  test('reads every feature over several pages, with places and properties', async () => {
    for (const layer of ['pins', 'gcps']) {
      const text = await ogrinfo('-al', '-oo', 'PAGE_SIZE=10', address, layer)
      expect(countSaid(text)).toBe(POINTS)
      expect(listed(text)).toBe(POINTS)
      expect(text).toContain('POINT Z (179.9 10.01 1)')
      expect(text).toContain('title (String) = P 44 <&> é')
    }
    const zones = await ogrinfo('-al', address, 'zones')
    expect(zones).toContain('POLYGON ((170 5,180 5,180 15,170 15,170 5))')
  })

  test('asks for a part of the map, and gets what lies there', async () => {
    const text = await ogrinfo('-al', '-spat', '179', '10', '180', '10.1', address, 'gcps')
    expect(listed(text)).toBe(5)
  })

  test('asks for features by a property', async () => {
    expect(listed(await ogrinfo('-al', '-where', "title = 'P 7 <&> é'", address, 'gcps'))).toBe(1)
  })

  test('gets what a condition selects, whatever part of it the service evaluates', async () => {
    const where = async (condition: string) => listed(await ogrinfo('-al', '-where', condition, address, 'gcps'))
    expect(await where('altitude = 7')).toBe(1)
    expect(await where(`altitude > 40 AND title LIKE 'P 4%'`)).toBe(4)
    expect(await where(`createdAt > '2000/01/01 00:00:00'`)).toBe(POINTS)
  })

  test('copies a layer into a file of its own', async () => {
    const file = `${service.folder}/gcps.gpkg`
    await ogr2ogr('-f', 'GPKG', file, address, 'gcps')
    expect(countSaid(await ogrinfo('-so', '-al', file))).toBe(POINTS)
  })
})
