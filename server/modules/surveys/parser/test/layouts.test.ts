import { describe, expect, test } from 'vitest'
import { surveyFile, surveyOf } from '../../../../test/surveying/survey.ts'
import { utmNorthing } from '../../../../test/surveying/utm-northing.ts'

describe('headers', () => {
  test('reads German words, decimal commas, semicolons and a UTF-8 byte order mark', async () => {
    const { detected, points } = await surveyFile('bom_semicolon_decimal_comma_german.csv')
    expect(detected).toMatchObject({ delimiter: ';', decimal: ',', encoding: 'utf-8-bom', header: true })
    expect(detected.columns).toMatchObject({ title: 'Name', latitude: 'Breite', longitude: 'Länge', z: 'Höhe' })
    expect(points[0]).toMatchObject({
      title: 'P1',
      latitude: 52.5200123,
      longitude: 13.4049876,
      h: null,
      altitude: 34.21,
      heightDatum: 'unknown',
      aprilTagId: 7,
    })
  })

  test('takes the numbers of a marker column beside a title for tags, and no two columns have one role', async () => {
    const { detected, points } = await surveyOf('Name;lat;lon;Marker\nP1;52.5;13.4;7\nP2;52.6;13.5;\n')
    expect(detected.fields.map(({ role }) => role)).toEqual(['title', 'latitude', 'longitude', 'aprilTagId'])
    expect(points).toMatchObject([
      { title: 'P1', aprilTagId: 7 },
      { title: 'P2', aprilTagId: null },
    ])
  })

  test('keeps a marker column of texts as a title that stands in for an empty one', async () => {
    const { detected, points } = await surveyOf(
      'Name;lat;lon;Marker\nP1;52.5;13.4;bolt\nP2;52.6;13.5;bolt\n;52.7;13.6;nail\n',
    )
    expect(detected.fields.map(({ role }) => role)).toEqual(['title', 'latitude', 'longitude', null])
    expect(points.map(({ title }) => title)).toEqual(['P1', 'P2', 'nail'])
  })

  test('reads a header of two lines with merged cells', async () => {
    const { points, notices } = await surveyOf('Park;;;\nPunkt-Nr.;Lage;;Höhe\n;Länge;Breite;\nG1;13,4;52,5;34,2\n')
    expect(points).toMatchObject([{ title: 'G1', latitude: 52.5, longitude: 13.4, altitude: 34.2 }])
    expect(notices.map(({ code }) => code)).not.toContain('TITLES_MADE')
  })

  test("reads Excel's sep= line", async () => {
    const { points } = await surveyFile('excel_sep_line_quoted_delimiter.csv')
    expect(points).toMatchObject([{ title: 'Gate; north', photoUrls: ['https://a/1.jpg', 'https://a/2.jpg'] }])
  })

  test('are read in any case and order, also after # (Metashape)', async () => {
    const { points } = await surveyOf(
      '# exported\n#Label,X/Longitude,Y/Latitude,Z/Altitude\nm 1,11.25,48.5,512.125\nm 2,11.26,48.51,513\n',
    )
    expect(points[0]).toMatchObject({
      title: 'm 1',
      longitude: 11.25,
      latitude: 48.5,
      altitude: 512.125,
      heightDatum: 'orthometric',
    })
    expect(points).toHaveLength(2)
  })

  test('reads latitude, longitude and elevation with its unit from DroneDeploy', async () => {
    const { points } = await surveyOf('GCP Label,Latitude,Longitude,Elevation (ft)\n1_checkpoint,46.5,-114.25,1000\n')
    expect(points[0]).toMatchObject({ title: '1_checkpoint', latitude: 46.5, longitude: -114.25 })
    expect(points[0]!.altitude).toBeCloseTo(304.8, 9)
  })

  test('reads Emlid: geodetic columns before grid ones, heights in the unit of the system, both heights kept', {
    tags: ['long'],
  }, async () => {
    const header =
      'Name,Code,Code description,Easting,Northing,Elevation,Description,Longitude,Latitude,Ellipsoidal height,Easting RMS,Northing RMS,CS name'
    const row =
      'e1,,,700000.5,400000.5,3937,Hub,-88.5,43.25,3280.833333,0.03,0.04,NAD83(2011) / Some Zone (ftUS) + NAVD88 height (ftUS)'
    const { points, faulty } = await surveyOf(`${header}\n${row}\n`)
    expect(faulty).toEqual([])
    expect(points[0]).toMatchObject({
      title: 'e1',
      latitude: 43.25,
      longitude: -88.5,
      description: 'Hub',
      heightDatum: 'ellipsoid',
    })
    expect(points[0]!.altitude).toBeCloseTo(1200, 9)
    expect(points[0]!.h).toBeCloseTo(1000, 6)
    expect(points[0]!.accuracyH).toBeCloseTo(0.05, 12)
  })

  test('reads x and y in degrees without a system as longitude and latitude; requires a system for larger values', async () => {
    expect((await surveyOf('name,x,y\nA,13.50012,52.25012\n')).points[0]).toMatchObject({
      latitude: 52.25012,
      longitude: 13.50012,
    })
    await expect(surveyOf('name,x,y\nA,390000,5820000\n')).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
    await expect(surveyOf('name,northing,easting\nA,5820000,390000\n')).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
  })

  test('refuses a table without coordinates and names its columns', async () => {
    await expect(surveyOf('name,colour,price\nA,red,3\n')).rejects.toMatchObject({
      code: 'AMBIGUOUS_COLUMNS',
      message: expect.stringContaining('name, colour, price'),
    })
  })
})

describe('files without a header', () => {
  const inBavaria = (latitude: number, longitude: number) =>
    latitude > 47 && latitude < 51 && longitude > 9 && longitude < 14

  test('reads Pix4D with 4 and 6 columns: the zone decides the axis order', async () => {
    const rows = 'G1,48.5,11.25,500.5,0.02,0.03\nG2,48.51,11.26,501.5,0.02,0.03\n'
    const { points } = await surveyOf(rows, { inZone: inBavaria })
    expect(points[0]).toMatchObject({
      title: 'G1',
      latitude: 48.5,
      longitude: 11.25,
      altitude: 500.5,
      accuracyH: 0.02,
      accuracyV: 0.03,
    })
    expect((await surveyOf('G1,11.25,48.5,500.5\n', { inZone: inBavaria })).points[0]).toMatchObject({
      latitude: 48.5,
      longitude: 11.25,
    })
    await expect(surveyOf(rows)).rejects.toMatchObject({ code: 'AMBIGUOUS_COLUMNS' })
  })

  test('decides the axis order by a longitude beyond 90', async () => {
    expect((await surveyOf('G1,-33.50012,151.25012,20.5\nG2,-33.50112,151.25112,21\n')).points[0]).toMatchObject({
      latitude: -33.50012,
      longitude: 151.25012,
    })
  })

  test('refuses whole degrees as numbers split at decimal commas', async () => {
    await expect(surveyOf('P1,48,5,11,25\nP2,48,6,11,26\n', { inZone: inBavaria })).rejects.toMatchObject({
      code: 'AMBIGUOUS_COLUMNS',
    })
  })

  test('reads point, northing, easting, z, text of a controller: the area of the system decides the order', async () => {
    const { points } = await surveyOf(
      '1,1200000.000,2600000.000,550.1,corner\n2,1200010.000,2600010.000,550.2,"pole, north"\n',
      { crs: 'EPSG:2056' },
    )
    expect(points.map((point) => point.description)).toEqual(['corner', 'pole, north'])
    expect(points[0]!.latitude).toBeCloseTo(46.951082877, 6)
    expect(points[0]!.longitude).toBeCloseTo(7.438632495, 6)
  })

  test('reads several words at the end of a row separated by spaces as one text', async () => {
    const { points, faulty } = await surveyOf(
      'EPSG:2056\n1 1200000.0 2600000.0 550.1 IP\n2 1200010.0 2600010.0 550.2 nail in kerb\n3 1200020.0 2600020.0 550.3\n4 1200030.0 2600030.0 550.4 pole\n',
    )
    expect(faulty).toEqual([])
    expect(points.map((point) => point.description)).toEqual(['IP', 'nail in kerb', null, 'pole'])
  })

  test('keeps a formula in a title as text', async () => {
    const berlin = (latitude: number, longitude: number) => latitude > 52 && longitude < 14
    const { points } = await surveyFile('headerless_formula_title.csv', { inZone: berlin })
    expect(points).toMatchObject([{ title: '=HYPERLINK("http://x")', latitude: 52.5, longitude: 13.4, altitude: 1 }])
  })

  test('reads gcp_list.txt: one line a photo, one point a title or position; runs of blanks; comments', async () => {
    const north = utmNorthing(48)
    const titled = `WGS84 UTM 33N\n# marks\n500000.0 ${north} 300.5 10 20 a.jpg gate\n500000.0  ${north}\t300.5 15 25 b.jpg gate\n500010.0 ${north} NaN 1 2 b.jpg pole\n`
    const { points, repeats, detected, notices } = await surveyOf(titled)
    expect(detected).toMatchObject({ delimiter: 'whitespace', crs: 'EPSG:32633', header: false })
    expect(points.map(({ title, altitude }) => [title, altitude])).toEqual([
      ['gate', 300.5],
      ['pole', null],
    ])
    expect(points[0]!.longitude).toBeCloseTo(15, 9)
    expect(points[0]!.latitude).toBeCloseTo(48, 8)
    expect(repeats).toMatchObject([{ row: 2, line: 4, title: 'gate' }])
    expect(notices.map(({ code }) => code)).toContain('IMAGE_POSITIONS_NOT_KEPT')

    const untitled = await surveyOf(titled.replaceAll(/ (gate|pole)$/gm, ''))
    expect(untitled.points.map(({ title }) => title)).toEqual(['GCP 1', 'GCP 2'])
  })
})

test.each(['391776.2,5820072.9', '391776.2'])(
  'a second measurement in a row without a header is no accuracy: %s',
  async (again) => {
    const row = (title: string) => `${title},391776.15,5820072.96,36.5,${again}\n`
    const { points } = await surveyOf(row('A') + row('B'), { crs: 'EPSG:25833' })
    expect(points[0]).toMatchObject({ altitude: 36.5, accuracyH: null, accuracyV: null })
  },
)
