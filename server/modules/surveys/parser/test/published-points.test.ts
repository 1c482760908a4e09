import { expect, test } from 'vitest'
import {
  BELGIAN_POINT,
  type DatumPoint,
  HONG_KONG_POINTS,
  OSTN15_POINTS,
  RDNAPTRANS2008_POINTS,
  RDNAPTRANS2018_POINTS,
  WORKED_EXAMPLES,
} from '../../../../test/surveying/check-points.ts'
import { surveyOf } from '../../../../test/surveying/survey.ts'
import { distance } from '../../../places/geodesy.ts'

/** Points of a worked example whose datum is WGS 84 to a decimetre. */
const example = (code: number): DatumPoint[] =>
  WORKED_EXAMPLES.filter(({ projected }) => projected === code).map((point) => ({ name: 'A', ...point }))

/** Imports a file of these points and returns the greatest distance from their published positions, in metres. */
async function importError(
  crs: string,
  points: DatumPoint[],
  header: string,
  rowOf = ({ name, easting, northing }: DatumPoint) => `${name},${easting},${northing}`,
): Promise<number> {
  const survey = await surveyOf(`${header}\n${points.map(rowOf).join('\n')}\n`, { crs })
  expect(survey.faulty).toEqual([])
  expect(survey.points).toHaveLength(points.length)
  return Math.max(...survey.points.map((point, i) => distance(point, points[i]!)))
}

test.each([
  ['RD New', 'EPSG:28992', [...RDNAPTRANS2018_POINTS, ...RDNAPTRANS2008_POINTS], 'title,x,y', 0.25],
  ['British National Grid', 'EPSG:27700', OSTN15_POINTS, 'title,easting,northing', 5],
  ['Hong Kong 1980 Grid', 'EPSG:2326', HONG_KONG_POINTS, 'title,easting,northing', 0.01],
  ['Japan Plane Rectangular IX', 'EPSG:6677', example(6677), 'title,easting,northing', 0.1],
])('matches the published points in %s (%s)', async (_, crs, points, header, metres) => {
  expect(await importError(crs, points, header)).toBeLessThan(metres)
})

test('matches the published point in a South African Lo grid, which counts west and south', async () => {
  const rowOf = ({ name, easting, northing }: DatumPoint) => `${name},${-easting},${-northing}`
  expect(await importError('EPSG:2053', example(2053), 'title,Y,X', rowOf)).toBeLessThan(0.1)
})

test('gives the same position for Belgian Lambert 72 and Lambert 2008', async () => {
  const positionIn = async (crs: string, [x, y]: readonly [number, number]) =>
    (await surveyOf(`title,x,y\nA,${x},${y}\n`, { crs })).points[0]!
  const [older, newer] = [
    await positionIn('EPSG:31370', BELGIAN_POINT.lambert72),
    await positionIn('EPSG:3812', BELGIAN_POINT.lambert2008),
  ]
  expect(distance(older, newer)).toBeLessThan(0.5)
})
