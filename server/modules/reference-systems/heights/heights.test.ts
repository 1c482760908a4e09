import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CrsTable, loadCrsTable } from '../crs.ts'

let table: CrsTable
beforeAll(async () => {
  table = await loadCrsTable()
})
afterAll(() => table.close())

/** `cs2cs EPSG:4326+5773 EPSG:4979` of PROJ 9.1.1 with egm96_15.gtx, at 100 m. */
test.each([
  [52.5, 13.4, 139.5772],
  [0, 0, 117.1616],
  [-45.1, 170.3, 107.79],
  [89.9, 10, 113.7067],
  [-89.95, -120, 70.3683],
  [27.98, 86.92, 71.0474],
  [4.7, 78.8, -6.9638],
  [40.123, -105.2, 84.2902],
  [10, 179.99, 112.6934],
  [-10, -179.9, 134.9564],
])('EGM96 at %f, %f matches cs2cs to a centimetre', (latitude, longitude, h) => {
  const datum = table.heights.find('EGM96')
  if (typeof datum === 'string') throw new Error(datum)
  expect(table.heights.aboveEllipsoid(datum, latitude, longitude, 100)!.h).toBeCloseTo(h, 2)
})

test.each([
  ['EPSG:5773', 'EGM96'],
  ['egm2008', 'EGM2008'],
  ['EPSG:7837', 'EPSG:7837'],
  ['DHHN2016 height', 'EPSG:7837'],
  ['NAP', 'EPSG:5709'],
  ['NAVD88 height (ftUS)', 'EPSG:6360'],
  ['RH2000', 'EPSG:5613'],
  ['MSL height', 'orthometric'],
  ['Ellipsoid', 'ellipsoid'],
])('reads %s as %s', (text, name) => {
  expect(table.heights.find(text)).toMatchObject({ name })
})

test.each(['', 'EPSG:25833', 'Berlin', 'x'.repeat(1000), 'EPSG:99999999'])('refuses %s', (text) => {
  expect(table.heights.find(text)).toContain('is not a height datum')
})
