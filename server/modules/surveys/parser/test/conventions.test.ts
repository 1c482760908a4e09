import geodesic from 'geographiclib-geodesic'
import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../test/surveying/survey.ts'

const { WGS84 } = geodesic.Geodesic
/** Distance in metres between a read point and a known position. */
const off = (point: { latitude: number; longitude: number } | undefined, latitude: number, longitude: number) =>
  point ? WGS84.Inverse(point.latitude, point.longitude, latitude, longitude).s12! : Number.NaN

describe('X and Y where surveyors and programs differ', () => {
  const japan = 'Name,X,Y,Z\nK1,-31000.5,12000.25,3.7\nK2,-31010.5,12010.25,3.5\n'
  const poland = 'Nr;X;Y;H\n1;485344,12;634676,34;112,1\n2;485354,12;634686,34;112,2\n'

  test.each([
    ['EPSG:6677', japan, '"Name,northing,easting,Z" or "Name,easting,northing,Z"'],
    ['EPSG:2180', poland, '"Nr;northing;easting;H" or "Nr;easting;northing;H"'],
  ])('%s: refuses the file with both header lines', async (crs, text, lines) => {
    const refused = surveyOf(text, { crs })
    await expect(refused).rejects.toMatchObject({ code: 'AMBIGUOUS_COLUMNS' })
    await expect(refused).rejects.toThrow(lines)
  })

  test('are decided by words or by a zone', async () => {
    const [latitude, longitude] = [35.72050547, 139.9659742]
    const inZone = (north: number, east: number) => Math.hypot(north - latitude, east - longitude) < 0.1
    const worded = await surveyOf(japan.replace('X,Y', 'Northing,Easting'), { crs: 'EPSG:6677' })
    expect(off(worded.points[0], latitude, longitude)).toBeLessThan(0.05)
    const zoned = await surveyOf(japan, { crs: 'EPSG:6677', inZone })
    expect(off(zoned.points[0], latitude, longitude)).toBeLessThan(0.05)
    expect(zoned.notices).toContainEqual(expect.objectContaining({ code: 'AXES_ASSUMED' }))
  })

  test('are easting and northing elsewhere, even if both fit', async () => {
    const { points } = await surveyOf('n,X,Y\nA,500000,400000\nB,500100,400100\n', { crs: 'EPSG:32632' })
    expect(points[0]!.longitude).toBeCloseTo(9, 6)
  })
})

describe('S-JTSK', () => {
  // The same place as software counts it, with negative east and north.
  const software = 'bod,E,N\n1,-743100.5,-1043200.25\n2,-743110.5,-1043210.25\n'
  test.each([
    ['Y and X', 'bod;Y;X;Z\n1;743100,5;1043200,25;245,1\n2;743110,5;1043210,25;245,2\n', 'EPSG:5514'],
    ['X and Y', 'bod;X;Y;Z\n1;1043200,25;743100,5;245,1\n2;1043210,25;743110,5;245,2\n', 'EPSG:5514'],
    ['no header', '1 743100.5 1043200.25 245.1\n2 743110.5 1043210.25 245.2\n', 'EPSG:5514'],
    ['the system with axes south and west', 'bod,Y,X\n1,743100.5,1043200.25\n2,743110.5,1043210.25\n', 'EPSG:5513'],
  ])('reads positive values as surveyors write them: %s', async (_, text, crs) => {
    const { points, faulty } = await surveyOf(text, { crs })
    const known = (await surveyOf(software, { crs: 'EPSG:5514' })).points[0]!
    expect(faulty).toEqual([])
    expect(points).toHaveLength(2)
    expect(off(points[0], known.latitude, known.longitude)).toBeLessThan(0.001)
    // Prague.
    expect(off(points[0], 50.0875, 14.421)).toBeLessThan(3000)
  })
})

describe('UTM by words', () => {
  const rows = (north: number) => `P1 500000 ${north} 20\nP2 500010 ${north + 10} 20\n`

  test.each([
    ['WGS84 UTM 30U', 5_970_000, 53.87],
    ['WGS84 UTM 30N', 5_970_000, 53.87],
    ['UTM zone 23K', 7_405_000, -23.46],
    ['WGS84 UTM 19S', 5_452_000, -41.08],
  ])('%s', async (line, north, latitude) => {
    expect((await surveyOf(`${line}\n${rows(north)}`)).points[0]!.latitude).toBeCloseTo(latitude, 1)
  })

  test('accepts the zone as prefix of the easting', async () => {
    const { points } = await surveyOf('name,E,N\nA,33391412.22,5820104.11\nB,391412.22,5820104.11\n', {
      crs: 'EPSG:25833',
    })
    expect(points).toHaveLength(2)
    for (const point of points) expect(off(point, 52.5202141, 13.3995823)).toBeLessThan(0.05)
  })

  test('reads the hemisphere from a PROJ string', async () => {
    const system = '+proj=utm +zone=36 +south +datum=WGS84 +units=m +no_defs\n'
    const { faulty, points } = await surveyOf(`${system}name,E,N\nP1,500000,411645\n`)
    expect(points).toEqual([])
    expect(faulty[0]!.faults[0]).toMatchObject({ code: 'OUTSIDE_CRS_AREA' })
    await expect(surveyOf(`${system}${rows(411_645)}`)).rejects.toThrow('outside the area of +proj=utm')
  })
})

describe('words and remarks', () => {
  test.each([
    ['local_id,lon,lat\nA7,13.5,52.5\nA8,13.6,52.5\n', 'A7'],
    ['Reference Point Number,lat,lon\nN9,52.5,13.5\nN10,52.5,13.6\n', 'N9'],
    ['GCP_PointNr,lat,lon\nN9,52.5,13.5\nN10,52.5,13.6\n', 'N9'],
    ['Identifier,lat,lon\nN9,52.5,13.5\nN10,52.5,13.6\n', 'N9'],
    // A distance along a line, the same twice, beside a number.
    ['Nr,lat,lon,Station\n1,52.5,13.5,0.000\n2,52.5,13.6,0.000\n', '1'],
    ['Nr,lat,lon,Station\n1,52.5,13.5,0.000\n2,52.5,13.6,1.414\n', '1'],
  ])('titles: %s', async (text, title) => {
    expect((await surveyOf(text)).points[0]!.title).toBe(title)
  })

  test('refuses a duplicate title even if another column has numbers', async () => {
    const { points, faulty } = await surveyOf('Name,No,lat,lon\nA,1,52.5,13.5\nB,2,52.5,13.6\nA,3,52.5,13.7\n')
    expect(points.map(({ title }) => title)).toEqual(['A', 'B'])
    expect(faulty[0]!.faults[0]).toMatchObject({ code: 'DUPLICATE_TITLE', value: 'A' })
  })

  test('does not read a column with repeated values as titles', async () => {
    expect((await surveyOf('Crew name,lat,lon\nX,52.5,13.5\nX,52.5,13.6\n')).points[0]!.title).toBe('GCP 1')
  })

  test.each([
    'Nokta;Doğu;Kuzey;Kot\nP1;391412,22;5820104,11;36,5\n',
    '点名,北坐标,东坐标,高程\nP1,5820104.11,391412.22,36.5\n',
    '点名,X座標,Y座標,標高\nP1,391412.22,5820104.11,36.5\n',
    'Point,OSGB Easting,OSGB Northing,Height ODN\nP1,391412.22,5820104.11,36.5\n',
    'Punt;RD_X;RD_Y;NAP\nP1;391412,22;5820104,11;36,5\n',
    'Survey Easting,Survey Northing,Name\n391412.22,5820104.11,P1\n',
    // South's CASS: an empty code, then east, north and height.
    '1,,391412.22,5820104.11,36.5\n2,,391412.22,5820104.11,36.5\n',
  ])('columns: %s', async (text) => {
    const { points } = await surveyOf(text, { crs: 'EPSG:25833' })
    expect(off(points[0], 52.5202141, 13.3995823)).toBeLessThan(0.05)
  })

  test('does not read the easting of a base station as that of the point', async () => {
    await expect(surveyOf('Name,Base easting,Base northing\nP1,1,2\n')).rejects.toMatchObject({
      code: 'AMBIGUOUS_COLUMNS',
    })
  })

  test.each(['# Points of June; position EPSG 25833, heights DHHN2016\n', '#, CRS, EPSG:25833,\n'])(
    'reads the system in a remark: %s',
    async (remark) => {
      const { points, detected } = await surveyOf(`${remark}Nr;E;N\n1;391412.22;5820104.11\n`)
      expect(detected.crs).toBe('EPSG:25833')
      expect(off(points[0], 52.5202141, 13.3995823)).toBeLessThan(0.05)
    },
  )

  test('prefers the ellipsoidal height to a local one in AeroPoints files', async () => {
    const header = 'ID,WGS84 Latitude,WGS84 Longitude,WGS84 Ellipsoidal Height (m),Easting,Northing,Height'
    const { points } = await surveyOf(`${header}\nA,-33.85,151.21,25.5,334873,6252266,2.5\n`)
    expect(points[0]).toMatchObject({ h: 25.5, heightDatum: 'ellipsoid' })
  })

  test('accepts a row with a value in an unnamed column', async () => {
    const { points, faulty } = await surveyOf('name,lat,lon,\nA,52.5,13.5,checked\nB,52.5,13.6,\nC,52.5,13.7,a,b\n')
    expect(points).toHaveLength(2)
    expect(faulty[0]!.faults[0]).toMatchObject({ code: 'RAGGED_ROW' })
  })
})

describe('angles without a header', () => {
  const at = { latitude: 52.52, longitude: 13.41 }
  test.each([
    ['P1,52°31\'12.0"N,13°24\'36.0"E,36.5,corner\nP2,52°31\'13.0"N,13°24\'37.0"E,36.6,\n', 36.5],
    ["P1;E 13° 24,600';N 52° 31,200';36,5\n", 36.5],
    ['P1\t52:31:12 N\t13:24:36 E\n', null],
  ])('reads the axis from the letters: %s', async (text, h) => {
    const { points } = await surveyOf(text)
    expect(points[0]).toMatchObject({ title: 'P1', altitude: h })
    expect(off(points[0], at.latitude, at.longitude)).toBeLessThan(0.01)
  })

  test('requires the form of angles that may be packed', async () => {
    const refused = surveyOf('A1,N52.311200,E013.243600,36.5\nA2,N52.311300,E013.243700,36.6\n')
    await expect(refused).rejects.toMatchObject({ code: 'AMBIGUOUS_ANGLES' })
    await expect(refused).rejects.toThrow(/"title,lat,lon,z".*angles=dms-packed/)
  })

  test('reads titles that look like angles as titles', async () => {
    const { points } = await surveyOf('N12,391412.22,5820104.11,36.5\nE13,391512.22,5820204.11,36.5\n', {
      crs: 'EPSG:25833',
    })
    expect(points.map(({ title }) => title)).toEqual(['N12', 'E13'])
  })
})

describe('signs and units that headers give', () => {
  test('reads feet above coordinates of a system in US survey feet as those', async () => {
    const rows = '1,6048000.5,2113000.25,35\n2,6048100.5,2113100.25,35\n'
    const read = async (header: string) => (await surveyOf(`${header}\n${rows}`, { crs: 'EPSG:2227' })).points[0]!
    const plain = await read('Point,Easting,Northing,Elevation')
    for (const header of ['Point,Easting (ft),Northing (ft),Elevation (ft)', 'Point,X_ft,Y_ft,Z_ft'])
      expect(off(await read(header), plain.latitude, plain.longitude)).toBeLessThan(0.001)
    const international = await read('Point,Easting (international feet),Northing (international feet),Elevation')
    expect(off(international, plain.latitude, plain.longitude)).toBeGreaterThan(3)
  })

  test.each([
    ['name,Latitude (N),Longitude (W)\nA,37.5,122.25\n', 37.5, -122.25],
    ['name,Latitude (N),Longitude (W)\nA,37.5,-122.25\n', 37.5, -122.25],
    ['nombre,Latitud (S),Longitud (O)\nA,33.5,70.25\n', -33.5, -70.25],
    ['Name,Breite (N),Länge (O)\nA,48.5,11.25\n', 48.5, 11.25],
  ])('reads degrees that a header counts to the west or south: %s', async (text, latitude, longitude) => {
    expect((await surveyOf(text)).points[0]).toMatchObject({ latitude, longitude })
  })

  test('refuses plain degrees under a header that mentions minutes and seconds', async () => {
    const { faulty, points } = await surveyOf('name,lat(dms),lon(dms)\nA,37.470012,-122.250854\n')
    expect(points).toEqual([])
    expect(faulty[0]!.faults[0]).toMatchObject({ code: 'NOT_A_NUMBER', value: '37.470012' })
    expect((await surveyOf('name,lat(dms),lon(dms)\nA,37 47 00.12,-122 25 08.54\n')).points).toHaveLength(1)
  })

  test('does not read the UTM band S as south: no point is in the open sea', async () => {
    const rows = 'P1 664500.5 4205100.25 20\nP2 664600.5 4205200.25 20\n'
    await expect(surveyOf(`WGS84 UTM 30S\n${rows}`)).rejects.toThrow('name EPSG:32630')
    const { faulty } = await surveyOf(`WGS84 UTM 30S\nname,E,N\nP1,664500.5,4205100.25\n`)
    expect(faulty[0]!.faults[0]!.message).toContain('name EPSG:32630')
    // Tierra del Fuego is there.
    expect((await surveyOf(`WGS84 UTM 19S\n${rows}`)).points[0]!.latitude).toBeCloseTo(-52.28, 1)
  })
})

describe('errors of a refused file', () => {
  test('name a header without rows', async () => {
    await expect(surveyOf('GCP Label,Northing,Easting,Elevation (ft)\n')).rejects.toMatchObject({ code: 'EMPTY_FILE' })
  })

  test.each(['EPSG:327224165876.393 7167002.1 890.6 24 23 I.JPG\n', 'EPSG:0,0,20,0,13.jpeg,889,1035\n'])(
    'name a code that is joined to the first row: %s',
    async (text) => {
      await expect(surveyOf(text)).rejects.toMatchObject({ code: 'UNKNOWN_CRS', line: 1 })
      await expect(surveyOf(text)).rejects.toThrow('in a line of its own')
    },
  )
})

describe('columns that complete coordinates, under any header', () => {
  test.each([
    'name,Latitude,Hemisphere,Longitude,Hemisphere\nA,33.4489,S,70.6693,W\n',
    'name,Lat,,Lon,\nA,33.4489,S,70.6693,W\n',
    'name,Lat Dir,Lat,Lon Dir,Lon\nA,South,33.4489,West,70.6693\n',
  ])('letters of the hemisphere beside latitude and longitude are read: %s', async (text) => {
    const { points, notices } = await surveyOf(text)
    expect(points).toMatchObject([{ latitude: -33.4489, longitude: -70.6693 }])
    expect(notices).toContainEqual(expect.objectContaining({ code: 'COLUMNS_ASSUMED' }))
  })

  test('other letters are not, nor beside angles with a sign', async () => {
    const { points } = await surveyOf('name,lat,lon,checked\nA,52.5,13.4,N\n')
    expect(points).toMatchObject([{ latitude: 52.5, longitude: 13.4 }])
    const signed = await surveyOf('name,lat,Fix,lon,Fix\nA,-33.4,N,-70.6,E\n')
    expect(signed.points).toMatchObject([{ latitude: -33.4, longitude: -70.6 }])
  })

  test.each([
    'name;fijo;lat;lon\nA;S;40,41;3,70\n',
    'name;sol;lat;lon\nA;S;40,41;3,70\n',
    'name;lat;lon;material\nA;40,41;3,70;W\n',
    'name;lat;type;lon;material\nA;40,41;S;3,70;W\nB;40,41;;3,70;\n',
  ])('a column of such letters beside one angle, or with gaps, is not a hemisphere: %s', async (text) => {
    expect((await surveyOf(text)).points[0]).toMatchObject({ latitude: 40.41, longitude: 3.7 })
  })

  test('properties of a geometry are not its hemisphere', async () => {
    const geometry = { type: 'Point', coordinates: [13.4, 52.5] }
    const feature = { type: 'Feature', geometry, properties: { ref: 'W', material: 'S' } }
    const { points } = await surveyOf(JSON.stringify({ type: 'FeatureCollection', features: [feature] }))
    expect(points).toMatchObject([{ latitude: 52.5, longitude: 13.4 }])
  })

  test('a header that says so needs no second column', async () => {
    const { points } = await surveyOf('name,lat,Hemisphere,lon\nA,33.4,S,-70.6\nB,33.5,,-70.6\n')
    expect(points).toMatchObject([{ latitude: -33.4 }, { latitude: 33.5 }])
  })

  test('zones of UTM are read if their letters fit the northings and nothing else names a system', async () => {
    const zone = (cell: string) => `name,Zone,Easting,Northing\nA,${cell},391776.155,5820072.963\n`
    expect(off((await surveyOf(zone('33U'))).points[0], 52.5200066, 13.404954)).toBeLessThan(0.01)
    for (const cell of ['3C', '33', 'North field'])
      await expect(surveyOf(zone(cell))).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
    const { detected } = await surveyOf(zone('34U'), { crs: 'EPSG:25833' })
    expect(detected.crs).toBe('EPSG:25833')
  })

  test('pairs of plain numbers are latitude and longitude, with a notice unless the header or a zone decides', async () => {
    const codes = async (header: string, inZone?: () => boolean) => {
      const { notices } = await surveyOf(`name,${header}\nA,"52.5, 13.4"\n`, inZone && { inZone })
      return notices.map(({ code }) => code)
    }
    expect(await codes('Coordinates')).toEqual(['COLUMNS_ASSUMED'])
    expect(await codes('"lat, lon"')).toEqual([])
    expect(await codes('Coordinates', () => true)).toEqual([])
  })
})
