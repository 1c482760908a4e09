import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../test/surveying/survey.ts'

const inBavaria = (latitude: number, longitude: number) =>
  latitude > 47 && latitude < 51 && longitude > 9 && longitude < 14
const rowOf = (i: number) => [`G${i}`, `11.25${i}12`, `48.5${i}034`, '500.25']
/** Five valid rows, and one with a different cell. */
const withSlip = (header: string, at: number, cell: string) =>
  `${header}${[1, 2, 3, 4, 5].map((i) => `${rowOf(i).join()}\n`).join('')}${rowOf(6).with(at, cell).join()}\n`

test.each([
  ['a digit too many', 2, '948.56034', 'LATITUDE_RANGE'],
  ['letters in a figure', 2, '48.5abc', 'NOT_A_NUMBER'],
])('reads one error, %s, as a failed row, not as another layout of the file', async (_what, at, cell, code) => {
  for (const header of ['', 'name,x,y,z\n']) {
    const { points, faulty } = await surveyOf(withSlip(header, at, cell), { inZone: inBavaria })
    expect(points).toHaveLength(5)
    expect(points[0]).toMatchObject({ latitude: 48.51034, longitude: 11.25112, altitude: 500.25 })
    expect(faulty).toMatchObject([{ row: 6, faults: [{ code }] }])
  }
})

test('reads a point of another place like the others, with a warning that it is outside its zone', async () => {
  const { points } = await surveyOf(withSlip('', 1, '-71.25612'), { inZone: inBavaria })
  expect(points.map(({ longitude }) => longitude)).toEqual([
    11.25112, 11.25212, 11.25312, 11.25412, 11.25512, -71.25612,
  ])
})

test('keeps the other heights if one is invalid', async () => {
  const { points, faulty } = await surveyOf(withSlip('', 3, 'unknown'), { inZone: inBavaria })
  expect(points.map(({ altitude }) => altitude)).toEqual(Array(5).fill(500.25))
  expect(faulty).toMatchObject([{ row: 6, faults: [{ code: 'NOT_A_NUMBER' }] }])
})

test('does not read degrees if every second row differs', { tags: ['long'] }, async () => {
  const rows = [1, 2, 3, 4].map((i) => (i % 2 ? rowOf(i) : [`G${i}`, '390000', '5820000', '1']).join())
  await expect(surveyOf(`${rows.join('\n')}\n`, { inZone: inBavaria })).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
  await expect(surveyOf(`name,x,y,z\n${rows.join('\n')}\n`)).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
})

test('reads a column of codes or titles with one text as text, not as heights', async () => {
  const rows = (cells: (i: number) => string[]) =>
    `EPSG:25832\n${Array.from({ length: 10 }, (_, i) => cells(i + 1).join()).join('\n')}\n`
  const place = (i: number) => [`69123${i % 10}.25`, `533490${i % 10}.5`]
  const oneText = (i: number, text: string) => (i === 7 ? text : String(i))
  for (const [cells, said] of [
    [(i: number) => [`P${i}`, ...place(i), oneText(i, 'BM')], { title: 'P1', description: '1', altitude: null }],
    [(i: number) => [...place(i), oneText(i, '7A')], { title: '1', altitude: null }],
  ] as const) {
    const { points, faulty } = await surveyOf(rows(cells))
    expect(faulty).toEqual([])
    expect(points).toHaveLength(10)
    expect(points[0]).toMatchObject(said)
  }
})

test('does not read local metres as degrees because most of them are small', async () => {
  const rows = 'A,12.0012,48.0034,1\nB,12.9012,48.5034,1\nC,12.1012,47.0034,1\nD,50.1012,10.0034,1\n'
  await expect(surveyOf(`name,easting,northing,z\n${rows}`)).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
  await expect(surveyOf(rows)).rejects.toMatchObject({ code: expect.stringMatching(/UNKNOWN_CRS|AMBIGUOUS_COLUMNS/) })
})

describe('a point far from the others of its file', () => {
  const near = (i: number) => `P${i},${391776 + 10 * i}.15,${5820072 + 7 * i}.9,34.2`
  const rows = (count: number, ...more: string[]) =>
    `${[...Array.from({ length: count }, (_, i) => near(i)), ...more].join('\n')}\n`
  const far = async (text: string, options: object = { crs: 'EPSG:32633' }) =>
    (await surveyOf(text, options)).warnings.filter(({ code }) => code === 'FAR_FROM_OTHERS')

  test('has a warning, as with a northing that is cut off', async () => {
    const cut = rows(4, 'Q,391806.15,582,34.2')
    for (const text of [cut, `title,easting,northing,z\n${cut}`])
      expect(await far(text)).toMatchObject([{ row: 5, message: expect.stringContaining('5821 km from the other') }])
  })

  test('is no base station, and no point of a long line', async () => {
    expect(await far(rows(4, 'BASE,391776.15,5860072.9,34.2'))).toEqual([])
    const line = Array.from({ length: 3000 }, (_, i) => `L${i},${13 + i * 0.001},52.5,1`)
    expect(await far(`title,lon,lat,z\n${line.join('\n')}\n`, {})).toEqual([])
  })

  test('has a warning in a system whose zero is near', async () => {
    const text = 'A,984250,200000,1\nB,984260,200010,1\nC,984270,200020,1\nD,984270,582,1\n'
    expect(await far(text, { crs: 'EPSG:2263' })).toMatchObject([{ row: 4 }])
  })

  test('is no point across the antimeridian', async () => {
    const line = ['179.999,-17.5', '-179.999,-17.5', '179.998,-17.5', '-179.998,-17.5']
    expect(await far(`title,lon,lat\n${line.map((row, i) => `P${i},${row}`).join('\n')}\n`, {})).toEqual([])
  })

  test('is at most three points of each other place', async () => {
    const place = (name: string, count: number, lon: number, lat: number) =>
      Array.from({ length: count }, (_, i) => `${name}${i},${lon},${lat + i / 1e5},1`)
    const sites = [...place('F', 2000, 13.4, 52.1), ...place('S', 900, 11.5, 48.01), ...place('T', 50, 7, 51)]
    const found = await far(`title,lon,lat,z\n${sites.join('\n')}\n`, {})
    expect(found.map(({ row }) => row)).toEqual([2001, 2002, 2003])
    const mixed = [...place('F', 2000, 13.4, 52.1), 'X,13.4,5.21,1', 'Y,-13.4,52.1,1']
    expect(await far(`title,lon,lat,z\n${mixed.join('\n')}\n`, {})).toMatchObject([{ row: 2001 }, { row: 2002 }])
  })

  test('has the warning of its zone instead, if that has a boundary', async () => {
    const { warnings } = await surveyOf(rows(4, 'Q,391806.15,582,34.2'), {
      crs: 'EPSG:32633',
      inZone: (latitude) => latitude > 50,
    })
    expect(warnings.map(({ code }) => code)).not.toContain('FAR_FROM_OTHERS')
  })
})
