import { afterAll, beforeAll, expect, test } from 'vitest'
import { openImports } from '../../../test/surveying/imports.ts'

let opened: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  opened = await openImports()
})
afterAll(() => opened.close())

const imported = (text: string, query = '') => opened.imports.imported(text, { query })
const GRID = '?crs=EPSG:25833'

test.each([
  ['Z Code', 'ID  X  Y  Z Code\nP1  391776.155  5820072.962  34.5 BM\nP2  391786.155  5820082.962  35.5 BM\n'],
  ['Code Z', 'ID  X  Y  Code Z\nP1  391776.155  5820072.962  BM 34.5\nP2  391786.155  5820082.962  BM 35.5\n'],
  ['H HRMS', 'ID  E  N  H HRMS\nP1  391776.155  5820072.962  34.5 0.01\nP2  391786.155  5820082.962  35.5 0.02\n'],
])('%s: single spaces between aligned columns part them', async (_, text) => {
  const { gcps } = await imported(text, GRID)
  expect(gcps.map(({ altitude }: { altitude: number }) => altitude).toSorted()).toEqual([34.5, 35.5])
})

test('rows of aligned columns whose last text has spaces may be of any alignment', async () => {
  const rows = Array.from({ length: 50 }, (_, i) => `P${i}  391776.155  5820072.962  34.5  nail in wall`)
  const last = 'P123456789 391776.155  5820072.962  34.5  nail  in wall'
  const { report } = await imported(`Name  E  N  H  Description\n${[...rows, last].join('\n')}\n`, GRID)
  expect(report.summary).toMatchObject({ created: 51, failed: 0 })
})

test('the last text of a table with two spaces between columns may have two spaces', async () => {
  const { gcps } = await imported(
    `Name  E  N  Note\n${'\n'.repeat(2)}North gate  391776.155  5820072.962  nail\n${Array.from({ length: 50 }, (_, i) => `P ${i}  391776.155  5820072.962  nail`).join('\n')}\nEnd  391776.155  5820072.962  nail  in wall\n`,
    GRID,
  )
  expect(gcps.find(({ title }: { title: string }) => title === 'End')?.description).toBe('nail in wall')
})

test.each([
  ['Ellipsoid Name', 'GRS80'],
  ['Ellipsoid Distance', '120.3'],
  ['Ellipsoidal Height Uncertainty', '0.02'],
  ['Ellipsoidische Höhe Genauigkeit', '0.02'],
])('%s is no height', async (header, cell) => {
  const { report, gcps } = await imported(`name,lat,lon,altitude,${header}\nA,52.5,13.4,34.5,${cell}\n`)
  expect(report.summary).toMatchObject({ created: 1, failed: 0 })
  expect(gcps[0].altitude).toBe(34.5)
  expect(gcps[0].heightDatum).not.toBe('ellipsoid')
})

test.each(['Height above ellipsoid GRS80', 'Ellipsoidal elevation', 'Výška elipsoidická'])(
  '%s is a height above the ellipsoid',
  async (header) => {
    const { gcps } = await imported(`name,lat,lon,${header}\nA,52.5,13.4,34.5\n`)
    expect(gcps[0].heightDatum).toBe('ellipsoid')
  },
)

test.each([
  ['Surveyor: Malin Andersson', 'unknown'],
  ['Vertical datum: MSL, Ellipsoid: WGS84', 'unknown'],
  ['Höhensystem: NHN, Ellipsoid: GRS80', 'unknown'],
  ['Elevations: orthometric, Ellipsoid WGS84', 'unknown'],
  ['Heights: Malin Head', 'EPSG:5731'],
  ['Heights: ellipsoidal', 'ellipsoid'],
])('%s: heights below it are %s', async (line, heightDatum) => {
  const { gcps } = await imported(`${line}\nname,lat,lon,z\nA,52.5,13.4,34.5\n`)
  expect(gcps[0].heightDatum).toBe(heightDatum)
})

test.each([
  ['Nombre;Latitud (gr);Longitud (gr)', 40.4168],
  ['Nome;Latitudine (gr);Longitudine (gr)', 40.4168],
  ['Punkt;Breite (Grad);Länge (Grad)', 40.4168],
  ['Punkt;Breite;Länge\n;Grad;Grad', 40.4168],
  ['nom;latitude (gr);longitude (gr)', 36.37512],
  ['name;lat (grad);lon (grad)', 36.37512],
])('%s: the language of a header says whether an angle is in degrees or gons', async (header, latitude) => {
  const { gcps } = await imported(`${header}\nA;40.4168;-3.7038\n`)
  expect(gcps[0].pin.latitude).toBeCloseTo(latitude, 6)
})

test('a line about the instrument does not hide the zones of a list', async () => {
  const { report } = await imported(
    'System: GPS\nA 33U 391776.155 5820072.962 34.5\nB 33U 391779.155 5820072.962 34.5\n',
  )
  expect(report.summary).toMatchObject({ created: 2, failed: 0 })
})

test('descriptions that are too long together do not refuse a row', async () => {
  const [long, other] = ['a'.repeat(1500), 'b'.repeat(1500)]
  const { gcps } = await imported(`name,lat,lon,description,notes,code\nA,52.5,13.4,${long},${other},GCP\n`)
  expect(gcps[0].description).toBe(`${long} GCP`)
})

test.each([
  ['GDA94', 'EPSG:7855', '320123.15,5813047.96'],
  ['JGD2000', 'EPSG:6690', '391776.15,3953047.96'],
])('%s: metres are refused in %s, a later realization of its datum', async (datum, crs, place) => {
  const text = `Datum: ${datum}\nPunkt,E,N\nA,${place}\n`
  expect((await imported(text, `?crs=${crs}`)).record.status).toBe('FAILED')
})

test.each([
  'Ground coordinates of the targets, ETRS89 / UTM 33N',
  'Coordinates: ground-control points',
  'Coordinates on the ground measured by GNSS',
  'These are not ground coordinates',
  'Ground coordinates, scale factor 1.0',
  'Grid to ground scale factor 1.0003',
])('grid coordinates below "%s" are those of the grid', async (line) => {
  const { report } = await imported(`${line}\nName,E,N\nP1,391776.155,5820072.962\n`, GRID)
  expect(report.summary).toMatchObject({ created: 1, failed: 0 })
})

test.each(['HK80', 'CC481'])('a title %s names no reference system', async (line) => {
  const { report } = await imported(`${line}\nName,E,N\nP1,391776.155,5820072.962\n`, GRID)
  expect(report.summary).toMatchObject({ created: 1, failed: 0 })
})
