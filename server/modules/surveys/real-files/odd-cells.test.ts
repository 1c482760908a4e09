import { afterAll, beforeAll, expect, test } from 'vitest'
import { openImports } from '../../../test/surveying/imports.ts'

let opened: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  opened = await openImports()
})
afterAll(() => opened.close())

const imported = (content: string | Uint8Array<ArrayBuffer>, query = '?crs=EPSG:25833') =>
  opened.imports.imported(content, { query })

test.each(['Name      Easting      Northing   Height  Code\n', ''])(
  'a number behind an empty cell is no height in a table aligned by spaces: %s',
  async (header) => {
    const rows = [
      'GCP1  391772.721  5820083.431   35.000   101',
      'GCP2  392121.917  5820220.385   36.500   102',
      'GCP3  392121.917  5820320.385            103',
    ]
    const { report, gcps } = await imported(`${header}${rows.join('\n')}\n`)
    expect(gcps.map(({ altitude }: { altitude: number }) => altitude).sort()).toEqual([35, 36.5])
    expect(report.causes).toMatchObject([{ code: 'RAGGED_ROW', status: 'failed' }])
  },
)

test('a text at the end of a row aligned by spaces may be missing', async () => {
  const { report } = await imported('A 391772.721 5820083.431 35.0 tree\nB 392121.917 5820220.385 36.5\n')
  expect(report.summary).toMatchObject({ created: 2, failed: 0 })
})

test.each(['Code', 'Código', 'Kod'])('%s that repeats describes the points, and names none of them', async (header) => {
  const rows = '391772.721,5820083.431,35,KP\n391872.721,5820083.431,35,KP\n'
  const { report, gcps } = await imported(`Easting,Northing,Elevation,${header}\n${rows}`)
  expect(report.summary).toMatchObject({ created: 2, failed: 0 })
  expect(gcps[0]).toMatchObject({ title: expect.stringMatching(/^GCP \d$/), description: 'KP' })
})

test('the end of file of DOS is no row', async () => {
  const { report } = await imported('Name,Easting,Northing\r\nA,391772.721,5820083.431\r\n\x1a')
  expect(report.summary).toMatchObject({ rows: 1, created: 1 })
})

test('words in brackets of a header tell the code page', async () => {
  const header = Buffer.from('Nr punktu;X (pó³noc);Y (wschód)\n1;487000.25;637000.5\n', 'latin1')
  const { report } = await imported(Uint8Array.from(header), '?crs=EPSG:2180')
  expect(report.detected.encoding).toBe('windows-1250')
  expect(report.summary).toMatchObject({ created: 1, failed: 0 })
})

test.each([
  'N° point,X,Y,Altitude',
  'Point Number,Point Easting,Point Northing,Point Elevation',
  'Mark,Shape_X,Shape_Y,H ortométrica (m)',
  'Punkt,Ost,Nord,NN-Höhe',
  'Punkt,Ost,Nord,Höhe ü. Adria',
  'Punkt,Ost,Nord,Höhe ü. NHN',
  'Matricule,Est,Nord,Cote',
  'Nr punktu,Wschód,Północ,Rzędna H [m]',
  'Č. bodu,Východ,Sever,Výška',
  'Pont,Kelet,Észak,Magasság',
  'Nokta Adı,Doğu,Kuzey,Yükseklik',
  '點號,橫坐標E,縱坐標N,標高',
])('words of offices for points and heights: %s', async (header) => {
  const { gcps } = await imported(`${header}\nA,391772.721,5820083.431,35.5\n`)
  expect(gcps).toMatchObject([{ title: 'A', altitude: 35.5 }])
})

test('a plain height beside one above the ellipsoid, both in Spanish', async () => {
  const { gcps } = await imported(
    'Vértice;X;Y;H ortométrica (m);H elipsoidal (m)\nA;391772,721;5820083,431;650,5;700,5\n',
  )
  expect(gcps).toMatchObject([
    { altitude: 650.5, heightDatum: 'ellipsoid', pin: { geoPose: { position: { h: 700.5 } } } },
  ])
})

test('NAP before its word, and a grid of Switzerland behind Koord, are read', async () => {
  const rd = await imported('Puntnr,RD X,RD Y,NAP hoogte\nA,121000.5,487000.25,3.5\n', '?crs=EPSG:28992')
  expect(rd.gcps).toMatchObject([{ altitude: 3.5, heightDatum: 'EPSG:5709' }])
  const lv95 = await imported('Nr,Koord E LV95,Koord N LV95,Höhe LN02\nA,2600000.5,1200000.25,650.5\n', '')
  expect(lv95.report.detected.crs).toBe('EPSG:2056')
  expect(lv95.gcps).toMatchObject([{ heightDatum: 'EPSG:5728' }])
})

test('heights as ExifTool writes them are read', async () => {
  const rows = `A,"52 deg 31' 12.02"" N","13 deg 24' 17.83"" E",35.2 m Above Sea Level\nB,"52 deg 31' 13.02"" N","13 deg 24' 17.83"" E",1.5 m Below Sea Level\n`
  const { gcps } = await imported(`Name,GPSLatitude,GPSLongitude,GPSAltitude\n${rows}`, '')
  expect(gcps.map(({ altitude }: { altitude: number }) => altitude).sort()).toEqual([-1.5, 35.2])
})

test('a break without width beside a number is no part of it', async () => {
  const { report } = await imported('Name,Easting,Northing\nA,391772.721,5820083.431\u200b\n')
  expect(report.summary).toMatchObject({ created: 1, failed: 0 })
})

test('between spaces, a whole number at the end of a short row is no height if some codes are numbers', async () => {
  const rows =
    'G1 391772.721 5820083.431 35.5 B8\nG2 391773.721 5820083.431 35.5 101\nG3 391774.721 5820083.431 35.5 B8\n'
  const { report, gcps } = await imported(
    `Name Easting Northing Height Code\n${rows}G4 391775.721 5820083.431 103\nG5 391776.721 5820083.431 35.5\n`,
  )
  expect(report.summary).toMatchObject({ created: 4, failed: 1 })
  expect(gcps.map(({ altitude }: { altitude: number }) => altitude)).toEqual([35.5, 35.5, 35.5, 35.5])
})

test('signs of the end of a file, as DOS programs fill blocks with them, are no row', async () => {
  const { report } = await imported(`Name,Easting,Northing\nA,391772.721,5820083.431\n${'\x1a'.repeat(100)}`)
  expect(report.summary).toMatchObject({ created: 1, failed: 0 })
})

test('NUL bytes of a logger that lost power are no row, and a line that they cut off is not read', async () => {
  const text = 'Name,Easting,Northing\nA,391772.721,5820083.431\nB,391773.721,58200'
  const { report } = await imported(text + '\0'.repeat(70_000))
  expect(report.summary).toMatchObject({ rows: 1, created: 1, failed: 0 })
  const notices = report.rows.flatMap(({ errors }: { errors: { message: string }[] }) => errors)
  expect(notices.map(({ message }: { message: string }) => message)).toContainEqual(
    expect.stringMatching(/70000 NUL bytes.*"B,391773.721,58200", which may be cut/),
  )
})

test.each(['#¡VALOR!', '#¿NOMBRE?'])('%s is the fault of a formula, and says so', async (cell) => {
  const { report } = await imported(`Name,Easting,Northing,Height\nA,391772.721,5820083.431,${cell}\n`)
  expect(JSON.stringify(report.rows)).toContain('formula')
})

test.each([
  ['北緯35度41分22.2秒', '東経139度41分30.12秒', 35.6895, 139.6917],
  ['南纬33°26′56.04″', '西经70度40分9.48秒', -33.4489, -70.6693],
])('degrees with the signs of Japan and China are read: %s', async (latitude, longitude, y, x) => {
  const { gcps } = await imported(`点名,緯度,経度\nA,${latitude},${longitude}\n`, '')
  expect(gcps[0].pin.latitude).toBeCloseTo(y, 7)
  expect(gcps[0].pin.longitude).toBeCloseTo(x, 7)
})

test('names of files under a word for photos fail with what to do', async () => {
  const { report } = await imported('Name,Lat,Lon,Photo\nA,52.5,13.4,DJI_1.JPG\n', '')
  const { errors } = report.rows.find(({ row }: { row: number | null }) => row === 1)
  expect(errors).toMatchObject([{ code: 'BAD_URL', message: expect.stringContaining('give the column another name') }])
})
