import geodesic from 'geographiclib-geodesic'
import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../test/surveying/survey.ts'

const crs = 'EPSG:25833'
const { WGS84 } = geodesic.Geodesic

describe('numbers that a spreadsheet has rounded', () => {
  test('fail if their notation leaves out metres', async () => {
    const { points, faulty } = await surveyOf('id;Rechtswert;Hochwert\nA;3,92E+05;5,82E+06\nB;391776,15;5820072,96\n', {
      crs,
    })
    expect(points.map(({ title }) => title)).toEqual(['B'])
    expect(faulty[0]!.faults.map(({ message }) => message)).toEqual([
      expect.stringContaining('northing "5,82E+06" is rounded to 10000'),
      expect.stringContaining('easting "3,92E+05" is rounded to 1000'),
    ])
  })

  test('are read with all their figures', async () => {
    const text = `id,E,N,z\nA,3.91776155E+05,5.820072963e6,3.45E1\n`
    const { points } = await surveyOf(text, { crs })
    expect(points[0]).toMatchObject({ altitude: 34.5 })
    expect(points[0]!.latitude).toBeCloseTo(52.5200066, 7)
  })
})

describe('latitude and longitude that are both 0', () => {
  const text = 'name,lat,lon\nA,0,0\nB,0.000000,0.000000\nC,52.6,13.5\n'

  test('fail: programs write them for a missing position', async () => {
    const { points, faulty } = await surveyOf(text)
    expect(points.map(({ title }) => title)).toEqual(['C'])
    expect(faulty).toMatchObject([{ faults: [{ code: 'NO_FIX' }] }, { faults: [{ code: 'NO_FIX' }] }])
  })

  test('are read in a zone there', async () => {
    expect((await surveyOf(text, { inZone: () => true })).points).toHaveLength(3)
  })
})

test.each(['Average', 'Std dev', 'MIN:', 'Mittelwert', 'Écart-type', 'Total Error'])(
  'a row with the title %s has a warning, because it may sum up others',
  async (title) => {
    const { warnings } = await surveyOf(`name,lat,lon\nA,52.5,13.4\n${title},52.55,13.45\nMinster,52.6,13.5\n`)
    expect(warnings).toMatchObject([{ row: 2, code: 'SUMMARY_ROW' }])
  },
)

describe('the international foot', () => {
  const at = async (header: string, units = '') => {
    const text = `name,${header}\n${units}A,3115000.12,10070000.34\n`
    return (await surveyOf(text, { crs: 'EPSG:2277' })).points[0]!
  }

  test.each([
    ['(ift)', 'Easting (ift),Northing (ift)', ''],
    ['(int ft)', 'Easting (int ft),Northing (int ft)', ''],
    ['a line of units', 'Easting,Northing', ',ift,ift\n'],
  ])('is not the US survey foot of the system: %s', async (_, header, units) => {
    const [plain, named] = [await at('Easting (ft),Northing (ft)'), await at(header, units)]
    const metres = WGS84.Inverse(plain.latitude, plain.longitude, named.latitude, named.longitude).s12!
    // 2 parts in a million of the northing.
    expect(metres).toBeCloseTo(6.4, 1)
  })
})

describe('references to squares of a national grid', () => {
  test.each(['name,grid ref\nA,TQ 30163 80395\nB,TQ 30164 80396\n', 'A TQ 30163 80395\nB TQ 30164 80396\n'])(
    'are refused, also if they are split at their spaces: %s',
    async (text) => {
      for (const system of [undefined, 'EPSG:27700'])
        await expect(surveyOf(text, { crs: system })).rejects.toThrow('"TQ 30163 80395"')
    },
  )
})

describe('a table whose columns are set apart by blanks', () => {
  const header = 'PT     NORTHING        EASTING       ELEV   DESC\n'

  test('has texts with spaces in its last column', async () => {
    const { points } = await surveyOf(`${header}1  5820072.963  391776.155  34.500 NAIL IN CURB\n`, { crs })
    expect(points).toMatchObject([{ title: '1', description: 'NAIL IN CURB', altitude: 34.5 }])
  })

  test.each([
    '1 391776.155 5820072.963 34.5 nail in curb\n2 391777.155 5820073.963 34.6 tree\n',
    '1 391776.155 5820072.963 34.5 nail in curb\n2 391777.155 5820073.963 34.6 nail in wall\n',
    '1 391776.155 5820072.963 34.5 nail in curb\n2 391777.155 5820073.963 34.6 \n',
  ])('has texts with spaces at the end without a header too: %s', async (text) => {
    const { points, faulty } = await surveyOf(text, { crs })
    expect(faulty).toEqual([])
    expect(points).toMatchObject([{ title: '1', description: 'nail in curb', altitude: 34.5 }, { title: '2' }])
  })

  test('fails rows whose title has spaces', async () => {
    const { points, faulty } = await surveyOf(`${header}CP 1  5820072.963  391776.155  34.500 NAIL\n`, { crs })
    expect(points).toEqual([])
    expect(faulty).toMatchObject([{ faults: [{ code: 'RAGGED_ROW' }] }])
  })
})

test('a cell with both coordinates may have their letters before the degrees', async () => {
  const { points } = await surveyOf("Name;Koordinaten\nA;N 52° 31.2004' E 013° 24.2972'\nB;S 33 27.5 W 70 36.5\n")
  expect(points[0]!.latitude).toBeCloseTo(52.52000667, 7)
  expect(points[0]!.longitude).toBeCloseTo(13.40495333, 7)
  expect(points[1]!.longitude).toBeCloseTo(-70.6083333, 6)
})

test.each([
  'Stn,MGA2020 Easting,MGA2020 Northing',
  'Stn,Rechtswert GK3,Hochwert GK3',
  'Stn,NZTM2000 Easting,NZTM2000 Northing',
])('the name of a grid may be in the header: %s', async (header) => {
  const { detected } = await surveyOf(`${header}\nP1,391776.155,5820072.963\n`, { crs })
  expect(detected.columns).toMatchObject({ title: 'Stn', easting: header.split(',')[1] })
})

test('a header of two lines keeps the words of the upper one beyond the end of the lower, and above units', async () => {
  const text = 'Punkt;Koordinaten;;Höhe;Bemerkung\n;Ostwert;Nordwert;[cm]\nG1;391776,155;5820072,963;3450;Nagel\n'
  const { points } = await surveyOf(text, { crs })
  expect(points).toMatchObject([{ title: 'G1', altitude: 34.5, description: 'Nagel' }])
})

test.each(['#N/A', '#NV', 'n/a', 'NaN'])('%s is no height', async (cell) => {
  const { points } = await surveyOf(`name,lat,lon,altitude\nA,52.5,13.4,${cell}\n`)
  expect(points).toMatchObject([{ altitude: null }])
})

describe('heights under a plain H', () => {
  test('are above the datum in its brackets', async () => {
    const { points } = await surveyOf('ID,Y (Ost),X (Nord),H (DHHN2016)\n1,391776.155,5820072.963,34.5\n', { crs })
    expect(points).toMatchObject([{ altitude: 34.5, heightDatum: 'EPSG:7837' }])
    expect(points[0]!.h).toBeCloseTo(74, 0)
  })

  test('are not ellipsoidal beside a column that says so', async () => {
    const { points } = await surveyOf('ID,Lat,Lon,H Ell (m),H (m)\nA,52.5200066,13.404954,74.25,34.5\n')
    expect(points).toMatchObject([{ h: 74.25, heightDatum: 'ellipsoid' }])
  })
})

describe('a column of datums beside latitude and longitude', () => {
  test.each(['Datum', 'geodeticDatum', 'Horizontal datum'])('is the system of its rows: %s', async (header) => {
    const text = `name,Latitude,Longitude,${header}\nA,40.5,-105.2,NAD27\nB,40.5,-105.2,WGS84\nC,40.5,-105.2,\n`
    const { points, notices } = await surveyOf(text)
    const [a, b] = points
    const metres = WGS84.Inverse(a!.latitude, a!.longitude, b!.latitude, b!.longitude).s12!
    expect(metres).toBeGreaterThan(30)
    expect(a!.transformation).toMatchObject({ crs: 'EPSG:4267' })
    expect(points.slice(1)).toMatchObject([{ latitude: 40.5 }, { latitude: 40.5 }])
    expect(notices).toContainEqual(expect.objectContaining({ code: 'COLUMNS_ASSUMED' }))
  })

  test('may be dates in German', async () => {
    const { points, notices } = await surveyOf('Punkt;Breite;Länge;Datum\nA;52,5;13,4;12.03.2024\n')
    expect(points).toMatchObject([{ latitude: 52.5, longitude: 13.4 }])
    expect(notices).toEqual([])
  })
})

test('commas part angles whose degrees, minutes and seconds are parted by spaces', async () => {
  const { points } = await surveyOf('A,N 33 27 30.12,W 70 36 12.3\nB,N 33 27 31.12,W 70 36 13.3\n')
  expect(points).toMatchObject([{ title: 'A' }, { title: 'B' }])
  expect(points[0]!.latitude).toBeCloseTo(33.4583667, 7)
  expect(points[0]!.longitude).toBeCloseTo(-70.6034167, 7)
})

test('a column of vertical datums decides for each row, and marks no export of this service', async () => {
  const text = "name,lat,lon,h,altitude,vertical datum\nA,52.5,13.4,,34.5,DHHN2016\n'B,52.1,5.2,45.6,,ellipsoid\n"
  const { points } = await surveyOf(text)
  expect(points).toMatchObject([
    { title: 'A', altitude: 34.5, heightDatum: 'EPSG:7837' },
    { h: 45.6, heightDatum: 'ellipsoid' },
  ])
  expect(points[0]!.h).toBeCloseTo(74, 0)
})

test.each([
  ['Höhe über NHN', 34.5],
  ['H_orth', 34.5],
  ['Up', 34.5],
])('heights under %s are read', async (header, altitude) => {
  const { points } = await surveyOf(`Name;Ost;Nord;${header}\nA;391776,155;5820072,963;34,5\n`, { crs })
  expect(points).toMatchObject([{ altitude }])
})

test('a column of satellites or of datums beside the angles is not one of hemispheres', async () => {
  const solution = 'name,latitude(deg),longitude(deg),height(m),Q,ns\nA,52.52,13.40,74.2,1,12\n'
  expect((await surveyOf(solution)).points).toMatchObject([{ latitude: 52.52, longitude: 13.4 }])
  const south = 'name,Lat,Lat Ref,Lon\nA,-33.46,WGS84,-70.65\nB,-33.47,-,-70.66\n'
  expect((await surveyOf(south)).points).toMatchObject([{ latitude: -33.46 }, { latitude: -33.47 }])
})

test('an ellipsoidal height beside grid coordinates is not one above the sea', async () => {
  const text = 'ID,E,N,H Ell\nA,391776.155,5820072.963,74.25\n'
  const { points } = await surveyOf(text, { crs })
  expect(points[0]).toMatchObject({ h: 74.25, heightDatum: 'ellipsoid' })
})

test('a vertical datum that nobody knows leaves the height without one, with a warning', async () => {
  const text = `name,lat,lon,elevation,Vertical Datum\nA,52.5,13.4,34.5,Mean Sea Level\nB,52.5,13.5,34.5,Local\nC,52.5,13.6,34.5,N/A\n`
  const { points, warnings } = await surveyOf(text)
  expect(points.map(({ heightDatum }) => heightDatum)).toEqual(['orthometric', 'unknown', 'orthometric'])
  expect(warnings).toContainEqual(expect.objectContaining({ row: 2, code: 'HEIGHT_DATUM_UNKNOWN' }))
})

test('a datum that is not known beside one that is has a warning', async () => {
  const text = 'name,Latitude,Longitude,Datum\nA,40.5,-105.2,NAD27\nB,40.5,-105.2,the old one\n'
  const { points, warnings } = await surveyOf(text)
  expect(points).toHaveLength(2)
  expect(warnings).toContainEqual(expect.objectContaining({ row: 2, code: 'COLUMNS_ASSUMED' }))
})

test('a position of 0, 0 in one cell fails', async () => {
  const { points, faulty } = await surveyOf('name,coordinates\nA,"0, 0"\nB,"52.5, 13.4"\n')
  expect(points).toHaveLength(1)
  expect(faulty).toMatchObject([{ faults: [{ code: 'NO_FIX' }] }])
})

test('a whole number in scientific notation is exact', async () => {
  const { points } = await surveyOf('id,E,N\nA,4e+05,5820072.963\n', { crs })
  expect(points).toHaveLength(1)
})
