import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { countSaid, ogr2ogr, ogrinfo } from '../../test/programs/gdal.ts'
import { type Service, startService } from '../../test/service.ts'

const titles = ['plain', '=1+1', '<b>&"', 'two\nlines', 'Höhe, 日本', "O'Neil", '\u0007bell']
let service: Service
let zoneId: number
const place = (i: number) => ({ lat: -33.123456789 - i, lon: 151.987654321 + i, h: 12.5 })

beforeAll(async () => {
  service = await startService()
  const user = await buildersOn(service).user()
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
async function exported(query: string, ending: string, zone = zoneId): Promise<string> {
  const response = await fetch(`${service.url}/api/gcp/zone/${zone}/export?format=${query}`)
  expect([query, response.status]).toEqual([query, 200])
  const file = `${service.folder}/export-${zone}-${query.replace(/\W/g, '-')}.${ending}`
  await writeFile(file, Buffer.from(await response.arrayBuffer()))
  return file
}

/** Converts a file to GeoJSON with GDAL. */
async function read(file: string, ...options: string[]) {
  const target = `${file.replace('/vsizip/', '')}.geojson`
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
    test(`as ${format}, with every point at its position`, async () => {
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

/** Eastings and northings of WGS84 places in a system, by Debian's cs2cs. */
const projected = (crs: string, places: { lat: number; lon: number }[]): number[][] =>
  execFileSync('cs2cs', ['-f', '%.6f', 'EPSG:4326', crs], {
    input: places.map(({ lat, lon }) => `${lat} ${lon}\n`).join(''),
    env: { ...process.env, PROJ_NETWORK: 'OFF' },
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/).map(Number))

describe('GDAL reads exports in another reference system at the positions of cs2cs', () => {
  const places = [
    { lat: 52.1, lon: 5.2 },
    { lat: 51.9876543, lon: 4.3456789 },
    { lat: 53.2, lon: 6.5 },
  ]
  let dutch: number
  beforeAll(async () => {
    const user = await buildersOn(service).user()
    dutch = (await user.post('/api/zones', { title: 'Polder' })).body.id
    for (const [i, { lat, lon }] of places.entries()) {
      const geoPose = { position: { lat, lon, h: 43 + i }, angles: { yaw: 0.1, pitch: 0, roll: 0 } }
      const point = { title: `P${i}`, gcpType: 'SINGLE', zoneId: dutch, description: 'näher', geoPose }
      await user.post('/api/gcp', { ...point, aprilTagId: i, altitude: i + 0.5 })
    }
  })

  for (const [format, ending, crs, options] of [
    ['gpkg', 'gpkg', 'EPSG:28992', []],
    ['shp', 'shp.zip', 'EPSG:28992', []],
    ['geojson', 'geojson', 'EPSG:28992', []],
    ['gpkg', 'gpkg', 'EPSG:25831', []],
    ['shp', 'shp.zip', 'EPSG:25831', []],
    ['dxf', 'dxf', 'EPSG:25831', ['-where', 'Text IS NULL']],
    ['csv', 'csv', 'EPSG:28992', ['-oo', 'X_POSSIBLE_NAMES=easting*', '-oo', 'Y_POSSIBLE_NAMES=northing*']],
  ] as [string, string, string, string[]][])
    test(`as ${format} in ${crs}`, async () => {
      const file = await exported(`${format}&crs=${crs}`, ending, dutch)
      const path = format === 'shp' ? `/vsizip/${file}` : file
      if (format !== 'csv' && format !== 'dxf')
        expect(await ogrinfo('-so', '-al', path)).toContain(`ID["EPSG",${crs.slice(5)}]`)
      // GDAL reads GeoJSON as WGS84: keep the coordinates unchanged.
      const features = await read(path, '-a_srs', 'EPSG:4326', '-lco', 'RFC7946=NO', ...options)
      expect(features).toHaveLength(places.length)
      for (const [i, [east, north]] of projected(crs, places).entries()) {
        // A datum shift and its inverse differ by less than a millimetre.
        expect(Math.abs(features[i]!.geometry.coordinates[0]! - east!)).toBeLessThan(0.001)
        expect(Math.abs(features[i]!.geometry.coordinates[1]! - north!)).toBeLessThan(0.001)
      }
    })

  test('as gpkg in a system with axes to the west and south, as registered', async () => {
    const user = await buildersOn(service).user()
    const zone = (await user.post('/api/zones', { title: 'Mine' })).body.id
    const position = { lat: -30.1, lon: 28.7, h: 0 }
    const geoPose = { position, angles: { yaw: 0, pitch: 0, roll: 0 } }
    await user.post('/api/gcp', { title: 'P', gcpType: 'SINGLE', zoneId: zone, geoPose })
    const [feature] = await read(
      await exported('gpkg&crs=EPSG:2053', 'gpkg', zone),
      ...['-a_srs', 'EPSG:4326', '-lco', 'RFC7946=NO'],
    )
    const [[westing, southing]] = projected('EPSG:2053', [position]) as [number[]]
    expect(westing).toBeGreaterThan(0)
    expect(feature!.geometry.coordinates[0]).toBeCloseTo(westing!, 2)
    expect(feature!.geometry.coordinates[1]).toBeCloseTo(southing!, 2)
  })

  test('as gpx, in WGS84', async () => {
    const features = await read(await exported('gpx', 'gpx', dutch), 'waypoints')
    expect(features.map(({ geometry }) => geometry.coordinates.slice(0, 2))).toEqual(
      places.map(({ lat, lon }) => [lon, lat]),
    )
    expect(features.map(({ properties }) => [properties.name, properties.ele])).toEqual([
      ['P0', 0.5],
      ['P1', 1.5],
      ['P2', 2.5],
    ])
  })

  test('with typed fields', async () => {
    const types = async (query: string, ending: string, prefix = '') => {
      const output = await ogrinfo('-so', '-al', `${prefix}${await exported(query, ending, dutch)}`)
      return Object.fromEntries([...output.matchAll(/^(\w+): (\w+)/gm)].map(([, name, type]) => [name, type]))
    }
    expect(await types('gpkg', 'gpkg')).toMatchObject({
      ...{ id: 'Integer64', title: 'String', aprilTagId: 'Integer', h: 'Real', altitude: 'Real', yaw: 'Real' },
      ...{ heightDatum: 'String', createdAt: 'DateTime' },
    })
    expect(await types('shp', 'shp.zip', '/vsizip/')).toMatchObject({
      ...{ title: 'String', desc: 'String', aprilTagId: 'Integer', h: 'Real', hgtDatum: 'String', createdAt: 'String' },
    })
    expect(countSaid(await ogrinfo('-so', '-al', await exported('xlsx', 'xlsx', dutch)))).toBe(3)
  })

  test('as empty files of an empty zone', async () => {
    const user = await buildersOn(service).user()
    const empty = (await user.post('/api/zones', { title: 'Empty' })).body.id
    for (const [query, ending, prefix] of [
      ['gpkg', 'gpkg', ''],
      ['shp', 'shp.zip', '/vsizip/'],
      ['dxf&crs=EPSG:25831', 'dxf', ''],
      ['gpx', 'gpx', ''],
      ['gpkg&crs=EPSG:25831', 'gpkg', ''],
    ] as [string, string, string][])
      expect([query, countSaid(await ogrinfo('-so', '-al', prefix + (await exported(query, ending, empty))))]).toEqual([
        query,
        0,
      ])
    expect(await ogrinfo('-al', await exported('xlsx', 'xlsx', empty))).toContain('Layer name: points')
  })
})
