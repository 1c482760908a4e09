import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openImports } from '../../../test/surveying/imports.ts'

let opened: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  opened = await openImports()
})
afterAll(() => opened.close())

const imported = (content: string, query = '') => opened.imports.imported(content, { query })

describe('the hemisphere in the headers of angles', () => {
  test.each([
    'Punto;Latitud Sur;Longitud Oeste',
    'Point;South Latitude;West Longitude',
    'Punkt;Südliche Breite;Westliche Länge',
    'Point;Latitude Sud;Longitude Ouest',
    'Ponto;Latitude Sul;Longitude Oeste',
    'Point;Lat °S;Lon °W',
    'Punto;Latitud (Sur);Longitud (Oeste)',
    'Point;Lat S;Lon W',
  ])('gives their sign: %s', async (header) => {
    const { gcps } = await imported(`${header}\nA;33.4489;70.6693\n`)
    expect(gcps[0].pin).toMatchObject({ latitude: -33.4489, longitude: -70.6693 })
  })

  test('is north and east in other words', async () => {
    const { gcps } = await imported('Point;North Latitude;Longitude Est\nA;33.4489;70.6693\n')
    expect(gcps[0].pin).toMatchObject({ latitude: 33.4489, longitude: 70.6693 })
  })
})

test('an estimate is no angle to the east', async () => {
  const { record } = await imported('Point;Latitude_est;Longitude_est\nA;33.4489;70.6693\n')
  expect(record.errorMessage).toContain('no latitude and longitude')
})

describe('angles', () => {
  test.each([
    ['Название;Широта;Долгота', `55°45'12.6"с.ш.;37°37'4.8"в.д.`, 55.7535, 37.618],
    ['Назва;Широта;Довгота', `50° 27' 0.36" пн. ш.;30° 31' 24.24" сх. д.`, 50.4501, 30.5234],
    ['Имя;Широта;Долгота', `33°26'56.04" ю.ш.;70°40'9.48" з.д.`, -33.4489, -70.6693],
    ['Nama Titik;Lintang;Bujur', `6° 12' 31.68" LS;106° 50' 44.16" BT`, -6.2088, 106.8456],
    ['Ponto;Latitude;Longitude', `22°54'24.48"S;43°10'22.44"O`, -22.9068, -43.1729],
    ['Vértice;Latitude;Longitude', `22°54'24.48"S;43°10'22.44"O`, -22.9068, -43.1729],
    ['Punkt;Breite;Länge', '52.31.12,02376;13.24.17,83440', 52.5200066, 13.404954],
    ['Point;Lat;Lon', '52.31.12.02376;W13.24.17.83440', 52.5200066, -13.404954],
  ])('are read as people write them: %s %s', async (header, row, latitude, longitude) => {
    const { gcps } = await imported(`${header}\nA;${row}\n`)
    expect(gcps[0].pin.latitude).toBeCloseTo(latitude, 8)
    expect(gcps[0].pin.longitude).toBeCloseTo(longitude, 8)
  })
})

describe('heights', () => {
  test.each([
    ["Elev (')", 0.3048],
    ['Höhe (Fuß)', 0.3048],
    ['Высота (футы)', 0.3048],
    ['高程(英尺)', 0.3048],
    ['Elev (fathoms)', 1.8288],
    ['Elevation (inches)', 0.0254],
    ['Elev (chains)', 20.1168],
  ])('are in the unit of their header: %s', async (header, metres) => {
    const { gcps } = await imported(`Point,Latitude,Longitude,${header}\nA,51.5136,7.4653,12.5\n`)
    expect(gcps[0].altitude).toBeCloseTo(12.5 * metres, 2)
  })

  test.each(['h,N,H', 'H,N,h'])('above the ellipsoid are h beside H, in either order: %s', async (header) => {
    const cells = header === 'h,N,H' ? '113.850,39.600,74.250' : '74.250,39.600,113.850'
    const { gcps } = await imported(`Point,Lat,Lon,${header}\nA,52.52,13.405,${cells}\n`)
    expect(gcps[0].pin.geoPose.position.h).toBeCloseTo(113.85, 3)
  })

  test.each([
    ['MSL Altitude', 'orthometric'],
    ['mBf', 'orthometric'],
    ['NZVD2016 Ht', 'EPSG:7839'],
    ['Altezza Ell.', 'ellipsoid'],
  ])('have the datum of their header: %s', async (header, datum) => {
    const { gcps } = await imported(`Point,Lat,Lon,${header}\nA,-36.8485,174.7633,74.25\n`)
    expect(gcps[0]).toMatchObject({ altitude: 74.25, heightDatum: datum })
  })
})

describe('grid headers', () => {
  test.each([
    ['Pt,N (NAD83(CSRS) UTM18),E (NAD83(CSRS) UTM18)', '5040000.5,610000.25'],
    ['PNr,RW (EPSG:2959),HW (EPSG:2959)', '610000.25,5040000.5'],
  ])('may have brackets in brackets, and short words: %s', async (header, row) => {
    const { report } = await imported(`${header}\nA,${row}\n`)
    expect(report).toMatchObject({ summary: { created: 1 }, detected: { crs: 'EPSG:2959' } })
  })

  test.each([
    ['Nom;X Lambert II étendu;Y Lambert II étendu', '600000.5;2428000.25', 'EPSG:27572'],
    ['Système : RGF93 CC49 - NGF-IGN69\nPoint;X;Y', '1652000.5;8181000.25', 'EPSG:3949'],
    ['SISTEMA DE REFERENCIA: ETRS89 - HUSO 30\nPunto;X UTM;Y UTM', '440000.5;4474000.25', 'EPSG:25830'],
    ['Sistema: SIRGAS 2000 - Fuso 23S\nPonto;Este;Norte', '687000.5;7465000.25', 'EPSG:31983'],
    ['DATUM: PSAD56   HUSO: 19 SUR\nVertice;Este;Norte', '345678.5;6298765.25', 'EPSG:24879'],
    ['DKTM3 / DVR90\nPunkt;Øst;Nord', '650000.5;1180000.25', 'EPSG:4095'],
  ])('and lines have the names of offices: %s', async (header, row, crs) => {
    const { report } = await imported(`${header}\nA;${row}\n`)
    expect(report).toMatchObject({ summary: { created: 1 }, detected: { crs } })
  })
})

describe('titles', () => {
  test.each(['Tên điểm', 'Titik', 'N', 'N°', 'Standplaats'])(
    'are in a first column of other words: %s',
    async (word) => {
      const { gcps } = await imported(`${word},X,Y\nA1,391776.1,5820072.9\nB2,391876.1,5820172.9\n`, '?crs=EPSG:25833')
      expect(gcps.map(({ title }: { title: string }) => title).sort()).toEqual(['A1', 'B2'])
    },
  )

  test.each(['Date', 'Distance', 'PDOP'])('are not under a header of something else: %s', async (word) => {
    const { gcps } = await imported(`${word},X,Y\n1.5,391776.1,5820072.9\n2.5,391876.1,5820172.9\n`, '?crs=EPSG:25833')
    expect(gcps.map(({ title }: { title: string }) => title).sort()).toEqual(['GCP 1', 'GCP 2'])
  })

  test('are names of photos without other titles', async () => {
    const { gcps } = await imported('Image,Latitude,Longitude\nDJI_1.JPG,52.52,13.405\nDJI_2.JPG,52.521,13.406\n')
    expect(gcps.map(({ title }: { title: string }) => title).sort()).toEqual(['DJI_1.JPG', 'DJI_2.JPG'])
  })
})

test('the error of a row with too many fields says to quote text that contains the delimiter', async () => {
  const { report } = await imported('Point,Lat,Lon,Description\nA,52.52,13.405,nail, in kerb\n')
  expect(report.rows[0].errors[0].message).toContain('put a text that holds the delimiter in quotes')
})
