import { describe, expect, test } from 'vitest'
import { surveyFile, surveyOf } from '../../../../test/surveying/survey.ts'
import { utmNorthing } from '../../../../test/surveying/utm-northing.ts'

describe('reference systems', () => {
  test('EPSG lines, UTM by name and PROJ strings give the same position', async () => {
    const row = `A,500000,${utmNorthing(60)}\n`
    const lines = [
      'EPSG:32633',
      '# EPSG:32633',
      'WGS84 UTM 33N',
      'WGS 84 / UTM zone 33N',
      '+proj=utm +zone=33 +datum=WGS84 +units=m',
    ]
    for (const line of lines) {
      const { points } = await surveyOf(`${line}\nname,easting,northing\n${row}`)
      expect(points[0]!.latitude).toBeCloseTo(60, 8)
      expect(points[0]!.longitude).toBeCloseTo(15, 9)
    }
  })

  test('converts LV95 with its datum shift: the old observatory of Bern', async () => {
    const { points } = await surveyOf('EPSG:2056\nlabel,E,N,Z\nBern,2600000,1200000,550\n')
    expect(points[0]!.latitude).toBeCloseTo(46.951082877, 6)
    expect(points[0]!.longitude).toBeCloseTo(7.438632495, 6)
    expect((await surveyFile('epsg_comment_header.csv')).detected.crs).toBe('EPSG:2056')
  })

  test('refuses swapped axes and proposes the fix', async () => {
    const { points, faulty } = await surveyOf('EPSG:2056\nlabel,N,E\nA,2600000,1200000\n')
    expect(points).toEqual([])
    expect(faulty[0]!.faults[0]).toMatchObject({ code: 'AXES_SWAPPED', column: 'E' })
    expect(faulty[0]!.faults[0]!.message).toMatch(/latitude 46\.951\d*, longitude 7\.438\d*.*exchange the two columns/)
    const list = await surveyOf('WGS84 longlat\n34.5 -119.25 0 10 20 a.jpg\n34.6 -119.26 0 10 20 a.jpg\n')
    expect(list.faulty.map(({ faults }) => faults[0]!.code)).toEqual(['AXES_SWAPPED', 'AXES_SWAPPED'])
  })

  test('detects swapped latitude and longitude by the zone; warns of points outside the zone', async () => {
    const inZone = (latitude: number, longitude: number) => Math.abs(latitude - 52) < 1 && Math.abs(longitude - 13) < 1
    const { points, faulty, warnings } = await surveyOf('title,lat,lon\nA,13.1,52.1\nB,40.5,20.5\nC,52.1,13.1\n', {
      inZone,
    })
    expect(faulty).toMatchObject([{ row: 1, faults: [{ code: 'AXES_SWAPPED' }] }])
    expect(points.map(({ title }) => title)).toEqual(['B', 'C'])
    expect(warnings).toMatchObject([{ row: 2, code: 'OUTSIDE_ZONE' }])
  })

  test.each([
    ['the zone', 'title,lat,lon\nA,13.1,52.1\nB,52.2,13.2\n', [52.1, 13.1]],
    ['the system', 'EPSG:2056\nlabel,E,N\nA,1200000,2600000\nB,2600010,1200010\n', [46.951, 7.4386]],
    ['hemispheres', 'title,lat,lon\nA,13.1 E,52.1 N\nB,52.2 N,13.2 E\n', [52.1, 13.1]],
    ['a photo list', 'WGS84 longlat\n34.5 -119.25 0 10 20 a.jpg\n34.6 -119.26 0 10 20 b.jpg\n', [34.5, -119.25]],
  ])('swapAxes exchanges the coordinates of rows that %s proves swapped, with a warning', async (by, text, place) => {
    const zone = (latitude: number, longitude: number) => Math.abs(latitude - 52) < 1 && Math.abs(longitude - 13) < 1
    const options = by === 'the zone' ? { inZone: zone } : {}
    expect((await surveyOf(text, options)).faulty[0]!.faults.map(({ code }) => code)).toEqual(['AXES_SWAPPED'])
    const { points, faulty, warnings, notices } = await surveyOf(text, { ...options, swapAxes: true })
    expect(faulty).toEqual([])
    expect(points[0]!.latitude).toBeCloseTo(place[0]!, 3)
    expect(points[0]!.longitude).toBeCloseTo(place[1]!, 3)
    expect(warnings[0]).toMatchObject({ row: 1, code: 'AXES_SWAPPED' })
    expect(warnings).toHaveLength(by === 'a photo list' ? 2 : 1)
    expect(notices.map(({ code }) => code)).not.toContain('AXES_SWAPPED')
  })

  test('refuses grid coordinates under a datum alone, and says what is missing', async () => {
    for (const rows of ['name,E,N\nA,391776.15,5820072.96\n', 'A,391776.15,5820072.96,30.5\n'])
      await expect(surveyOf(`Datum: WGS84\n${rows}`)).rejects.toMatchObject({
        code: 'UNKNOWN_CRS',
        message: expect.stringMatching(
          /names EPSG:4326, which is in degrees: put a line such as EPSG:\d+ .*in its place/,
        ),
      })
  })

  test('reads a datum in one line and a projection in another as the projection', async () => {
    for (const line of ['Projection: UTM 33N', 'Coordinate system: ETRS89 / UTM zone 33N']) {
      const { detected } = await surveyOf(`Datum: WGS84\n${line}\nname,E,N\nA,391776.15,5820072.96\n`)
      expect(detected.crs).toMatch(/^EPSG:(?:32633|25833)$/)
    }
  })

  test.each([
    'Coordinate system:\tETRS89 / UTM 33N',
    'Koordinatensystem\tETRS89 / UTM 33N\t',
    'Koordinatensystem:;;"ETRS89 / UTM 33N";',
    '"Coordinate system:","ETRS89 / UTM 33N",""',
    'CRS;;EPSG:25833',
    'EPSG-Code:;25833',
  ])('reads a label and the system in cells of their own: %s', async (line) => {
    const { detected, points } = await surveyOf(`${line}\nname;E;N\nA;391776.15;5820072.96\n`)
    expect(detected.crs).toBe('EPSG:25833')
    expect(points).toHaveLength(1)
  })

  test('reads a row whose title is also a label as a row', async () => {
    const { points } = await surveyOf('Grid,52.5,13.4\nZone,52.6,13.5\n', { header: 'title,lat,lon' })
    expect(points.map(({ title }) => title)).toEqual(['Grid', 'Zone'])
  })

  test('names a single row with swapped axes, whether inside the zone or not', async () => {
    for (const inZone of [undefined, (latitude: number) => latitude > 60]) {
      const { faulty, points, warnings } = await surveyOf(
        'EPSG:2056\nlabel,E,N\nA,2600000,1200000\nB,1200010,2600010\nC,2600020,1200020\n',
        inZone ? { inZone } : {},
      )
      expect(faulty).toMatchObject([{ row: 2, faults: [{ code: 'AXES_SWAPPED' }] }])
      expect(points.map(({ title }) => title)).toEqual(['A', 'C'])
      expect(warnings.map(({ message }) => message.includes('latitude 46.9510'))).toEqual(inZone ? [true, false] : [])
    }
  })

  test('refuses a point outside the area of its system', async () => {
    const { faulty } = await surveyOf('EPSG:2056\nlabel,E,N\nA,3600000,1900000\n')
    expect(faulty[0]!.faults[0]).toMatchObject({
      code: 'OUTSIDE_CRS_AREA',
      message: expect.stringContaining('EPSG:2056'),
    })
  })

  test('refuses a system without a published transformation to WGS84, unless the caller accepts its error', async () => {
    const rows = 'name,easting,northing\nA,400000,3000000\n'
    await expect(surveyOf(`EPSG:2329\n${rows}`)).rejects.toMatchObject({
      code: 'UNKNOWN_CRS',
      message: expect.stringContaining('maxError=1000'),
    })
    await expect(surveyOf(`EPSG:2329\n${rows}`, { maxError: 999 })).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
    const { points, notices } = await surveyOf(`EPSG:2329\n${rows.replace('400000', '15400000')}`, { maxError: 1000 })
    expect(points).toMatchObject([{ transformation: { crs: 'EPSG:2329', accuracy: null } }])
    expect(notices).toMatchObject([{ code: 'CRS_ACCURACY', message: expect.stringContaining('hundreds of metres') }])
    await expect(surveyOf(`EPSG:1234\n${rows}`)).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
  })

  test('refuses a file, or the rows that need it, if the transformation exceeds maxError', async () => {
    const content = 'EPSG:27700\nname,easting,northing\nA,400000,300000\n'
    expect((await surveyOf(content, { maxError: 2 })).points).toMatchObject([
      { transformation: { operation: expect.stringContaining('OSGB36 to WGS 84 (6)'), accuracy: 2 } },
    ])
    await expect(surveyOf(content, { maxError: 1.9 })).rejects.toMatchObject({
      code: 'UNKNOWN_CRS',
      message: expect.stringContaining('accurate to 2 m'),
    })
    const byRow = 'name,easting,northing,epsg\nA,400000,300000,27700\nB,500000,5300000,32633\n'
    expect((await surveyOf(byRow, { maxError: 1.9 })).faulty).toMatchObject([
      { row: 1, faults: [{ column: 'epsg', message: expect.stringContaining('accurate to 2 m') }] },
    ])
  })

  test('reports the operations to WGS84, and the accuracy of rows with a system of their own', async () => {
    const content = 'name,east,north,epsg\nA,155000,463000,28992\nB,400000,300000,27700\nC,400000,5300000,32633\n'
    const { detected, warnings, notices } = await surveyOf(content)
    expect(detected.transformations.map(({ crs, accuracy, points }) => [crs, accuracy, points])).toEqual([
      ['EPSG:28992', 1, 1],
      ['EPSG:27700', 2, 1],
      ['EPSG:32633', 0, 1],
    ])
    expect(warnings.map(({ row, code }) => [row, code])).toEqual([
      [1, 'CRS_ACCURACY'],
      [2, 'CRS_ACCURACY'],
    ])
    expect(notices).toEqual([])
  })

  test('prefers the definition in a file to its code', async () => {
    const own =
      'PROJCS["Amersfoort / RD New",GEOGCS["Amersfoort",DATUM["Amersfoort",SPHEROID["Bessel 1841",6377397.155,299.1528128],TOWGS84[565.417,50.3319,465.552,-0.398957388243134,0.343987817378283,-1.87740163998045,4.0725]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Oblique_Stereographic"],PARAMETER["latitude_of_origin",52.1561605555556],PARAMETER["central_meridian",5.38763888888889],PARAMETER["scale_factor",0.9999079],PARAMETER["false_easting",155000],PARAMETER["false_northing",463000],UNIT["metre",1],AUTHORITY["EPSG","28992"]]'
    const rows = 'name,easting,northing\nA,155000,463000\n'
    const { points } = await surveyOf(`${own.replace('565.417', '665.417')}\n${rows}`)
    const register = await surveyOf(`EPSG:28992\n${rows}`)
    expect(points[0]!.transformation).toMatchObject({ accuracy: null })
    // The shift is a hundred metres longer along x than in the register.
    expect(Math.abs(points[0]!.latitude - register.points[0]!.latitude)).toBeGreaterThan(0.0005)
  })

  test('converts a datum in a PROJ string as accurately as by its code', async () => {
    const rows = 'name,easting,northing\nA,400000,300000\n'
    const text = '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +datum=OSGB36 +units=m'
    const [byText, byCode] = [await surveyOf(`${text}\n${rows}`), await surveyOf(`EPSG:27700\n${rows}`)]
    expect(byText.points[0]!.latitude).toBeCloseTo(byCode.points[0]!.latitude, 10)
    expect(byText.points[0]!.transformation!.accuracy).toBe(2)
  })

  test('reads the system of each row from a column', async () => {
    const north = utmNorthing(50)
    const { points, faulty } = await surveyOf(
      `name,east,north,epsg\nA,500000,${north},32632\nB,500000,${north},EPSG:32633\nC,500000,${north},x\n`,
    )
    expect(points.map(({ longitude }) => Math.round(longitude * 1e9) / 1e9)).toEqual([9, 15])
    expect(faulty).toMatchObject([{ row: 3, faults: [{ code: 'UNKNOWN_CRS', column: 'epsg' }] }])
  })

  test('refuses degrees whose row names a system that cannot be used, and reads them beside a refused projected one', async () => {
    const rows = (columns: string, place: string) =>
      surveyOf(`name,epsg,${columns}\nA,4001,${place}\nB,4326,${place}\nC,31300,${place}\n`)
    for (const [columns, place] of [
      ['lat,lon', '50.5,4.5'],
      ['geom', 'POINT (4.5 50.5)'],
    ] as const) {
      const { points, faulty } = await rows(columns, place)
      expect(faulty[0]).toMatchObject({ row: 1, faults: [{ code: 'UNKNOWN_CRS', column: 'epsg' }] })
      expect(points.map(({ title }) => title)).toEqual(columns === 'geom' ? ['B'] : ['B', 'C'])
    }
    const coarse = await surveyOf('name,epsg,lat,lon\nA,4267,40,-100\n', { maxError: 0.5 })
    expect(coarse.faulty).toMatchObject([{ faults: [{ code: 'UNKNOWN_CRS', column: 'epsg' }] }])
  })

  test('reads the name of a grid in a remark, and columns named Beacon, Rechts and Hoch', async () => {
    for (const name of ['British National Grid', 'Irish Transverse Mercator']) {
      const { detected } = await surveyOf(`# ${name}\nPoint ID,Easting (m),Northing (m)\nA,540000,660000\n`)
      expect(detected.crs).toBe(name.startsWith('British') ? 'EPSG:27700' : 'EPSG:2157')
    }
    const { detected, points } = await surveyOf('Beacon;Rechts;Hoch\nA1;500000,00;5300000,00\n', { crs: 'EPSG:32633' })
    expect(detected.columns).toMatchObject({ title: 'Beacon', easting: 'Rechts', northing: 'Hoch' })
    expect(points[0]!.longitude).toBeCloseTo(15, 9)
    await expect(surveyOf('# Tokyo\nname,easting,northing\nA,500000,5300000\n')).rejects.toMatchObject({
      code: 'UNKNOWN_CRS',
    })
  })

  test('reads feet by the header, otherwise by the system', async () => {
    const metres = await surveyOf(`EPSG:32633\nname,easting (m),northing (m),z\nA,500000,${utmNorthing(10)},100\n`)
    const feet = await surveyOf(
      `EPSG:32633\nname,easting (ft),northing (ft),z (ft)\nA,${500000 / 0.3048},${utmNorthing(10) / 0.3048},100\n`,
    )
    expect(feet.points[0]!.latitude).toBeCloseTo(metres.points[0]!.latitude, 9)
    expect(feet.points[0]!.altitude).toBeCloseTo(30.48, 9)
    // EPSG:2263 is New York Long Island in US survey feet; its false easting is at longitude -74, latitude 40.1666…
    const { points } = await surveyOf('EPSG:2263\nname,easting,northing,z\nNY,984250,0,3937\n')
    expect(points[0]!.longitude).toBeCloseTo(-74, 6)
    expect(points[0]!.latitude).toBeCloseTo(40 + 10 / 60, 6)
    expect(points[0]!.altitude).toBeCloseTo(1200, 6)
  })

  test('keeps heights of unknown datum, with one warning', async () => {
    const { notices } = await surveyOf('title,lat,lon,z\nA,1.5,2.5,3\nB,1.6,2.5,3\n')
    expect(notices.map(({ code }) => code)).toEqual(['HEIGHT_DATUM_UNKNOWN'])
  })

  test('reads both sides of the antimeridian as written', async () => {
    expect((await surveyFile('tab_antimeridian_pair_11m.tsv')).points.map(({ longitude }) => longitude)).toEqual([
      179.99995, -179.99995,
    ])
  })

  test('says that a single row is inside the area with latitude and longitude exchanged', async () => {
    const { faulty } = await surveyOf('name,lat,lon\nA,13.4,52.5\n', { crs: 'EPSG:4258' })
    const [fault] = faulty[0]!.faults
    expect(fault).toMatchObject({ code: 'OUTSIDE_CRS_AREA', message: expect.stringContaining('lon and lat exchanged') })
  })
})

describe('a bracket in the headers of coordinates names their system', () => {
  // cs2cs without grids: NAD27 is 29 m off here, ED50 130 m, DHDN 140 m.
  test.each([
    ['NAD27', 'EPSG:4267', '38.9,-77.03'],
    ['ED50', 'EPSG:4230', '48.9,7.03'],
    ['DHDN', 'EPSG:4314', '48.9,9.03'],
  ])('of latitude and longitude: %s', async (datum, crs, place) => {
    const header = `Latitude (${datum}),Longitude (${datum})`
    const { points } = await surveyOf(`name,${header}\nA,${place}\n`)
    const { points: lined } = await surveyOf(`${crs}\nname,lat,lon\nA,${place}\n`)
    expect(points).toMatchObject([{ transformation: { crs }, latitude: lined[0]!.latitude }])
    expect(points[0]!.latitude).not.toBeCloseTo(Number(place.split(',')[0]), 6)
  })

  test('of latitude and longitude beside the grid of crs=', async () => {
    const text = 'name,Latitude (ED50),Longitude (ED50),E,N\nA,48.9,7.03,355702.6,5418157.7\n'
    const { points } = await surveyOf(text, { crs: 'EPSG:25832' })
    expect(points).toMatchObject([{ transformation: { crs: 'EPSG:4230' } }])
  })

  test.each([
    ['E (LV95)', 'N (LV95)', '2600000.1,1200000.2', 'EPSG:2056'],
    ['X (Lambert 93)', 'Y (Lambert 93)', '652381.1,6862047.2', 'EPSG:2154'],
    ['Easting (British National Grid)', 'Northing (m)', '530163.1,180395.2', 'EPSG:27700'],
  ])('of a grid: %s', async (east, north, place, crs) => {
    const { points } = await surveyOf(`name,${east},${north}\nA,${place}\n`)
    expect(points).toMatchObject([{ transformation: { crs } }])
  })

  test('but not of metres from the centre of the earth, or of a grid', async () => {
    const { points } = await surveyOf('name,X (ETRS89),Y (ETRS89),Z (ETRS89)\nA,3782970.1,899131.5,5038305.2\n')
    expect(points).toMatchObject([{ latitude: expect.closeTo(52.52, 1), longitude: expect.closeTo(13.37, 1) }])
    const grid = surveyOf('name,E (ETRS89),N (ETRS89)\nA,391776,5820072\n')
    await expect(grid).rejects.toMatchObject({ message: expect.stringContaining('names no reference system') })
  })

  test.each(['WGS84', 'ITRF2014', 'DMS', 'Global', 'GPS', 'design', 'HAE'])(
    'but %s is no other one',
    async (inside) => {
      const { points } = await surveyOf(`name,Latitude (${inside}),Longitude (${inside})\nA,48°54'0",7°1'48"\n`)
      expect(points).toMatchObject([{ latitude: 48.9, longitude: 7.03 }])
    },
  )
})
