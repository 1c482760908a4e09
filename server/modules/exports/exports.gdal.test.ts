import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countSaid, ogr2ogr, ogrinfo } from '../../test/gdal.ts'
import { givenOn } from '../../test/given.ts'
import { type Service, startService } from '../../test/service.ts'

const titles = ['plain', '=1+1', '<b>&"', 'two\nlines', 'Höhe, 日本', "O'Neil", '\u0007bell']
let service: Service
let zoneId: number
const place = (i: number) => ({ lat: -33.123456789 - i, lon: 151.987654321 + i, h: 12.5 })

beforeAll(async () => {
  service = await startService()
  const user = await givenOn(service).user()
  zoneId = (await user.post('/api/zones', { title: 'Quarry <1>' })).body.id
  for (const [i, title] of titles.entries())
    await user.post('/api/gcp', {
      title,
      gcpType: 'SINGLE',
      zoneId,
      description: `about ${title}`,
      aprilTagId: i,
      photoUrls: ['https://a.example/1.jpg?a=1&b=2'],
      geoPose: { position: place(i), angles: { yaw: 90, pitch: 0, roll: 0 } },
    })
})
afterAll(() => service.stop())

/** Exports the zone into a file. @returns its name */
async function exported(format: string, ending: string): Promise<string> {
  const response = await fetch(`${service.url}/api/gcp/zone/${zoneId}/export?format=${format}`)
  const file = `${service.folder}/export.${ending}`
  await writeFile(file, Buffer.from(await response.arrayBuffer()))
  return file
}

/** What GDAL makes of a file, as GeoJSON. */
async function read(file: string, ...options: string[]) {
  const target = `${file}.geojson`
  await ogr2ogr('-f', 'GeoJSON', '-lco', 'COORDINATE_PRECISION=12', target, file, ...options)
  const { features } = JSON.parse(await readFile(target, 'utf8'))
  return features as { geometry: { coordinates: number[] }; properties: Record<string, unknown> }[]
}

describe('GDAL opens an export', () => {
  for (const [format, ending, options] of [
    ['geojson', 'geojson', []],
    ['kml', 'kml', []],
    [
      'csv',
      'csv',
      ['-oo', 'X_POSSIBLE_NAMES=longitude', '-oo', 'Y_POSSIBLE_NAMES=latitude', '-oo', 'Z_POSSIBLE_NAMES=h'],
    ],
  ] as [string, string, string[]][])
    test(`as ${format}, with every point where it is`, async () => {
      const file = await exported(format, ending)
      expect(countSaid(await ogrinfo('-so', '-al', file))).toBe(titles.length)
      const features = await read(file, ...options)
      for (const [i, { geometry, properties }] of features.entries()) {
        const { lon, lat, h } = place(i)
        expect(geometry.coordinates[0]).toBeCloseTo(lon, 9)
        expect(geometry.coordinates[1]).toBeCloseTo(lat, 9)
        expect(geometry.coordinates[2]).toBe(h)
        expect(Number(properties.aprilTagId)).toBe(i)
        const title = String(properties.title ?? properties.Name)
        const written = format === 'csv' ? title.replace(/^'/, '') : title
        expect(written).toBe(format === 'kml' ? titles[i]!.replace('\u0007', '\ufffd') : titles[i])
      }
    })
})
