import { afterAll, beforeAll, expect, test } from 'vitest'
import { openImports } from '../../../test/surveying/imports.ts'

let opened: Awaited<ReturnType<typeof openImports>>
let zoneId: number
beforeAll(async () => {
  opened = await openImports()
  const [west, south, east, north] = [13.1, 52.35, 13.7, 52.65]
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  zoneId = await opened.imports.zone({ boundary: { type: 'Polygon', coordinates: [ring] } })
})
afterAll(() => opened.close())

/** Degrees, minutes and seconds of 20 points: six of them, from P14 on, are 20 km north of the zone. */
const angles = Array.from({ length: 20 }, (_, i) => ({
  latitude: { degrees: 52, minutes: i < 14 ? 24 + (i % 9) : 50 + (i % 9), seconds: 3.5 + i },
  longitude: { degrees: 13, minutes: 10 + i, seconds: 47.25 - i },
}))
type Angle = (typeof angles)[number]['latitude']
const two = (value: number) => String(value).padStart(2, '0')
const writings = {
  'DDMMSS.sss': ({ degrees, minutes, seconds }: Angle) =>
    `${degrees}${two(minutes)}${seconds.toFixed(3).padStart(6, '0')}`,
  'DDMM.mmmm': ({ degrees, minutes, seconds }: Angle) =>
    `${degrees}${(minutes + seconds / 60).toFixed(6).padStart(9, '0')}`,
  'DD.MMSSsss': ({ degrees, minutes, seconds }: Angle) =>
    `${degrees}.${two(minutes)}${seconds.toFixed(3).padStart(6, '0').replace('.', '')}`,
}
const decimal = ({ degrees, minutes, seconds }: Angle) => degrees + minutes / 60 + seconds / 3600
type Writing = keyof typeof writings
const rowsIn = (writing: Writing) =>
  angles.map((at, i) => `P${i},${writings[writing](at.latitude)},${writings[writing](at.longitude)},34.1\n`).join('')
const all = Object.keys(writings) as Writing[]

test.each(all)('%s: a file with most rows in the zone is refused with both readings', async (writing) => {
  for (const header of ['Name,Lat,Lon,H\n', '']) {
    const { record } = await opened.imports.imported(header + rowsIn(writing), { zoneId, query: '?dryRun=true' })
    expect(record).toMatchObject({ status: 'FAILED', errorMessage: expect.stringContaining('angles=dms-packed') })
    expect(record.errorMessage).toContain(writings[writing](angles[0]!.latitude).replace(/0+$/, ''))
    expect(record.errorMessage).toContain(String(Math.round(decimal(angles[0]!.latitude) * 1e7) / 1e7))
  }
})

test.each(all)('%s: angles=dms-packed reads every row of that file', async (writing) => {
  for (const header of ['Name,Lat,Lon,H\n', '']) {
    const { report } = await opened.imports.imported(header + rowsIn(writing), {
      zoneId,
      query: '?dryRun=true&angles=dms-packed',
    })
    expect(report.summary).toMatchObject({ rows: 20, created: 20, failed: 0 })
    expect(report.points[3].latitude).toBeCloseTo(decimal(angles[3]!.latitude), 7)
    expect(report.points[3].longitude).toBeCloseTo(decimal(angles[3]!.longitude), 7)
  }
})

test('without a zone, numbers above 90 and 180 under latitude and longitude are refused as packed angles', async () => {
  const { record } = await opened.imports.imported(`Name,Lat,Lon,H\n${rowsIn('DDMMSS.sss')}`)
  expect(record).toMatchObject({ status: 'FAILED', errorMessage: expect.stringContaining('angles=dms-packed') })
})
