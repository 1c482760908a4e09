import { describe, expect, test } from 'vitest'
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

test('a second pair in place of heights has a notice', async () => {
  const said = async (rows: string[], options: object) =>
    (await surveyOf(`${rows.join('\n')}\n`, options)).notices.filter(({ code }) => code === 'HEIGHTS_NOT_READ')
  const crs = { crs: 'EPSG:25833' }
  expect(await said(grid, crs)).toMatchObject([
    { message: expect.stringContaining('columns 4 and 5 are the positions') },
  ])
  expect(await said(degrees, { inZone })).toMatchObject([{ message: expect.stringContaining('from column 6') }])
  expect(await said(['A,391776.1,5820072.9,34.21,0.02', 'B,391876.1,5820172.9,34.35,0.05'], crs)).toEqual([])
})

describe('degrees beside a grid in another place', () => {
  const crs = { crs: 'EPSG:25833' }
  const elsewhere = (row: string) => row.replace('52.52', '48.52').replace(',13.', ',11.')

  test.each([
    ['in place of a height', grid.map(elsewhere)],
    ['behind a height', grid.map((row) => elsewhere(row.replace('.9,', '.9,34.2,')))],
    ['in one row', grid.slice(0, 1).map(elsewhere)],
    ['in the next zone', grid.map((row) => row.replace(',13.', ',7.'))],
  ])('refuse the file, with both readings: %s', async (_, rows) => {
    const reading = surveyOf(`${rows.join('\n')}\n`, crs)
    await expect(reading).rejects.toMatchObject({ code: 'AMBIGUOUS_COLUMNS' })
    await expect(reading).rejects.toThrow(/are 52\.52\d+ and 13\.40\d+ degrees in EPSG:25833.* can be the degrees \d/)
  })

  test.each([
    ['accuracies', ['34.2012,0.0212', '34.3012,0.0312', '34.5012,0.0512']],
    ['two heights', ['34.2012,74.2012', '34.9012,74.9012', '36.5012,76.5012']],
    ['metres of the same decimals', ['52.5,13.4', '52.6,13.5', '52.7,13.4']],
  ])('are not seen in %s', async (_, ends) => {
    const rows = grid.map((row, i) => `${row.split(',').slice(0, 3).join()},${ends[i]}`)
    const { points } = await surveyOf(`${rows.join('\n')}\n`, crs)
    expect(points.map(({ altitude }) => altitude)).toEqual(ends.map((end) => Number(end.split(',')[0])))
  })
})

test('degrees west without a sign are the positions of the grid', async () => {
  const rows = ['A,448000.12,4630000.34,41.81911,87.62612,180.5', 'B,448100.12,4630100.34,41.82002,87.62493,181.5']
  for (const text of [rows[0]!, rows.join('\n')]) {
    const { points, notices } = await surveyOf(`${text}\n`, { crs: 'EPSG:32616' })
    expect(points[0]).toMatchObject({ altitude: 180.5, accuracyH: null })
    expect(notices).toContainEqual(expect.objectContaining({ code: 'HEIGHTS_NOT_READ' }))
  }
})

test.each([
  ['heights', '34.200346,74.200039'],
  ['angles', '34.811,2.032873,8.244353,8.210526'],
])('%s of a single point with many decimals are no degrees', async (_, end) => {
  const { points } = await surveyOf(`A,391776.1,5820072.9,${end}\n`, { crs: 'EPSG:25833' })
  expect(points[0]).toMatchObject({ altitude: Number(end.split(',')[0]) })
})

test('two heights of far points of a plain are no degrees', async () => {
  const points = [
    [0, 0, 1.2],
    [30_000, 2000, 2.1],
    [90_000, 50_000, 1.4],
    [10_000, 80_000, 3.1],
  ]
  const rows = points.map(([e, n, h], i) => `P${i},${391_776 + e!},${5_820_072 + n!},${h}123,${40 + h!}123`)
  const { points: read } = await surveyOf(`${rows.join('\n')}\n`, { crs: 'EPSG:25833' })
  expect(read.map(({ altitude }) => altitude)).toEqual([1.2123, 2.1123, 1.4123, 3.1123])
})

test('two heights of one point that was measured again are no degrees', async () => {
  const rows = ['A,391776.151,5820072.912,34.2012,74.2012', 'B,391776.153,5820072.911,34.2015,74.2013']
  const { points } = await surveyOf(`${rows.join('\n')}\n`, { crs: 'EPSG:25833' })
  expect(points.map(({ altitude }) => altitude)).toEqual([34.2012, 34.2015])
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
