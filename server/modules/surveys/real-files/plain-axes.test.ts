import { afterAll, beforeAll, expect, test } from 'vitest'
import { openImports } from '../../../test/surveying/imports.ts'

let opened: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  opened = await openImports()
})
afterAll(() => opened.close())

// cs2cs 9.1.1: EPSG:4326 to EPSG:5174, northing first.
const korean = 'Name;X;Y;Z\nSeoul;444203.6582;191087.6582;200.5\n'

test('plain X and Y are northing and easting if only then all rows are in the area, even if some fit either way', async () => {
  const { report: sample } = await opened.imports.imported(korean, { query: '?dryRun=true&crs=EPSG:5174' })
  expect(sample.summary).toMatchObject({ created: 1, failed: 0 })
  const rows = `${korean}Both;300000;200000;10\n`
  const { report } = await opened.imports.imported(rows, { query: '?dryRun=true&crs=EPSG:5174' })
  expect(report.summary).toMatchObject({ created: 2, failed: 0 })
  expect(report.points[0].latitude).toBeCloseTo(37.5, 4)
  expect(report.points[0].longitude).toBeCloseTo(126.9, 4)
  expect(report.points[1].latitude).toBeCloseTo(36.2, 1)
})

test('degrees above 90 under latitude are swapped axes, not packed angles', async () => {
  const { report, record } = await opened.imports.imported('Name,Lat,Lon\nA,113.4,52.5\nB,113.5,52.6\n')
  expect(record.errorMessage).not.toContain('dms-packed')
  expect(report.summary).toMatchObject({ created: 0, failed: 2 })
})
