import { afterAll, beforeAll, expect, test } from 'vitest'
import { openImports } from '../../../test/surveying/imports.ts'

let opened: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  opened = await openImports()
})
afterAll(() => opened.close())

const imported = (text: string, query = '') => opened.imports.imported(text, { query })
const codes = ({ rows }: { rows: { errors: { code: string }[] }[] }) =>
  rows.flatMap(({ errors }) => errors.map(({ code }) => code))

// cs2cs 9.1.1, from the system named to EPSG:4326.
const places: [header: string, text: string, latitude: number, longitude: number, query?: string][] = [
  ['X (Latitude)', 'name,X (Latitude),Y (Longitude)\nA,52.5200066,13.404954\n', 52.5200066, 13.404954],
  ['Lat/Y', 'name,Lat/Y,Lon/X\nA,52.5200066,13.404954\n', 52.5200066, 13.404954],
  ['Sağa (Y)', 'No;Sağa (Y);Yukarı (X)\nA;391776.1546;5820072.9621\n', 52.5200066, 13.404954, '?crs=EPSG:25833'],
  ['Х', 'Имя;Х;У\nA;5820072.9621;391776.1546\n', 52.5200066, 13.404954, '?crs=EPSG:25833'],
  ['Lambert 72', 'Punt;x-coördinaat;y-coördinaat\nA;150000;170000\n', 50.8404113, 4.3687521, '?crs=Lambert 72'],
  ['gr', 'nom;latitude (gr);longitude (gr)\nA;58,3555629;14,8943933\n', 52.5200066, 13.404954],
  ['North', 'name,lat,lon\nA,33.4489 South,70.6693° West\n', -33.4489, -70.6693],
  ['Ouest', 'nom;latitude;longitude\nA;Sud 33°26\'56.04";70,6693° Ouest\n', -33.4489, -70.6693],
  ['X_L93', 'Matricule;X_L93;Y_L93;Z\nA;652381.15;6862047.96;35.1\n', 48.8567077, 2.351001],
  ['e_lv95', 'pt;e_lv95;n_lv95;h_ln02\nA;2600123.15;1200047.96;555.1\n', 46.9515142, 7.4402501],
  ['X (RD)', 'Punt;X (RD);Y (RD);Z (NAP)\nA;155123.15;463047.96;5.1\n', 52.1556033, 5.3890031],
  ['WG29', 'Name,Y (WG29),X (WG29)\nA,70231.166,2849324.443\n', -25.75, 28.3],
  ['NZTM E', 'Point,NZTM E,NZTM N\nA,1749123.15,5427047.96\n', -41.2942481, 174.781039],
  ['MGA94_E', 'Point,MGA94_E,MGA94_N\nA,320123.15,5813047.96\n', -37.8122583, 144.9565338, '?crs=EPSG:28355'],
  ['X Nord', 'Nr pct;X Nord;Y Est\nA;326047.96;587123.15\n', 44.4289074, 26.0927286, '?crs=Stereo 70'],
  ['X (N)', 'Pkt;X (N);Y (E)\nA;5820072.9621;391776.1546\n', 52.5200066, 13.404954, '?crs=EPSG:25833'],
  [
    'UTM Ostwert',
    'Pkt;UTM Ostwert;UTM Nordwert\nA;391776.1546;5820072.9621\n',
    52.5200066,
    13.404954,
    '?crs=EPSG:25833',
  ],
  ['Lambert II', 'Matricule;X;Y\nA;600123.15;2425047.96\n', 48.8238149, 2.3381823, '?crs=Lambert II étendu'],
  ['EOV', 'Pontszám;EOV Y;EOV X\nA;650123.15;240047.96\n', 47.5043635, 19.0490794, '?crs=EOV'],
  ['HTRS96', 'Točka;E;N\nA;458123.15;5074047.96\n', 45.805022, 15.9612325, '?crs=HTRS96/TM'],
]

test.each(places)('%s: a header of an office leads to the place', async (_, text, latitude, longitude, query) => {
  const { report, gcps } = await imported(text, query)
  expect(report.summary).toMatchObject({ created: 1, failed: 0 })
  expect(gcps[0].title).toBe('A')
  expect(gcps[0].pin.latitude).toBeCloseTo(latitude, 4)
  expect(gcps[0].pin.longitude).toBeCloseTo(longitude, 4)
})

test.each([
  'Datum: 04.05.2024\nSystem: ETRS89 / UTM zone 33N',
  'Datum: 2024-05-04\nReferenzsystem: ETRS89 UTM Zone 33 Nord',
  'Lagebezug: UTM33-EUREF89',
])('%s: the day of a survey is no reference system, and labels of offices name one', async (lines) => {
  const { report, gcps } = await imported(`${lines}\nPunkt;E;N\nA;391776.1546;5820072.9621\n`)
  expect(report.detected.crs).toBe('EPSG:25833')
  expect(gcps[0].pin.latitude).toBeCloseTo(52.5200066, 6)
})

test('metres in a file that names only their datum are read in the system of the request', async () => {
  const text = 'WGS84\nPunkt,E,N\nA,391776.1546,5820072.9621\n'
  expect((await imported(text)).record.status).toBe('FAILED')
  const { report, gcps } = await imported(text, '?crs=EPSG:25833')
  expect(report.detected.crs).toBe('EPSG:25833')
  expect(gcps[0].pin.latitude).toBeCloseTo(52.5200066, 6)
})

test.each([
  ['NAD27', 'EPSG:26917'],
  ['ED50', 'EPSG:25833'],
  ['WGS84', 'EPSG:27700'],
])('metres in a file that names only %s are refused in %s, which has another datum', async (datum, crs) => {
  const text = `${datum}\nPunkt,E,N\nA,391776.1546,5820072.9621\n`
  expect((await imported(text, `?crs=${crs}`)).record.status).toBe('FAILED')
})

test('metres in a file that names only OSGB36 are read in the British National Grid', async () => {
  const { gcps } = await imported('OSGB36\nName,E,N\nA,530034,180381\n', '?crs=EPSG:27700&maxError=10')
  expect(gcps[0].pin.latitude).toBeCloseTo(51.5073, 3)
})

test('a point has its code and its descriptions', async () => {
  const { gcps } = await imported(
    'name,lat,lon,code,description,notes\nA,52.5,13.4,GCP,north corner,\nB,52.5,13.5,,GCP,GCP\n',
  )
  expect(gcps.map(({ description }: { description: string }) => description)).toEqual(['GCP north corner', 'GCP'])
})

test('the layer of a drawing describes a point only without other texts', async () => {
  const { gcps } = await imported('name,lat,lon,layer,code\nA,52.5,13.4,GCP,FENO\nB,52.5,13.5,GCP,\n')
  expect(gcps.map(({ description }: { description: string }) => description)).toEqual(['FENO', 'GCP'])
})

test('X_est beside coordinates is an estimate, and no easting', async () => {
  const { report, gcps } = await imported(
    '#Label,X/Easting,Y/Northing,X_est,Y_est\nA,391776.15,5820072.96,391779,5820079\n',
    '?crs=EPSG:25833',
  )
  expect(codes(report)).not.toContain('COLUMNS_ASSUMED')
  expect(gcps[0].pin.latitude).toBeCloseTo(52.5200066, 6)
})

test('numbers under an unknown datum of heights have a notice', async () => {
  const { report } = await imported('name,lat,lon,H Kronsztadt 60\nA,52.5,13.4,34.5\n')
  expect(codes(report)).toContain('HEIGHTS_NOT_READ')
})

test('the columns of a report are parted by two spaces or more, and titles keep theirs', async () => {
  const { report, gcps } = await imported(
    'Point Name    Latitude      Longitude     Ell. Height\n-----------------------------------------------\nNorth gate    52.5200066    13.404954     74.25\nB             52 31 15.6    13 24 24.0    75.25\n',
  )
  expect(report.summary).toMatchObject({ rows: 2, created: 2, failed: 0 })
  const [b, gate] = gcps.toSorted((one: { title: string }, other: { title: string }) =>
    one.title.localeCompare(other.title),
  )
  expect(gate).toMatchObject({ title: 'North gate', heightDatum: 'ellipsoid' })
  expect(b.pin.latitude).toBeCloseTo(52.521, 6)
})

test('spaces in the names of photos do not shift the titles of a list with tabs', async () => {
  const rows = ['DSC 1.JPG\tA\tx', 'DSC2.JPG\tB'].map((rest, i) => `391776.15\t582007${i}.96\t34.5\t10\t20\t${rest}`)
  const { gcps } = await imported(`WGS84 UTM 33N\n${rows.join('\n')}\n`)
  expect(gcps.map(({ title }: { title: string }) => title).toSorted()).toEqual(['A', 'B'])
})

test('a point of LandXML keeps its coordinates before its features', async () => {
  const { report, gcps } = await imported(
    '<LandXML><Units><Metric linearUnit="meter"/></Units><CoordinateSystem epsgCode="25833"/><CgPoints><CgPoint name="A">5820072.9621 391776.1546 34.5<Feature code="x"><Property label="a" value="b"/></Feature></CgPoint></CgPoints></LandXML>',
  )
  expect(report.summary).toMatchObject({ rows: 1, created: 1, failed: 0 })
  expect(gcps[0].pin.latitude).toBeCloseTo(52.5200066, 6)
})

test.each([
  ['H PL-KRON86-NH', 'EPSG:9650', 34.5],
  ['Wysokość PL-EVRF2007-NH', 'EPSG:9651', 34.5],
  ['Malin Head height', 'EPSG:5731', 34.5],
  ['AHD Height (m)', 'EPSG:5711', 34.5],
  ['EGM2008 Elevation', 'EGM2008', 34.5],
  ["Hauteur au-dessus de l'ellipsoïde", 'ellipsoid', 34.5],
  ['Cota elipsoidal', 'ellipsoid', 34.5],
  ['Ellipsoid height SD', null, null],
  ['EGM2008 geoid height', null, null],
])('%s: a header says what heights are above', async (header, heightDatum, altitude) => {
  const { gcps } = await imported(`name,lat,lon,${header}\nA,52.5,13.4,34.5\n`)
  expect(gcps[0]).toMatchObject({ heightDatum, altitude })
})

test('a line above the table says that heights are above the ellipsoid', async () => {
  const { gcps } = await imported('Vertical datum: WGS84 ellipsoid\nname,lat,lon,height\nA,52.5,13.4,74.25\n')
  expect(gcps[0].pin.geoPose.position.h).toBe(74.25)
})

test('a file of DOS is read in its code page', async () => {
  const text = [...'Punkt;Rechtswert;Hochwert;H\x94he\nGr\x81n;391776,155;5820072,962;34,5\n']
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
  const { report, gcps } = await opened.imports.imported(bytes, { query: '?crs=EPSG:25833' })
  expect(report.detected.encoding).toBe('ibm850')
  expect(gcps[0]).toMatchObject({ title: 'Grün', altitude: 34.5 })
})

test('standard deviations under their words are accuracies', async () => {
  const { zoneId } = await imported('name,lat,lon,h,Std Dev E,Std Dev N,Std Dev U\nA,52.5,13.4,74,0.003,0.004,0.009\n')
  const { body } = await opened.user.get(`/api/gcp/zone/${zoneId}/export?format=geojson`)
  expect(body.features[0].properties).toMatchObject({ accuracyH: 0.005, accuracyV: 0.009 })
})
