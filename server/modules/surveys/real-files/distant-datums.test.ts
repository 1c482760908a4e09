import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openImports } from '../../../test/surveying/imports.ts'

let opened: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  opened = await openImports()
})
afterAll(() => opened.close())

const imported = (content: string, query = '') => opened.imports.imported(content, { query })

describe('a line above the table that names a datum far from WGS 84', () => {
  const degrees = 'Point,Latitude,Longitude\nA,51.5136,7.4653\n'

  test.each([
    'Ellipsoid: Bessel 1841',
    'Spheroid: Everest 1830',
    'Эллипсоид: Красовского',
    'Bezugssystem: DHDN / Potsdam',
    'Bezugssystem: MGI geographisch',
    'Datum: Córrego Alegre',
    'Datum: Roma 40',
    'Horizontal Datum - European 1950',
    '測地系: 日本測地系 (Tokyo Datum)',
  ])('is not ignored above latitudes and longitudes: %s', async (line) => {
    const { record, gcps } = await imported(`${line}\n${degrees}`)
    expect(gcps).toEqual([])
    expect(record.errorMessage).toContain('name their system as EPSG:')
  })

  test.each(['?crs=EPSG:4314', '?crs=EPSG:4326'])(
    'is not in the way of the system of the request: %s',
    async (query) => {
      const { gcps } = await imported(`Ellipsoid: Bessel 1841\n${degrees}`, query)
      expect(gcps).toHaveLength(1)
    },
  )

  test.each([
    ['Датум: Пулково 1942', 'EPSG:4284'],
    ['Система координат: СК-42', 'EPSG:4284'],
    ['Geodetic datum: Arc 1950', 'EPSG:4209'],
    ['Système géodésique : NTF', 'EPSG:4275'],
  ])('is read if the register has it: %s', async (line, code) => {
    const { report } = await imported(`${line}\n${degrees.replace('51.5136,7.4653', PLACES[code]!)}`)
    expect(report.detected.crs).toBe(code)
  })

  test.each([
    'Ellipsoid: GRS80',
    'Datum: WGS84, Ellipsoid: WGS84',
    '# transformed from the datum ED50 to WGS84',
    'Datum: 04.05.2024',
    'Ort: Potsdam',
    'Project: Tokyo Tower',
    'System: Leica GS18',
  ])('is no other line: %s', async (line) => {
    const { gcps } = await imported(`${line}\n${degrees}`)
    expect(gcps[0].pin).toMatchObject({ latitude: 51.5136, longitude: 7.4653 })
  })

  test.each([
    ['Projection: UTM zone 31N\nDatum: European 1950', '?crs=EPSG:23031'],
    ['UTM 31N\nSpheroid: International 1924', '?crs=EPSG:23031'],
  ])('beside a zone of UTM without a datum is refused, until the request names both: %s', async (lines, query) => {
    const content = `${lines}\nPoint,Easting,Northing\nA,430000.123,4583000.456\n`
    const refused = await imported(content)
    expect(refused.record.errorMessage).toContain('name both in one line')
    expect(refused.gcps).toEqual([])
    const { report } = await imported(content, query)
    expect(report).toMatchObject({ summary: { created: 1 }, detected: { crs: 'EPSG:23031' } })
  })

  test('in a column beside zones of UTM is not taken for WGS 84', async () => {
    const rows =
      'Punto,Este,Norte,Zona,Datum\nA,345678.123,6298765.456,19H,PSAD56\nB,345778.123,6298865.456,19H,PSAD56\n'
    const { record, gcps } = await imported(rows)
    expect(gcps).toEqual([])
    expect(record.errorMessage).toContain('PSAD56 / UTM zone')
    const { report } = await imported(rows.replaceAll('PSAD56', 'WGS84').replace('Zona', 'Huso'))
    expect(report.summary.created).toBe(2)
  })
})

/** A place in the area of each system. */
const PLACES: Record<string, string> = {
  'EPSG:4284': '55.75,37.61',
  'EPSG:4209': '-17.8,31.05',
  'EPSG:4275': '48.85,2.35',
}

describe('the system that a refusal proposes', () => {
  const boundary = (west: number, south: number) => ({
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [west + 0.2, south],
        [west + 0.2, south + 0.2],
        [west, south + 0.2],
        [west, south],
      ],
    ],
  })
  const refusal = async (content: string, west: number, south: number) => {
    const zoneId = await opened.imports.zone({ boundary: boundary(west, south) })
    return (await opened.imports.imported(content, { zoneId })).record.errorMessage
  }
  const sydney = 'Point,Easting,Northing\nA,334368.634,6250948.345\n'

  test('has the datum that the file names, also if the points would be in their zone in UTM of WGS 84', async () => {
    const message = await refusal(`Datum: GDA2020\n${sydney}`, 151.1, -33.95)
    expect(message).toContain('put a line such as EPSG:7856 above')
    expect(message).not.toContain('EPSG:32756')
  })

  test('is none of WGS 84 for a name that the register does not have, and UTM for a file that names nothing', async () => {
    expect(await refusal(`Datum: ITRF96 Projeksiyon: TM 33\n${sydney}`, 151.1, -33.95)).not.toContain('EPSG:32756')
    expect(await refusal(sydney, 151.1, -33.95)).toContain('in EPSG:32756 the points would be in their zone')
  })
})
