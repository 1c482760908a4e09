import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const grid = [
  'A,391776.1,5820072.9,52.5200021,13.4049001',
  'B,391876.1,5820172.9,52.5209021,13.4064001',
  'C,391976.1,5820072.9,52.5200521,13.4078401',
]
const degrees = [
  'A,52.5200021,13.4049001,1000.50,2000.30,34.2',
  'B,52.5209021,13.4064001,1100.50,2100.30,34.3',
  'C,52.5200521,13.4078401,1200.50,2000.30,34.5',
]
const inZone = (latitude: number, longitude: number) => Math.abs(latitude - 52.5) < 1 && Math.abs(longitude - 13.4) < 1

test.each([3, 1])('degrees beside grid coordinates are no height and no accuracy: %d rows', async (count) => {
  const { points } = await surveyOf(`${grid.slice(0, count).join('\n')}\n`, { crs: 'EPSG:25833' })
  expect(points).toHaveLength(count)
  for (const point of points) expect(point).toMatchObject({ h: null, altitude: null, accuracyH: null })
})

test('the height is behind both pairs, also in the proposed header', async () => {
  const { points } = await surveyOf(`${degrees.join('\n')}\n`, { inZone })
  expect(points.map(({ altitude }) => altitude)).toEqual([34.2, 34.3, 34.5])
  await expect(surveyOf(`${degrees.join('\n')}\n`)).rejects.toMatchObject({
    message: expect.stringContaining('"title,lat,lon,column4,column5,z"'),
  })
})

test('a height with its accuracy is no second pair', async () => {
  const text = 'A,391776.1,5820072.9,34.21,0.02\nB,391876.1,5820172.9,34.35,0.05\n'
  const { points } = await surveyOf(text, { crs: 'EPSG:25833' })
  expect(points).toMatchObject([{ altitude: 34.21, accuracyH: 0.02 }, { altitude: 34.35 }])
})

test('a proposed header takes no angle with a letter for a description', async () => {
  await expect(surveyOf('Kodas;Ilguma;Aukstis;x1\n1;S 48,15;17,1;150\n')).rejects.toMatchObject({
    code: 'AMBIGUOUS_COLUMNS',
    message: expect.not.stringContaining('description;lat;lon'),
  })
})

test.each([
  ['accuracies', ['391776.1,5820072.9,34.21,0.02,0.03', '401776.1,5830072.9,34.45,0.05,0.04'], [34.21, 34.45]],
  ['one accuracy', ['391776.1,5820072.9,34.21,0.02', '401776.1,5830072.9,34.45,0.05'], [34.21, 34.45]],
  [
    'codes',
    ['391776.1,5820072.9,34.2,1', '391781.1,5820078.9,36.2,5', '391786.1,5820082.9,38.3,9'],
    [34.2, 36.2, 38.3],
  ],
  [
    'codes and more',
    ['391776.1,5820072.9,34.2,1,150', '391781.1,5820078.9,36.2,5,151', '391786.1,5820082.9,38.3,9,152'],
    [34.2, 36.2, 38.3],
  ],
  ['a second height', ['391776.1,5820072.9,34.2,74.1,nail', '391781.1,5820078.9,38.2,78.1,nail'], [34.2, 38.2]],
  ['layers', ['5820072.9,391776.1,34.2,101,paint', '5820112.9,391816.1,74.2,140,paint'], [34.2, 74.2]],
  ['one row', ['391776.10000,5820072.90000,34.20000,0.02000'], [34.2]],
])('heights before %s are read', async (_, rows, heights) => {
  const text = rows.map((row, i) => `${i + 1},${row}\n`).join('')
  const { points } = await surveyOf(text, { crs: 'EPSG:25833' })
  expect(points.map(({ altitude }) => altitude)).toEqual(heights)
})

test('a height before a second one is read beside degrees', async () => {
  const text = 'A,52.5200021,13.4049001,34.21,74.2\nB,52.5204021,13.5054001,64.35,104.3\n'
  const { points } = await surveyOf(text, { inZone })
  expect(points.map(({ altitude }) => altitude)).toEqual([34.21, 64.35])
})

test.each([
  [
    'one wrong northing',
    [...grid, ...grid].map((row, i) => `${i}${row}`).with(2, 'Q,391976.1,5920072.9,52.5200521,13.4078401'),
  ],
  ['one place', [grid[0]!, grid[0]!.replace('A', 'B')]],
])('degrees beside grid coordinates are no height with %s', async (_, rows) => {
  const { points } = await surveyOf(`${rows.join('\n')}\n`, { crs: 'EPSG:25833' })
  expect(points).toHaveLength(rows.length)
  for (const point of points) expect(point).toMatchObject({ altitude: null, accuracyH: null })
})

test('degrees behind the height are no accuracies', async () => {
  const { points } = await surveyOf('A,391776.1,5820072.9,34.2,52.5200021,13.4049001\n', { crs: 'EPSG:25833' })
  expect(points).toMatchObject([{ altitude: 34.2, accuracyH: null, accuracyV: null }])
})

test.each([['S1'], ['4N'], ['N1.5'], ['W1-2'], ['TREE', 'E2.1', 'TREE']])(
  'codes like angles are codes beside crs=: %s',
  async (...codes) => {
    const text = codes.map((code, i) => `${100 + i},${code},391776.1,582007${i}.9,34.2\n`).join('')
    const { points } = await surveyOf(text, { crs: 'EPSG:25833' })
    expect(points.map(({ description, altitude }) => [description, altitude])).toEqual(
      codes.map((code) => [code, 34.2]),
    )
  },
)
