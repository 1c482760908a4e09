import { expect, test } from 'vitest'
import { type Cell, workbookOf } from '../../../../../test/content/archives.ts'
import { surveyOf } from '../../../../../test/surveying/survey.ts'
import type { SurveyOptions } from '../../read-survey.ts'

const read = async (rows: Cell[][], options: SurveyOptions = {}) =>
  surveyOf(await workbookOf({ S: rows }), options, 64 * 1024)
const heights = (code: string, v: string, name = 'altitude') =>
  read([
    ['Name', 'lat', 'lon', name],
    ['A', 52.52, 13.4, { v, code }],
    ['B', 52.53, 13.4, 34.5],
  ])

test.each(['0.00" ft"', '0.00\\ \\f\\t', '0.00" ft";[Red]-0.00" ft"', '0.00" ft";@'])(
  'a height whose cell shows another unit than its column is read in fails: %s',
  async (code) => {
    const { points, faulty } = await heights(code, '112.25')
    expect(points).toMatchObject([{ title: 'B', altitude: 34.5 }])
    expect(faulty).toMatchObject([
      { title: 'A', faults: [{ code: 'NOT_A_NUMBER', message: expect.stringContaining('altitude (ft)') }] },
    ])
  },
)

test('the unit of the header counts if cells show the same', async () => {
  const { points, faulty } = await heights('0.00" ft"', '112.25', 'altitude (ft)')
  expect(faulty).toEqual([])
  expect(points[0]!.altitude).toBeCloseTo(34.2138, 9)
})

test.each(['[>=1000]0.0," km";0.00" m"', '0.0," km"', '0.0%" ft"', '0.00" m";0.00" km"', '0.00" m"', '0.00" ell."'])(
  'conditions, scaling, differing sections and metres leave a height as it is stored: %s',
  async (code) => {
    const { points, faulty } = await heights(code, '34.2')
    expect(faulty).toEqual([])
    expect(points.map(({ altitude }) => altitude)).toEqual([34.2, 34.5])
  },
)

const east = 6000000.25
const north = 2100000.25
const inFeet = ([e, n]: [Cell, Cell], names = ['E', 'N']) =>
  read(
    [
      ['Name', ...names],
      ['A', e, n],
    ],
    { crs: 'EPSG:2227' },
  )

test('feet are those of the reference system, in formats, cells and headers', async () => {
  const plain = await inFeet([east, north])
  const formatted = await inFeet([
    { v: String(east), code: '0.00" ft"' },
    { v: String(north), code: '0.00" ft"' },
  ])
  const written = await inFeet([`${east} ft`, `${north} ft`])
  const csv = await surveyOf(`Name,E,N\nA,${east} ft,${north} ft\n`, { crs: 'EPSG:2227' })
  const headers = await inFeet([east, north], ['E (ft)', 'N (ft)'])
  for (const { points, faulty } of [formatted, written, csv, headers]) {
    expect(faulty).toEqual([])
    expect(points[0]!.latitude).toBeCloseTo(plain.points[0]!.latitude, 10)
    expect(points[0]!.longitude).toBeCloseTo(plain.points[0]!.longitude, 10)
  }
})

test.each(['0.00" m"', '0.00" ift"'])(
  'grid coordinates shown in another unit than the system’s fail: %s',
  async (code) => {
    const { points, faulty } = await inFeet([
      { v: String(east), code },
      { v: String(north), code },
    ])
    expect(points).toEqual([])
    expect(faulty[0]!.faults).toHaveLength(2)
  },
)

test('units of formats are read without a header too, and do not change titles, tags or angles', async () => {
  const code = '0.000" m"'
  const grid = await read([['A', ...['391776.155', '5820072.9', '34.2'].map((v) => ({ v, code }))]], {
    crs: 'EPSG:25833',
  })
  expect(grid.faulty).toEqual([])
  expect(grid.points).toMatchObject([{ title: 'A', latitude: expect.closeTo(52.52, 2), altitude: 34.2 }])
  const cell = (v: string) => ({ v, code: '0" m"' })
  const roles = await read([
    ['Name', 'lat', 'lon', 'AprilTag', 'yaw', 'pitch', 'roll'],
    ['12', '52.5', '13.4', '5', '1', '2', '3'].map(cell),
  ])
  expect(roles.faulty).toEqual([])
  expect(roles.points).toMatchObject([
    { title: '12', latitude: 52.5, longitude: 13.4, aprilTagId: 5, yaw: 1, pitch: 2, roll: 3 },
  ])
})

test('heights behind angles in several columns are checked too', async () => {
  const { points, faulty } = await read([
    ['Name', 'lat d', 'lat m', 'lat s', 'lon d', 'lon m', 'lon s', 'altitude'],
    ['A', 52, 31, '12.02', 13, 24, '17.8', { v: '112.25', code: '0.00" ft"' }],
    ['B', 52, 31, '12.02', 13, 24, { v: '17.8', code: '0.00" ft"' }, 34.5],
  ])
  expect(points).toMatchObject([{ title: 'B', altitude: 34.5 }])
  expect(faulty).toMatchObject([{ title: 'A', faults: [{ message: expect.stringContaining('altitude (ft)') }] }])
})
