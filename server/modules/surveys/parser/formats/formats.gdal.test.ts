import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveOf } from '../../../../test/content/archives.ts'
import { ogr2ogr } from '../../../../test/programs/gdal.ts'
import { surveyOf } from '../../../../test/surveying/survey.ts'

/** Points written by GDAL in every format must be read at the same positions. */

const COUNT = 50
const points = Array.from({ length: COUNT }, (_, i) => ({
  title: `P${String(i).padStart(3, '0')}`,
  lon: 13.1 + i / 700,
  lat: 52.3 + i / 900,
  z: 34 + i / 7,
}))
/** Tolerances: nine decimals of a Garmin, fifteen digits of a drawing, GML's own. */
const DEGREES = 2e-9

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-formats-'))
  const rows = points.map(({ title, lon, lat, z }) => `${title},${lon},${lat},${z}`)
  await writeFile(join(folder, 'points.csv'), `name,lon,lat,hgt\n${rows.join('\n')}\n`)
})
afterAll(() => rm(folder, { recursive: true }))

const FROM_CSV = [
  '-oo',
  'X_POSSIBLE_NAMES=lon',
  '-oo',
  'Y_POSSIBLE_NAMES=lat',
  '-oo',
  'Z_POSSIBLE_NAMES=hgt',
  '-oo',
  'KEEP_GEOM_COLUMNS=NO',
  '-oo',
  'AUTODETECT_TYPE=YES',
  '-s_srs',
  'EPSG:4326',
]

/** A file of the points written by ogr2ogr. */
async function made(name: string, ...args: string[]): Promise<Buffer> {
  await ogr2ogr(join(folder, name), join(folder, 'points.csv'), ...FROM_CSV, ...args)
  return readFile(join(folder, name))
}

async function shapefile(): Promise<Buffer> {
  await made('marks.shp', '-t_srs', 'EPSG:25833')
  const parts = ['shp', 'shx', 'dbf', 'prj'].map((part) => `marks.${part}`)
  return archiveOf(
    Object.fromEntries(await Promise.all(parts.map(async (name) => [name, await readFile(join(folder, name))]))),
  )
}

const files: [name: string, file: () => Promise<Buffer>, crs?: string][] = [
  ['GeoPackage', () => made('a.gpkg', '-t_srs', 'EPSG:25833')],
  ['GeoPackage in a system with the northing first', () => made('b.gpkg', '-t_srs', 'EPSG:3035')],
  ['Shapefile', shapefile],
  ['FlatGeobuf', () => made('a.fgb', '-t_srs', 'EPSG:25833', '-lco', 'SPATIAL_INDEX=NO')],
  ['GML', () => made('a.gml', '-t_srs', 'EPSG:25833', '-dsco', 'FORMAT=GML3.2')],
  ['GML in degrees, latitude first', () => made('b.gml', '-t_srs', 'EPSG:4326', '-dsco', 'FORMAT=GML3.2')],
  ['GPX', () => made('a.gpx', '-f', 'GPX', '-t_srs', 'EPSG:4326')],
  ['KML', () => made('a.kml', '-f', 'LIBKML', '-t_srs', 'EPSG:4326')],
  ['KMZ', () => made('a.kmz', '-f', 'LIBKML', '-t_srs', 'EPSG:4326')],
  ['GeoJSON', () => made('a.geojson', '-lco', 'COORDINATE_PRECISION=15', '-t_srs', 'EPSG:4326')],
  ['GeoJSON in metres', () => made('b.geojson', '-t_srs', 'EPSG:25833')],
  [
    'one feature a line',
    () => made('a.geojsonl', '-f', 'GeoJSONSeq', '-lco', 'COORDINATE_PRECISION=15', '-t_srs', 'EPSG:4326'),
  ],
  ['DXF', () => made('a.dxf', '-f', 'DXF', '-skipfailures', '-t_srs', 'EPSG:25833'), 'EPSG:25833'],
  ['XLSX', () => sheet('a.xlsx')],
  ['ODS', () => sheet('a.ods')],
]

async function sheet(name: string): Promise<Buffer> {
  await ogr2ogr(join(folder, name), join(folder, 'points.csv'), '-oo', 'AUTODETECT_TYPE=YES')
  return readFile(join(folder, name))
}

test.each(files)('reads every point of a %s written by ogr2ogr at its position', async (name, file, crs) => {
  const { points: read, faulty } = await surveyOf(await file(), { crs }, 64 * 1024)
  expect(faulty).toEqual([])
  expect(read).toHaveLength(COUNT)
  const order = new Map(points.map((point) => [point.title, point]))
  for (const [i, point] of read.entries()) {
    const expected = name === 'DXF' ? points[i]! : order.get(point.title)!
    expect(Math.abs(point.latitude - expected.lat)).toBeLessThan(DEGREES)
    expect(Math.abs(point.longitude - expected.lon)).toBeLessThan(DEGREES)
  }
})
