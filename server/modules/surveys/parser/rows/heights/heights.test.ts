import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

/** In Berlin, where EGM96 is 39.5776 m above the ellipsoid by cs2cs. */
const place = '52.5,13.4'
const geodetic = (header: string, ...cells: string[]) => `title,lat,lon,${header}\nA,${place},${cells.join()}\n`
const berlin = (crs: string) => `${crs}\nname,easting,northing,z\nA,391414.76,5817961.45,34.25\n`
const EGM96 = 'WGS 84 to EGM96 height (1)'

describe('heights above the sea', () => {
  test('become ellipsoidal, and the measured height is kept as altitude', async () => {
    const { points, detected } = await surveyOf(geodetic('altitude', '34.25'), { heightDatum: 'EGM96' })
    expect(points[0]).toMatchObject({
      altitude: 34.25,
      heightDatum: 'EGM96',
      heightTransformation: { operation: EGM96, accuracy: 1 },
    })
    expect(points[0]!.h).toBeCloseTo(34.25 + 39.5772, 2)
    expect(detected.heights).toEqual([{ datum: 'EGM96', operation: EGM96, accuracy: 1, points: 1 }])
  })

  test('of a compound system refer to its vertical part: without its grid EGM96 is used and the grid named', async () => {
    const { points, notices } = await surveyOf(berlin('EPSG:25833+7837'))
    expect(points[0]!.h).toBeCloseTo(34.25 + 39.58, 1)
    expect(points[0]).toMatchObject({
      altitude: 34.25,
      heightDatum: 'EPSG:7837',
      heightTransformation: { operation: EGM96, accuracy: 2 },
    })
    const said = notices.find(({ code }) => code === 'HEIGHT_ACCURACY')!.message
    expect(said).toContain('heights above DHHN2016 height (EPSG:7837)')
    expect(said).toContain('accurate to 2 m')
    expect(said).toContain('de_bkg_gcg2016.tif')
  })

  test('are refused if maxError is less than the error of the model', async () => {
    const { points, faulty } = await surveyOf(berlin('EPSG:25833+7837'), { maxError: 1.5 })
    expect(points).toEqual([])
    expect(faulty).toMatchObject([{ row: 1, faults: [{ code: 'HEIGHT_ACCURACY', column: 'z' }] }])
    expect(faulty[0]!.faults[0]!.message).toContain('maxError is 1.5')
    expect((await surveyOf(berlin('EPSG:25833+7837'), { maxError: 2 })).points).toHaveLength(1)
  })

  test.each(['-9999', '-99999.000', '-32768'])('refuses %s, a common value for no height', async (cell) => {
    const { points, faulty } = await surveyOf(geodetic('z', cell))
    expect(points).toEqual([])
    expect(faulty[0]!.faults).toMatchObject([{ column: 'z', value: cell, code: 'NOT_A_NUMBER' }])
  })

  test.each([
    ['a header', geodetic('"Height (DHHN2016)"', '34.25'), 'EPSG:7837'],
    ['a word', geodetic('hoogte_NAP', '34.25'), 'EPSG:5709'],
    ['a word and a datum', geodetic('"Z IGN69 (m)"', '34.25'), 'EPSG:5720'],
    ['a datum alone', geodetic('LN02', '34.25'), 'EPSG:5728'],
    ['a datum with a unit', geodetic('AHD_m', '34.25'), 'EPSG:5711'],
    ['a datum in parts', geodetic('H NGF-IGN69', '34.25'), 'EPSG:5720'],
    ['a line above', `# Heights: NN2000\n${geodetic('z', '34.25')}`, 'EPSG:5941'],
    ['a bare h under such a line', `# Heights: EGM2008\n${geodetic('h', '34.25')}`, 'EGM2008'],
    ['a column', geodetic('altitude,heightDatum', '34.25', 'RH2000'), 'EPSG:5613'],
    ['a word that names no datum', geodetic('altitude', '34.25'), 'orthometric'],
  ])('take their datum from %s', async (_, text, datum) => {
    const { points } = await surveyOf(text)
    expect(points[0]).toMatchObject({ altitude: 34.25, heightDatum: datum, heightTransformation: { accuracy: 2 } })
    expect(points[0]!.h).toBeCloseTo(34.25 + 39.577, 2)
  })

  test.each([
    ['of the vertical system', 'EPSG:2263+6360', 1200 / 3937],
    ['of the vertical system, not of the plane', 'EPSG:2263+5703', 1],
    ['of the plane where no system says it', 'EPSG:2263', 1200 / 3937],
  ])('use the unit %s', async (_, crs, metres) => {
    const { points } = await surveyOf(`${crs}\nname,easting,northing,z\nNY,984250,200000,100\n`)
    expect(points[0]!.altitude).toBeCloseTo(100 * metres, 9)
  })
})

test('fails a row with an unknown datum', async () => {
  const { faulty, points } = await surveyOf(
    `title,lat,lon,altitude,heightDatum\nA,${place},1,EGM96\nB,${place},2,Berlin\nC,${place},3,\n`,
  )
  expect(points.map(({ heightDatum }) => heightDatum)).toEqual(['EGM96', 'orthometric'])
  expect(faulty).toMatchObject([{ row: 2, faults: [{ code: 'UNKNOWN_HEIGHT_DATUM', column: 'heightDatum' }] }])
})

describe('heights of unknown reference', () => {
  test('are kept as altitude only', async () => {
    const { points, notices, detected } = await surveyOf(geodetic('height', '34.25'))
    expect(points[0]).toMatchObject({ h: null, altitude: 34.25, heightDatum: 'unknown', heightTransformation: null })
    expect(notices.map(({ code }) => code)).toEqual(['HEIGHT_DATUM_UNKNOWN'])
    expect(detected.heights).toEqual([{ datum: 'unknown', operation: null, accuracy: null, points: 1 }])
  })

  test('get their reference from heightDatum=', async () => {
    const options = (heightDatum: string) => surveyOf(geodetic('height', '34.25'), { heightDatum })
    expect((await options('ellipsoid')).points[0]).toMatchObject({ h: 34.25, altitude: null, heightDatum: 'ellipsoid' })
    expect((await options('DHHN2016 height')).points[0]).toMatchObject({ altitude: 34.25, heightDatum: 'EPSG:7837' })
    await expect(options('EPSG:25833')).rejects.toMatchObject({ code: 'UNKNOWN_HEIGHT_DATUM' })
    // Aliases of a chart datum of one place.
    await expect(options('CD')).rejects.toMatchObject({ code: 'UNKNOWN_HEIGHT_DATUM' })
    await expect(options('x'.repeat(255))).rejects.toThrow('write ellipsoid, unknown, orthometric')
  })

  test('prefer the reference in the file to heightDatum=', async () => {
    const { points } = await surveyOf(geodetic('"Ellipsoidal height"', '74.5'), { heightDatum: 'EGM96' })
    expect(points[0]).toMatchObject({ h: 74.5, altitude: null, heightDatum: 'ellipsoid' })
  })
})

test('are not converted from a tidal datum by a geoid', async () => {
  const { points, notices } = await surveyOf(geodetic('z', '1.5'), { heightDatum: 'EPSG:5866' })
  expect(points[0]).toMatchObject({ h: null, altitude: -1.5, heightDatum: 'EPSG:5866', heightTransformation: null })
  expect(notices.find(({ code }) => code === 'HEIGHT_ACCURACY')!.message).toContain(
    'cannot be converted to ellipsoidal heights',
  )
})

test('says that a plain height was not read beside another one that differs', async () => {
  const codes = async (z: number) => {
    const { notices } = await surveyOf(`Pt,Lat,Lon,Z,H\n1,52.5,13.4,${z},73\n2,52.51,13.4,${z + 1},74\n`)
    return notices.filter(({ code }) => code === 'HEIGHTS_NOT_READ').map(({ message }) => message)
  }
  expect(await codes(34)).toEqual([expect.stringContaining('those under "Z" differ and were not')])
  expect(await codes(73)).toEqual([])
})

test('says that heights under another word of the same kind differ and were not read', async () => {
  const codes = async (other: string) =>
    (await surveyOf(`Pt,Lat,Lon,Elevation,Altitude\n1,52.5,13.4,34.1,${other}\n2,52.51,13.4,35.1,${other}\n`)).notices
      .filter(({ code }) => code === 'HEIGHTS_NOT_READ')
      .map(({ message }) => message)
  expect(await codes('74.1')).toEqual([
    expect.stringMatching(/"(Elevation|Altitude)" were read.*"(Elevation|Altitude)"/),
  ])
  expect(await codes('')).toEqual([])
})

test.each(['altitude\nA,52.52,13.4,1e10', 'h\nA,52.52,13.4,-200000', 'z (usft)\nA,52.52,13.4,1000000'])(
  'a height that is no place on the ground fails its row: %s',
  async (text) => {
    const { points, faulty } = await surveyOf(`name,lat,lon,${text}\n`)
    expect(points).toEqual([])
    expect(faulty[0]!.faults).toMatchObject([
      { code: 'NOT_A_NUMBER', message: expect.stringContaining(' km: correct') },
    ])
  },
)

test('depths that are not read are named', async () => {
  const { notices } = await surveyOf('name,lat,lon,depth (m)\nA,52.52,13.4,12.5\n')
  expect(notices).toMatchObject([
    { code: 'HEIGHTS_NOT_READ', message: expect.stringContaining('minus sign for depths') },
  ])
})

describe('the unit and the datum of heights in one bracket', () => {
  test.each([
    ['Elevation (NAVD88 ft)', 30.48, 'EPSG:5703'],
    ['Elevation (ft NAVD88)', 30.48, 'EPSG:5703'],
    ['"Elevation (ft, NAVD 88)"', 30.48, 'EPSG:5703'],
    ['Elevation [US survey feet - NAVD88]', 30.480060960121918, 'EPSG:5703'],
    ['Elevation (feet above MSL)', 30.48, 'orthometric'],
    ['Elevation (in feet)', 30.48, 'orthometric'],
    ['Height (Intl Ft)', 30.48, 'unknown'],
    ['Höhe (m ü. NHN)', 100, 'orthometric'],
    ['Höhe (cm NHN)', 1, 'orthometric'],
    ['H NHN', 100, 'orthometric'],
    ['Höhe m ü. NHN', 100, 'orthometric'],
    ['Elevation (MSL)', 100, 'orthometric'],
    ['Elevation (±2 cm)', 100, 'orthometric'],
    ['Elevation (foot of wall)', 100, 'orthometric'],
    ['Elevation (1 ft contour)', 100, 'orthometric'],
    ['Elevation (front yard)', 100, 'orthometric'],
    ['Elevation (KM post)', 100, 'orthometric'],
    ['Elevation (unit: m)', 100, 'orthometric'],
    ['Elevation (RMS 2 cm)', 100, 'orthometric'],
  ])('are both read: %s', async (header, altitude, heightDatum) => {
    const { points } = await surveyOf(`Point,Lat,Lon,${header}\n1,50.08,14.42,100\n`)
    expect(points).toMatchObject([{ altitude: expect.closeTo(altitude, 9), heightDatum }])
  })

  test.each(['Easting (NAD83 ft)', 'Easting (grid US survey feet)'])('are read of coordinates: %s', async (east) => {
    const text = (e: string, n: string) => `Point,${e},${n}\n1,1000000,300000\n`
    const feet = await surveyOf(text('Easting (ft)', 'Northing (ft)'), { crs: 'EPSG:2263' })
    const { points } = await surveyOf(text(east, east.replace('East', 'North')), { crs: 'EPSG:2263' })
    expect(points).toMatchObject([{ latitude: feet.points[0]!.latitude, longitude: feet.points[0]!.longitude }])
  })
})

test.each([
  ...['Alt (HAE)', 'Elevation (WGS84 ellipsoid)', 'Altitude (m HAE)', 'Z (ellipsoidal)', 'Höhe (ell.)', '大地高'],
  ...['Elevation [m, ellips.]', 'H (ellipsoidisch)'],
])('a bracket says that heights are above the ellipsoid, whatever the word: %s', async (header) => {
  const { points } = await surveyOf(`Point;Lat;Lon;${header}\n1;52.52;13.405;74\n`)
  expect(points).toMatchObject([{ h: 74, altitude: null, heightDatum: 'ellipsoid' }])
})

test.each([
  ...['H (MSL)', 'h (m a.s.l.)', 'H (m ü. NN)', 'Cota (msnm)', 'Cota (m.s.n.m.)', 'Quota (m s.l.m.)'],
  ...['H (orthometric)', 'Height (above sea level)'],
])('a bracket says that heights are above the sea: %s', async (header) => {
  const { points } = await surveyOf(`Point;Lat;Lon;${header}\n1;52.52;13.405;34\n`)
  expect(points).toMatchObject([{ altitude: 34, h: expect.closeTo(73.523, 2), heightDatum: 'orthometric' }])
})

test.each(['Altitude (AGL)', 'Elevation (local)', 'Altitude (relative, m)', 'h (assumed)'])(
  'heights above the ground or another level have no h: %s',
  async (header) => {
    const { points } = await surveyOf(`Point;Lat;Lon;${header}\n1;52.52;13.405;34\n`)
    expect(points).toMatchObject([{ altitude: 34, h: null, heightDatum: 'unknown' }])
  },
)

test('heights above the ellipsoid and the sea under one word are both read', async () => {
  const { points } = await surveyOf('Point,Lat,Lon,Alt (MSL),Alt (HAE)\n1,52.52,13.405,34,74\n')
  expect(points).toMatchObject([{ h: 74, altitude: 34, heightDatum: 'ellipsoid' }])
})

test('heights under an unknown word in Chinese have a notice', async () => {
  const { notices } = await surveyOf('点名,纬度,经度,平均高\nK1,31.2304,121.4737,12.3\n')
  expect(notices).toMatchObject([{ code: 'HEIGHTS_NOT_READ', message: expect.stringContaining('平均高') }])
})

describe('the unit of heights outside their header', () => {
  test.each([
    ['Units: US survey feet\n', '', '', 30.480060960121918],
    ['# units: feet\n', '', '', 30.48],
    ['Heights in feet\n', '', '', 30.48],
    ['Units of measure,ft\n', '', '', 30.48],
    ['Elevations: NAVD88 ft\n', '', '', 30.48],
    ['Units: m\n', '', '', 100],
    ['Elevation: 120 ft\n', '', '', 100],
    ['Distance units: feet\nElevation units: m\n', '', '', 100],
    ['Vertical units: feet\nUnits: m\n', '', '', 30.48],
    ['Units: mm\n', '', '', 100],
    ['Units: km\n', '', '', 100],
    ['Units: feet for distances\n', '', '', 100],
    ['Units: feet\nUnits: m\n', '', '', 100],
    ['Heights: foot of pole\n', '', '', 100],
    ['Heights: rounded to cm\n', '', '', 100],
    ['', ',Level,Unit', ',120,cm', 100],
    ['', ',Units', ',ft', 100],
  ])('is read: %s%s%s', async (line, name, unit, altitude) => {
    const { points } = await surveyOf(`${line}Point,Lat,Lon,Elevation${name}\n1,38.9,-77.03,100${unit}\n`)
    expect(points).toMatchObject([{ altitude: expect.closeTo(altitude, 9) }])
  })

  test('gives way to the unit of the header', async () => {
    const { points } = await surveyOf('Units: feet\nPoint,Lat,Lon,Elevation (m)\n1,38.9,-77.03,100\n')
    expect(points).toMatchObject([{ altitude: 100 }])
  })
})
