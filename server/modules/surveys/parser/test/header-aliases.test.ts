import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../test/surveying/survey.ts'

describe('the words of programs', () => {
  test('keeps both the ellipsoidal height and the one above the sea of senseFly', async () => {
    const { points } = await surveyOf('name,latitude,longitude,altitude_wgs84,altitude_amsl\nA,46.5,6.6,450.5,400.25\n')
    expect(points[0]).toMatchObject({ h: 450.5, altitude: 400.25, heightDatum: 'ellipsoid' })
  })

  test.each([
    'OBJECTID,POINT_X,POINT_Y,POINT_Z',
    'OBJECTID,geom_x,geom_y,geom_z',
    'OBJECTID,x_coord,y_coord,z_coord',
    'OBJECTID,X_Coordinate,Y_Coordinate,Z_Coordinate',
  ])('Esri and GIS: %s', async (header) => {
    const { points, faulty } = await surveyOf(`${header}\n1,391776.15,5820072.96,36.5\n2,391786.15,5820082.96,36.6\n`, {
      crs: 'EPSG:25833',
    })
    expect([points.length, faulty]).toEqual([2, []])
    expect(points[0]!.latitude).toBeCloseTo(52.52, 3)
    expect(points[0]!.altitude).toBe(36.5)
  })

  test.each([
    'Station,Eastings,Northings,Level',
    'Bod,Souřadnice X,Souřadnice Y,Souřadnice Z',
    'Nr,Współrzędna X,Współrzędna Y,Wysokość',
  ])('surveying offices: %s', async (header) => {
    const { points, faulty } = await surveyOf(`${header}\n1,391776.15,5820072.96,36.5\n`, { crs: 'EPSG:25833' })
    expect([points[0]!.altitude, faulty]).toEqual([36.5, []])
    expect(points[0]!.latitude).toBeCloseTo(52.52, 3)
  })

  test.each(['WGS84 Ell. Height', 'WGS84 Ellipsoidal Hgt (m)', 'ETRS89 Ellipsoidal Height', 'Ell. Höhe'])(
    'heights above the ellipsoid: %s',
    async (header) => {
      const { points } = await surveyOf(`name;lat;lon;${header}\nA;52.5;13.4;74.25\n`)
      expect(points[0]).toMatchObject({ h: 74.25, heightDatum: 'ellipsoid' })
    },
  )

  test.each([
    ['点名;北座標;東座標', '楕円体高'],
    ['점명;북;동', '타원체고'],
    ['Σημείο;Βόρεια;Ανατολικά', 'Ελλειψοειδές υψόμετρο'],
    ['Точка;Север;Изток', 'Елипсоидна височина'],
    ['Broj;Sjever;Istok', 'Elipsoidna visina'],
    ['Točka;Sever;Vzhod', 'Elipsoidna višina'],
    ['Назва точки;Північ;Схід', 'Еліпсоїдальна висота'],
    ['Nokta adı;Yukarı;Sağa', 'Elipsoit yüksekliği'],
    ['Piste;Pohjoinen;Itä', 'Ellipsoidikorkeus'],
    ['Pontszám;Észak;Kelet', 'Ellipszoidi magasság'],
    ['Nume punct;Nord;Est', 'Înălțime elipsoidală'],
  ])('grid coordinates and heights above the ellipsoid in other languages: %s;%s', async (grid, height) => {
    const text = `${grid};${height}\n1;5820072.96;391776.15;74.25\n`
    const { points, faulty } = await surveyOf(text, { crs: 'EPSG:25833' })
    expect([points[0]?.h, faulty]).toEqual([74.25, []])
    expect(points[0]!.latitude).toBeCloseTo(52.52, 3)
  })

  test.each(['Punkt;Breddegrad;Længdegrad', 'Pont;Földrajzi szélesség;Földrajzi hosszúság'])(
    'latitude and longitude in other languages: %s',
    async (header) => {
      expect((await surveyOf(`${header}\n1;52.52;13.405\n`)).points).toMatchObject([
        { title: '1', latitude: 52.52, longitude: 13.405 },
      ])
    },
  )

  test('heights above the sea under one word: ElevMSL', async () => {
    expect((await surveyOf('name,lat,lon,ElevMSL\n1,52.52,13.405,34.5\n')).points).toMatchObject([
      { altitude: 34.5, heightDatum: 'orthometric' },
    ])
  })

  test.each(['name,lat,lon,level', 'name,lat,lon,Level'])('a floor is not a height: %s', async (header) => {
    expect((await surveyOf(`${header}\nA,52.5,13.4,2\n`)).points).toMatchObject([{ altitude: null, h: null }])
  })

  test('says that a column of numbers was not read as heights, if its header seems to name some', async () => {
    const notices = async (name: string) =>
      (await surveyOf(`name,lat,lon,${name}\nA,52.5,13.4,74.25\n`)).notices.map(({ message }) => message)
    expect(await notices('Processed height')).toEqual([
      expect.stringContaining('although "Processed height" seems to have some'),
    ])
    for (const name of ['Antenna height offset', 'Height error', 'Geoid height'])
      expect(await notices(name)).toEqual([])
  })

  test('counts westing and southing to the west and south', { tags: ['long'] }, async () => {
    const software = await surveyOf('bod,E,N\n1,-743100.5,-1043200.25\n', { crs: 'EPSG:5514' })
    for (const header of ['bod,Westing,Southing', 'bod,Y (Westing),X (Southing)']) {
      const { points, faulty } = await surveyOf(`${header}\n1,743100.5,1043200.25\n`, { crs: 'EPSG:5514' })
      expect(faulty).toEqual([])
      expect(points[0]!.latitude).toBeCloseTo(software.points[0]!.latitude, 9)
      expect(points[0]!.longitude).toBeCloseTo(software.points[0]!.longitude, 9)
    }
    const utm = await surveyOf('name,westing,southing\nA,-500000,10000\n', { crs: 'EPSG:32633' })
    expect(utm.points[0]!.longitude).toBeCloseTo(15, 8)
    expect(utm.points[0]!.latitude).toBeLessThan(0)
  })

  test('reads X座標 as the northing in a plane rectangular system of Japan, and as the easting elsewhere', async () => {
    const rows = 'K1,-31000.5,12000.25,3.7\nK2,-31010.5,12010.25,3.5\n'
    const japanese = await surveyOf(`点名,X座標,Y座標,標高\n${rows}`, { crs: 'EPSG:6677' })
    const worded = await surveyOf(`name,northing,easting,z\n${rows}`, { crs: 'EPSG:6677' })
    expect(japanese.points).toHaveLength(2)
    expect(japanese.points[0]).toMatchObject({
      latitude: worded.points[0]!.latitude,
      longitude: worded.points[0]!.longitude,
    })
    const utm = await surveyOf('点名,X座標,Y座標\nP1,391776.15,5820072.96\n', { crs: 'EPSG:25833' })
    expect(utm.points[0]!.longitude).toBeCloseTo(13.405, 3)
  })
})

describe('a header without known words', () => {
  const rows = 'P1,391776.15,5820072.96,36.5\nP2,391786.15,5820082.96,36.6\n'

  test('reads Y as the easting and X as the northing in Hungarian EOV', async () => {
    const { points } = await surveyOf('Pontszám;EOV Y;EOV X;Magasság\n1;650000,12;240000,34;110,1\n', {
      crs: 'EPSG:23700',
    })
    expect(points[0]).toMatchObject({ title: '1', altitude: 110.1 })
    expect(points[0]!.latitude).toBeCloseTo(47.504, 2)
    expect(points[0]!.longitude).toBeCloseTo(19.05, 1)
  })

  test.each([
    'field_1,field_2,field_3,field_4',
    'Column1,Column2,Column3,Column4',
    'F1,F2,F3,F4',
    'Unnamed: 0,Unnamed: 1,Unnamed: 2,Unnamed: 3',
  ])('reads the columns of %s by the shape of the rows, and reports it', async (header) => {
    const { points, faulty, detected, notices } = await surveyOf(`${header}\n${rows}`, { crs: 'EPSG:25833' })
    expect([points.length, faulty]).toEqual([2, []])
    expect(points[0]!.longitude).toBeCloseTo(13.405, 3)
    expect(detected).toMatchObject({ header: true, columns: { title: header.split(',')[0] } })
    expect(notices).toContainEqual(
      expect.objectContaining({ code: 'COLUMNS_ASSUMED', message: expect.stringContaining('easting in') }),
    )
  })

  test('is refused with proposals to replace it if the rows are ambiguous', async () => {
    const refused = surveyOf('field_1,field_2,field_3\nA,52.5034,13.4012\nB,52.5134,13.4112\n')
    await expect(refused).rejects.toThrow('"title,lat,lon" or "title,lon,lat" in place of the header line')
  })
})

test.each([
  'Vertex,UTM E,UTM N,Altitud',
  'ID,UTM_X,UTM_Y,Kote',
  'ID,PosX,PosY,PosZ',
  'Vértice,Coord. Este,Coord. Norte,Elevación',
  'Estación,Coordenada E,Coordenada N,Altitude Ortométrica (m)',
  'Punkt-ID,E-Koordinate,N-Koordinate,Orthometrische Höhe',
  'Pkt,Rechts,Hoch,H.ü.NN',
  'Nr.,Y/Ost,X/Nord,Z',
])('eastings and northings of offices: %s', async (header) => {
  const row = (title: string) => `${title},391776.15,5820072.96,36.5\n`
  const { points, faulty } = await surveyOf(`${header}\n${row('A')}${row('B')}`, { crs: 'EPSG:25833' })
  expect(faulty).toEqual([])
  expect(points[0]).toMatchObject({ title: 'A', altitude: 36.5 })
  expect(points[0]!.latitude).toBeCloseTo(52.52, 3)
})

test.each([
  'ID,GPSLatitude,GPSLongitude,GPSAltitude',
  'ID,gps_lat,gps_lng,gps_alt',
  'ID,geo_lat,geo_lon,geo_h',
  'ID,y_lat,x_lon,z',
  'ID,φ,λ,z',
  'ID,Nördliche Breite,Östliche Länge,Höhe',
  'ID,Szer. geogr.,Dł. geogr.,Wysokość',
  'ID,Zem. šířka,Zem. délka,Nadm. výška',
  'ID,Enlem,Boylam,Yükseklik',
  'ID,vĩ độ,kinh độ,cao độ',
  'ID,위도,경도,높이',
])('latitudes and longitudes: %s', async (header) => {
  const { points, faulty } = await surveyOf(`${header}\nA,52.5,13.4,36.5\nB,52.6,13.5,36.6\n`)
  expect(faulty).toEqual([])
  expect(points[0]).toMatchObject({ title: 'A', latitude: 52.5, longitude: 13.4, altitude: 36.5 })
})

test('Altitude Geométrica is above the ellipsoid, beside Altitude Ortométrica', async () => {
  const text =
    'Ponto;Latitude;Longitude;Altitude Geométrica (m);Altitude Ortométrica (m)\nA;-23,55;-46,63;730,5;734,1\n'
  expect((await surveyOf(text)).points[0]).toMatchObject({ h: 730.5, altitude: 734.1 })
})
