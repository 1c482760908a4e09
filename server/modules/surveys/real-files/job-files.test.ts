import { afterAll, beforeAll, expect, test } from 'vitest'
import { openImports } from '../../../test/surveying/imports.ts'

let opened: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  opened = await openImports()
})
afterAll(() => opened.close())

const imported = (text: string, query = '', name = 'marks.csv') => opened.imports.imported(text, { query, name })
const GRID = '?crs=EPSG:25833'
const place = '5820072.962,391776.155,34.5'
const codesOf = ({ rows }: { rows: { line: number; errors: { code: string }[] }[] }) =>
  rows.flatMap(({ line, errors }) => errors.map(({ code }) => [line, code]))

test.each([
  ['Deleted', 'Yes', 'No'],
  ['Deleted', 'true', 'false'],
  ['Gelöscht', 'Ja', 'Nein'],
  ['Status', 'Deleted', 'Active'],
])('a row whose column %s says %s is a deleted point, and %s is not', async (header, yes, no) => {
  const { report, gcps } = await imported(
    `Name,Northing,Easting,Elevation,${header}\nA,${place},${no}\nB,${place},${yes}\nC,${place},\n`,
    GRID,
  )
  expect(gcps.map(({ title }: { title: string }) => title).toSorted()).toEqual(['A', 'C'])
  expect(codesOf(report)).toContainEqual([3, 'DELETED_POINT'])
})

test('the status of a fix deletes no point', async () => {
  const { report } = await imported(`Name,Northing,Easting,Status\nA,5820072.9,391776.1,1\n`, GRID)
  expect(report.summary).toMatchObject({ created: 1, failed: 0 })
})

test.each(['Coordinates: ground, scale factor 1.000312', 'Ground coordinates', 'Coordinate type: Ground'])(
  '"%s": metres below it are refused, latitude and longitude are not',
  async (line) => {
    const { record } = await imported(`${line}\nName,Northing,Easting,Elevation\nA,${place}\n`, GRID)
    expect(record).toMatchObject({ status: 'FAILED', errorMessage: expect.stringContaining('on the ground') })
    const { report } = await imported(`${line}\nName,Lat,Lon\nA,52.5200066,13.404954\n`)
    expect(report.summary).toMatchObject({ created: 1, failed: 0 })
  },
)

test.each(['Coordinates of ground control points', 'Ground control points', 'Ground to grid: grid coordinates'])(
  '"%s": grid coordinates below it are read',
  async (line) => {
    const { report } = await imported(`${line}\nName,Northing,Easting,Elevation\nA,${place}\n`, GRID)
    expect(report.summary).toMatchObject({ created: 1, failed: 0 })
  },
)

const job = (system: string) => `<?xml version="1.0"?><JOBFile version="5.9"><Environment><CoordinateSystem>
  <SystemName>UTM</SystemName><ZoneName>33 North</ZoneName><DatumName>WGS 1984</DatumName>${system}</CoordinateSystem></Environment>
  <Reductions><Point><Name>A</Name><Deleted>false</Deleted><Grid><North>5820072.962</North><East>391776.155</East></Grid></Point></Reductions></JOBFile>`

test.each([
  ['<LocalSite><Type>Ground</Type><GroundScaleFactor>1.000312</GroundScaleFactor></LocalSite>', 'FAILED'],
  ['<Projection><Type>ScaleFactor</Type><Scale>1.0003</Scale></Projection>', 'FAILED'],
  ['<LocalSite><Type>Ground</Type><GroundScaleFactor>1</GroundScaleFactor></LocalSite>', 'COMPLETED'],
  ['<Projection><Type>TransverseMercator</Type><Scale>0.9996</Scale></Projection>', 'COMPLETED'],
])('grid coordinates of a job with %s: %s', async (system, status) => {
  expect((await imported(job(system), '', 'park.jxl')).record.status).toBe(status)
})

test('US survey feet in a header of a system in international feet are reported: they move points by metres', async () => {
  const text = (unit: string) => `Name,Northing (${unit}),Easting (${unit})\nA,290000,13120000\n`
  const codes = async (unit: string) => codesOf((await imported(text(unit), '?crs=EPSG:2253')).report)
  expect(await codes('US ft')).toContainEqual([null, 'UNIT_APPLIED'])
  expect(await codes('ft')).not.toContainEqual([null, 'UNIT_APPLIED'])
})

test('a first feature that is no point and is named like a unit is a failed row', async () => {
  const mark = (name: string, geometry: string) => `<Placemark><name>${name}</name>${geometry}</Placemark>`
  const line = '<LineString><coordinates>13.4,52.5 13.5,52.6</coordinates></LineString>'
  const marks = mark('M', line) + mark('A', '<Point><coordinates>13.4,52.5</coordinates></Point>')
  const { report } = await imported(`<kml><Document>${marks}</Document></kml>`, '', 'marks.kml')
  expect(report.summary).toMatchObject({ rows: 2, created: 1, failed: 1 })
})

test.each(['Nro;N;E;Z', 'Psz;N;E;Z', 'Broj;N;E;H', 'Št. točke;N;E;H', 'PNR;mN;mE;H', 'α/α;N;E;Z'])(
  '%s: the first column is the title',
  async (header) => {
    const { gcps } = await imported(`${header}\nA;${place.replaceAll(',', ';')}\n`, GRID)
    expect(gcps[0]).toMatchObject({ title: 'A', altitude: 34.5 })
  },
)

test.each(['Coordinate system: ETRS89 UTM huso 33', 'Coordinate system: DE_ETRS89_UTM33', 'CRS: EUREF89 UTM sone 33'])(
  '%s: the system is known by what offices call it',
  async (line) => {
    const { report } = await imported(`${line}\nName,Northing,Easting,Elevation\nA,${place}\n`)
    expect([report.detected.crs, report.summary.created]).toEqual(['EPSG:25833', 1])
  },
)

test('the texts of a row without a header are no header', async () => {
  const { report } = await imported(`A,${place},"nail ""x"", y"\nB,${place},"x, y"\n`, GRID)
  expect(report.summary).toMatchObject({ rows: 2, created: 2, failed: 0 })
})

test('a name that is only similar to a registered one is refused', async () => {
  await expect(imported(`Name,Northing,Easting\nA,${place}\n`, '?crs=Lambert')).rejects.toThrow('Lambert')
})
