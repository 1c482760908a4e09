import { expect, test } from 'vitest'
import { cs2cs } from '../../test/programs/cs2cs.ts'
import { surveyOf } from '../../test/surveying/survey.ts'
import { distance } from '../places/geodesy.ts'

type Grid = {
  name: string
  code: number
  /** Three places in its area. */
  places: [latitude: number, longitude: number][]
  /** The header of a file as its surveyors write it. */
  header: string
  /** Writes a row from coordinates in the order of the register. */
  row: (first: number, second: number) => [number, number]
  /** Tolerance in metres against `cs2cs`: more than a millimetre if its register is older and has other parameters. */
  within: number
}

const asRegistered = (first: number, second: number): [number, number] => [first, second]

const grids: Grid[] = [
  {
    name: 'RD New',
    code: 28992,
    places: [
      [52.1551, 5.3872],
      [50.8, 5.8],
      [53.4, 6.8],
    ],
    header: 'title,x,y',
    row: asRegistered,
    within: 0.001,
  },
  {
    name: 'Belgian Lambert 72',
    code: 31370,
    places: [
      [50.85, 4.35],
      [51.2, 2.9],
      [49.7, 5.7],
    ],
    header: 'title,x,y',
    row: asRegistered,
    within: 0.001,
  },
  {
    name: 'Israeli TM',
    code: 2039,
    places: [
      [31.78, 35.22],
      [32.8, 35],
      [29.6, 34.95],
    ],
    header: 'title,easting,northing',
    row: asRegistered,
    within: 0.001,
  },
  {
    name: 'British National Grid',
    code: 27700,
    places: [
      [51.5, -0.12],
      [53.4, -3],
      [57.1, -2.1],
    ],
    header: 'title,easting,northing',
    row: asRegistered,
    within: 0.001,
  },
  {
    name: 'S-JTSK, positive Y and X',
    code: 5514,
    places: [
      [50.08, 14.43],
      [49.2, 16.6],
      [49.8, 18.3],
    ],
    header: 'title,Y,X',
    row: (east, north) => [-east, -north],
    within: 2,
  },
  {
    name: 'Hong Kong 1980 Grid',
    code: 2326,
    places: [
      [22.3, 114.17],
      [22.45, 114.02],
      [22.22, 114.25],
    ],
    header: 'title,northing,easting',
    row: asRegistered,
    within: 0.001,
  },
  {
    name: 'Luxembourg TM',
    code: 2169,
    places: [
      [49.61, 6.13],
      [50.05, 6.03],
      [49.48, 6.1],
    ],
    header: 'title,easting,northing',
    row: (north, east) => [east, north],
    within: 0.001,
  },
  {
    name: 'Hartebeesthoek94 Lo29, counted west and south',
    code: 2053,
    places: [
      [-25.73, 28.28],
      [-29.8, 29.4],
      [-23, 29.5],
    ],
    header: 'title,Y,X',
    row: asRegistered,
    within: 0.001,
  },
  {
    name: 'Japan Plane Rectangular IX',
    code: 6677,
    places: [
      [35.68, 139.77],
      [36.1, 140.09],
      [36.6, 139.5],
    ],
    header: 'title,northing,easting',
    row: asRegistered,
    within: 0.001,
  },
]

test.each(grids)('matches cs2cs for a file in $name (EPSG:$code)', async (grid) => {
  const crs = `EPSG:${grid.code}`
  const given = cs2cs('EPSG:4326', crs, grid.places).points.map((point) => point!)
  const expected = cs2cs(crs, 'EPSG:4326', given).points.map((point) => point!)
  const rows = given.map(([first, second], i) => `P${i},${grid.row(first!, second!).join(',')}`)
  const survey = await surveyOf(`${grid.header}\n${rows.join('\n')}\n`, { crs })
  expect(survey.faulty).toEqual([])
  const apart = survey.points.map((point, i) =>
    distance(point, { latitude: expected[i]![0]!, longitude: expected[i]![1]! }),
  )
  expect(apart).toHaveLength(grid.places.length)
  expect(Math.max(...apart)).toBeLessThanOrEqual(grid.within)
})
