import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'
import { readPair } from './pair.ts'

test.each([
  ['POINT M (13.4 52.5 7)', undefined],
  ['POINTM(13.4 52.5 7)', undefined],
  ['POINT ZM (13.4 52.5 34 7)', 34],
  ['POINTZM(13.4 52.5 34 7)', 34],
  ['POINT Z (13.4 52.5 34)', 34],
  ['POINT(13.4 52.5 34)', 34],
  ['POINT (13.4 52.5)', undefined],
])('does not read the measure M of a point as its height: %s', (cell, z) => {
  expect(readPair(cell, '.', false)).toEqual({ x: 13.4, y: 52.5, z })
})

test.each(['POINT Z (13.4 52.5 x)', 'POINT (13.4)', 'POINT EMPTY', 'POINT ZM (1 2 3 4 5)'])(
  'refuses an incomplete point: %s',
  (cell) => {
    expect(readPair(cell, '.', false)).toBeUndefined()
  },
)

test('reads the system of a point from the SRID of EWKT', async () => {
  const { points, faulty } = await surveyOf(
    'name,geom\nA,SRID=32633;POINT(500000 5538630.7)\nB,SRID=4326;POINT(13.4 52.5)\nC,SRID=9;POINT(1 2)\n',
  )
  expect(points[0]!.longitude).toBeCloseTo(15, 8)
  expect(points[0]!.latitude).toBeCloseTo(50, 5)
  expect(points[1]).toMatchObject({ title: 'B', latitude: 52.5, longitude: 13.4 })
  expect(faulty).toMatchObject([{ row: 3, faults: [{ code: 'UNKNOWN_CRS', column: 'geom' }] }])
})
