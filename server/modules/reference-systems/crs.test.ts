import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../test/surveying/survey.ts'
import { guardText, unguardText } from '../surveys/parser/rows/text-guard.ts'
import { ReadingOptions } from '../surveys/schema.ts'
import { loadCrsTable } from './crs.ts'

/** Lines of files, cells and parameters, and their codes. */
const named: [code: number | string, lines: string[]][] = [
  ['25832+7837', ['EPSG:25832+7837', 'ETRS89 / UTM zone 32N + DHHN2016 height']],
  ['6438+6360', ['NAD83(2011) / Florida East (ftUS) + NAVD88 height (ftUS)']],
  [
    25832,
    [
      'EPSG:25832',
      'epsg 25832',
      '# CRS: EPSG:25832',
      'EPSG:25832 - ETRS89 / UTM zone 32N',
      'urn:ogc:def:crs:EPSG::25832',
      'http://www.opengis.net/def/crs/EPSG/0/25832',
      'ETRS89 / UTM zone 32N',
      'ETRS_1989_UTM_Zone_32N',
      'Koordinatensystem;ETRS89 / UTM zone 32N',
      'UTM zone 32N (ETRS89)',
      'EUREF89 UTM 32',
    ],
  ],
  [
    32633,
    [
      'WGS84 UTM 33N',
      'UTM 33N',
      'UTM zone 33, northern hemisphere',
      'WGS_1984_UTM_Zone_33N',
      'Projection: UTM, Zone: 33N, Datum: WGS84',
    ],
  ],
  [32733, ['WGS 84 / UTM zone 33S', 'UTM-33S']],
  [2056, ['CH1903+ / LV95', 'CH1903+ LV95', 'CH1903+LV95', 'CH1903+_LV95', 'LV95', 'crs,2056', '"EPSG:2056",,']],
  [2154, ['RGF93 v1 / Lambert-93', 'RGF93 / Lambert-93', 'RGF_1993_Lambert_93']],
  [2178, ['ETRF2000-PL / CS2000/21', 'ETRS89 / Poland CS2000 zone 7', 'PUWG2000 strefa 7']],
  [2180, ['PUWG1992', 'PL-1992', 'ETRS89 / Poland CS92']],
  [2236, ['NAD83 / Florida East (ftUS)', 'NAD_1983_StatePlane_Florida_East_FIPS_0901_Feet']],
  [6438, ['NAD_1983_2011_StatePlane_Florida_East_FIPS_0901_Ft_US']],
  [2932, ['QND95 / Qatar National Grid']],
  [3948, ['RGF93 CC48', 'RGF93-CC48 zone 7', 'Lambert-93 CC 48', 'Conique Conforme 48']],
  [25830, ['ETRS89 UTM huso 30', 'UTM ETRS89 Huso 30 Norte', 'ETRS89 H30']],
  [31983, ['SIRGAS 2000 UTM fuso 23S', 'SIRGAS2000 Fuso 23 Sul']],
  [3879, ['ETRS-GK25FIN', 'ETRS-GK25', 'ETRS89 / GK25FIN']],
  [5110, ['ETRS89 / NTM zone 10', 'EUREF89 NTM sone 10', 'EUREF89 NTM10']],
  [3003, ['Coordinate system: Gauss-Boaga Ovest', 'Roma40 / Gauss Boaga fuso Ovest', 'Monte Mario / Italy zone 1']],
  [31467, ['DE_DHDN_3GK3', 'DHDN GK3']],
  [26943, ['NAD_1983_StatePlane_California_III_FIPS_0403']],
  [2253, ['NAD_1983_StatePlane_Michigan_South_FIPS_2113_Feet_Intl']],
  [2105, ['NZGD2000 / Mount Eden Circuit 2000', 'NZGD2000 / Mount Eden 2000']],
  [7855, ['MGA Zone 55 (GDA2020)', 'MGA2020 Z55']],
  [4326, ['WGS84', 'GCS_WGS_1984', 'WGS 84', 'WGS84 longlat', 'OGC:CRS84', 'urn:ogc:def:crs:OGC:1.3:CRS84']],
]

describe('names of reference systems', () => {
  test.each(named)('EPSG:%s is found by its names', async (code, lines) => {
    const table = await loadCrsTable()
    for (const line of lines) expect([line, table.namedIn(line)]).toEqual([line, `EPSG:${code}`])
  })

  test('are not found in a line that only looks like one', async () => {
    const table = await loadCrsTable()
    const lines = ['Tokyo', 'Lisbon', 'Survey of the park', 'P1', 'Date: 2026-05-04', 'Gate; north', '2056', 'Ost', '']
    for (const line of lines) expect([line, table.namedIn(line)]).toEqual([line, undefined])
  })

  test('a name that is only similar to one of the register is not taken', async () => {
    const table = await loadCrsTable()
    for (const name of ['Lambert', 'Mercator 4', 'Gauss-Kruger zone 5', 'UTM zone 33', 'Swiss', 'Qatar National Grid'])
      expect([name, table.find(name)]).toEqual([name, expect.stringContaining('is not a reference system')])
  })

  test('heights that the register lacks are refused in the request, and left out of cells; a plus in brackets is none', async () => {
    const text = 'ETRS89 / UTM zone 33N + NHN'
    expect((await loadCrsTable({ given: text })).find(text)).toContain('names heights (NHN)')
    const table = await loadCrsTable()
    expect(table.find(text)).toMatchObject({ name: 'EPSG:25833' })
    const inBrackets = 'EPSG:25832 (ETRS89+DREF91)'
    const strict = await loadCrsTable({ given: inBrackets })
    expect(strict.find(inBrackets)).toMatchObject({ name: 'EPSG:25832' })
    expect(table.find('CH1903+ LV95')).toMatchObject({ name: 'EPSG:2056', vertical: undefined })
  })

  test('a plus that arrived as a space comes back, but not in a definition', () => {
    const read = (crs: string) => ReadingOptions.parse({ crs }).crs
    expect(read('RD New   NAP height')).toBe('RD New + NAP height')
    for (const text of ['PROJCS["RD   New"]', '{"name":   "RD New"}']) expect(read(text)).toBe(text)
  })

  test('WKT is reported by its code, and refused without a transformation to WGS84', async () => {
    const table = await loadCrsTable()
    const geographic =
      'GEOGCS["x",DATUM["D",SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]'
    const projected = (datum: string) =>
      `PROJCS["own",${datum},PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",15],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1]]`
    expect(
      table.find(projected(geographic.replace('GRS 1980', 'WGS 84')).replace(/]$/, ',AUTHORITY["EPSG","25833"]]')),
    ).toMatchObject({
      name: 'EPSG:25833',
    })
    expect(table.find(projected(geographic))).toMatchObject({ kind: 'projected' })
    expect(table.find(projected(geographic.replace('GRS 1980', 'Bessel 1841')))).toContain(
      'no transformation to WGS84 is known',
    )
  })

  test('a system is refused with the reason; a compound one has the position of its horizontal part and heights above the sea', async () => {
    const table = await loadCrsTable()
    expect(table.find('EPSG:2329')).toMatch(/^EPSG:2329 .*maxError=1000/)
    expect(table.find('x'.repeat(100_000))).toContain('is not a reference system that can be read')
    const unknown = `EPSG:${'9'.repeat(74)}\u{1f600}${'9'.repeat(400)}`
    expect(table.find(unknown)).toBe(
      `"EPSG:${'9'.repeat(74)}" is not a projected or geographic reference system of the register that can be used here`,
    )
    const [plane, combined] = [table.find('EPSG:28992'), table.find('EPSG:7415')]
    if (typeof plane === 'string' || typeof combined === 'string') throw new Error('refused')
    expect(combined.toWgs84(155_000, 463_000)).toEqual(plane.toWgs84(155_000, 463_000))
    expect([plane.heights, combined.heights?.name]).toEqual([undefined, 'EPSG:5709'])
  })
})

describe('units and escapes in files', () => {
  test("heights without a unit have the unit of the receiver's antenna", async () => {
    const header = 'Name,Longitude,Latitude,Ellipsoidal height,Antenna height,Antenna height units'
    const { points } = await surveyOf(`${header}\nA,-89.67,40.71,1000,6.8,ft\nB,-89.68,40.72,1000,2,m\n`)
    expect(points.map(({ h }) => h)).toEqual([304.8, 1000])
  })

  test('text escaped for spreadsheets is restored', () => {
    for (const text of ['=1+1', "'=x", "''-x", '# 5', '+49', "'plain", 'plain', '-', '@a']) {
      expect(unguardText(guardText(text))).toBe(text)
      expect(guardText(text)).toMatch(/^(?![=+\-@#])/)
    }
  })
})

test.each([
  ['NAD83(2011)', 'EPSG:6318'],
  ['GDA2020', 'EPSG:7844'],
  ['WGS 84', 'EPSG:4326'],
  ['ETRS89', 'EPSG:4258'],
])('the name of a datum, %s, is its system in degrees, not that from the centre of the earth', async (name, code) => {
  const table = await loadCrsTable({})
  expect(table.find(name)).toMatchObject({ name: code, kind: 'geographic' })
})
