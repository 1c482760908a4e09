import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const berlin = { latitude: 52.519997922, longitude: 13.404952036 }

describe('positions in zones of UTM, without a header', () => {
  test.each([
    'A,33U 391776 5820072\n',
    'A,33U 391776 5820072,34.2\n',
    'A;33 U 391776.0 m E 5820072.0 m N;34.2\n',
    'A 33U 391776 5820072 34.2\n',
    'A 33 U 391776 5820072\n',
    'A,33U,391776,5820072\n',
    'A,33U,391776,5820072,34.2\n',
    'A,391776,5820072,33U,34.2\n',
    'A,33U,5820072,391776\n',
    'A;33N 391776,00 5820072,00;34,2\n',
  ])('are read on WGS 84, and the report says so: %s', async (row) => {
    const { points, faulty, notices } = await surveyOf(row + row.replace('A', 'B'))
    expect(faulty).toEqual([])
    expect(points).toHaveLength(2)
    expect(points[0]).toMatchObject({ title: 'A', transformation: { crs: 'EPSG:32633' } })
    expect(points[0]!.latitude).toBeCloseTo(berlin.latitude, 8)
    expect(points[0]!.longitude).toBeCloseTo(berlin.longitude, 8)
    if (row.includes('34')) expect(points[0]!.altitude).toBe(34.2)
    expect(notices[0]).toMatchObject({ code: 'COLUMNS_ASSUMED', message: expect.stringContaining('on WGS 84') })
  })

  test('keep the datum of crs=', async () => {
    const { points } = await surveyOf('A,33U,391776,5820072\nB,33U,391777,5820072\n', { crs: 'EPSG:25833' })
    expect(points.map(({ transformation }) => transformation?.crs)).toEqual(['EPSG:25833', 'EPSG:25833'])
  })

  test('fail by row: a northing outside the band, a text, an S outside its band', async () => {
    const rows = [
      'A,33U 391776 5820072',
      'B,33K 391776 5820072',
      'C,the fence',
      'D,33U 391777 5820072',
      'E,30S 447500 4197000',
      'F,30S 447500 6197000',
    ]
    const { points, faulty } = await surveyOf(`${rows.join('\n')}\n`)
    expect(points.map(({ title }) => title)).toEqual(['A', 'D', 'E'])
    expect(faulty.map(({ title, faults }) => [title, faults[0]!.code])).toEqual([
      ['B', 'UNKNOWN_CRS'],
      ['C', 'UNKNOWN_CRS'],
      ['F', 'UNKNOWN_CRS'],
    ])
  })

  test('are not found in titles such as 10U, nor in a number alone', async () => {
    const titles = ['10U', '11U', '12U'].map((title) => `${title},391776,5820072,34\n`).join('')
    const { points } = await surveyOf(titles, { crs: 'EPSG:25833' })
    expect(points.map(({ title }) => title)).toEqual(['10U', '11U', '12U'])
    await expect(surveyOf('A,33,391776,5820072\nB,33,391777,5820072\n')).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
  })
})

describe('columns that look like zones of UTM, without a header', () => {
  test.each([
    ['EPSG:25833', 'P1,10N,391776.15,5820072.96,34.2\nP2,10N,391777.15,5820072.96,34.3\n', 52.52],
    ['EPSG:25833', 'P1,391776.15,5820072.96,33C\nP2,391777.15,5820072.96,12C\n', 52.52],
  ])('are codes if crs=%s has no such zone', async (crs, text, latitude) => {
    const { points, faulty } = await surveyOf(text, { crs })
    expect(faulty).toEqual([])
    expect(points).toHaveLength(2)
    expect(points[0]!.latitude).toBeCloseTo(latitude, 1)
  })

  test('are no zones if crs= names a system that is not UTM, where both orders may fit', async () => {
    const text = '100,4N,523456.1,178901.2,34.2\n101,4N,523457.1,178902.2,34.3\n'
    await expect(surveyOf(text, { crs: 'EPSG:27700' })).rejects.toMatchObject({ code: 'AMBIGUOUS_COLUMNS' })
    const { points } = await surveyOf(text, { crs: 'EPSG:27700', header: 'title,description,easting,northing,z' })
    expect(points).toMatchObject([{ description: '4N', transformation: { crs: 'EPSG:27700' } }, { title: '101' }])
  })

  test('are named in the report, with how to read them as codes', async () => {
    const { notices } = await surveyOf('A,33U,391776,5820072,34.2\nB,33U,391777,5820072,34.3\n')
    expect(notices[0]).toMatchObject({
      message: expect.stringMatching(/column 1 was read as title.*column 5 was read as z.*if 33U is a code.*header=/),
    })
  })

  test.each([
    ['A,33U,391776,5820072,34.2\nB,33U,391777,5820072,\nC,33U,391778,5820072,35\n', 34.2],
    ['A,33U,391776,5820072,34.2\nB,33U,391777,5820072,n/a\nC,33U,391778,5820072,35\n', 34.2],
    ['A,33U,391776,5820072,12 ft\nB,33U,391777,5820072,13 ft\n', 3.6576],
  ])('keep the heights beside them if some are empty or have a unit: %s', async (text, height) => {
    const { points } = await surveyOf(text)
    expect(points[0]!.altitude).toBeCloseTo(height, 6)
    expect(points).toHaveLength(text.split('\n').length - 1)
  })

  test.each([
    'A,33N,391776,5820072,34.2\nB,33N,391777,5820072,34.3\n',
    'A,33,N,391776,5820072,34.2\nB,33,n,391777,5820072,34.3\n',
  ])('are zones of the north with a notice if all rows have the same of two figures: %s', async (text) => {
    const { points, notices } = await surveyOf(text)
    expect(points).toMatchObject([{ transformation: { crs: 'EPSG:32633' }, altitude: 34.2 }, { title: 'B' }])
    expect(notices[0]).toMatchObject({ code: 'COLUMNS_ASSUMED', message: expect.stringContaining('is a code') })
  })

  test.each([
    'A,391776.15,5820072.9,33N\nB,391786.15,5820082.9,33N\n',
    '391776 5820072 33N\n391786 5820082 33N\n',
    'A;33N;5820072.9;391776.15\nB;33N;5820082.9;391786.15\n',
    'A;33N;5820072.9;391776.15;34.2\nB;33N;5820082.9;391786.15;35.2\n',
    'A,33N,391776,5820072\n',
    'A,391776,5820072,33N\n',
  ])('are zones of the north beside the pair in any order, also in a single row with a title: %s', async (text) => {
    const { points, notices } = await surveyOf(text)
    expect(points).toHaveLength(text.trim().split('\n').length)
    expect(points[0]).toMatchObject({ latitude: expect.closeTo(52.52, 1), longitude: expect.closeTo(13.4, 1) })
    expect(notices[0]).toMatchObject({ code: 'COLUMNS_ASSUMED', message: expect.stringContaining('is a code') })
  })

  test.each(['B,33N,391786,,35', 'B,,391786,5820082,35', 'B,33N,391786,582,35'])(
    'are zones of the north beside a row with an error: %s',
    async (row) => {
      const { points } = await surveyOf(`A,33N,391776,5820072,34\n${row}\nC,33N,391796,5820092,35\n`)
      expect(points.map(({ title }) => title).filter((title) => title !== 'B')).toEqual(['A', 'C'])
    },
  )

  const here = (latitude: number, longitude: number) => Math.hypot(latitude - 1.6, longitude + 158.8) < 1

  test.each([
    ['100,4N,523456.1,178901.2,34.2\n101,4N,523457.1,178902.2,34.3\n', undefined],
    ['4N,523456.1,178901.2,34.2\n4N,523457.1,178902.2,34.3\n', undefined],
    ['100 4N 523456.1 178901.2 34.2\n101 4N 523457.1 178902.2 34.3\n', undefined],
    ['100,4,N,523456.1,178901.2\n101,4,N,523457.1,178902.2\n', undefined],
    ['A,33N,391776,5820072\nB,34N,391777,5820072\n', undefined],
    ['A,33N,391776,820072\nB,33N,391777,820073\n', undefined],
    ['391776 5820072 33N\n', undefined],
    ['A,33N,391776,820072\n', undefined],
    ['A,33N,391776,5820072\nB,34N,391777,5820072\nC,33N,391778,5820072\n', undefined],
    ['A,18S,549000,4357000\nB,18S,549100,4357000\n', undefined],
    ['A,33U,391776,5820072,34.2\nB,33U,391777,5820072,34.3\n', here],
  ])('are refused with both readings if nothing proves that they are zones: %s', async (text, inZone) => {
    await expect(surveyOf(text, { inZone })).rejects.toMatchObject({
      code: 'AMBIGUOUS_COLUMNS',
      message: expect.stringMatching(/can be the zone of UTM .* or a code.*for zones on WGS 84.*and crs= for codes/),
    })
  })

  test('are zones if the points are then in the zone of the import, or if the proposed header says so', async () => {
    const text = '100,4N,523456.1,178901.2,34.2\n101,4N,523457.1,178902.2,34.3\n'
    for (const options of [{ inZone: here }, { header: 'title,UTM zone,easting,northing,z' }]) {
      const { points } = await surveyOf(text, options)
      expect(points.map(({ transformation }) => transformation?.crs)).toEqual(['EPSG:32604', 'EPSG:32604'])
    }
  })

  test.each(['4P,523456.1,178901.2', '33T,391776,5820072'])(
    'are refused if no northing is in the band of the letter: %s',
    async (row) => {
      await expect(surveyOf(`100,${row},34.2\n101,${row},34.3\n`)).rejects.toMatchObject({
        code: 'AMBIGUOUS_COLUMNS',
        message: expect.stringMatching(/northings do not fit the band of latitude of the letter [PT]/),
      })
    },
  )

  test.each([
    ['A,32U,600000,5285000,700\n', 47.7],
    ['A,33X,500000,8950000,7\n', 80.6],
  ])('are zones in band X and a little beside a band, also in the boundary: %s', async (row, latitude) => {
    for (const inZone of [undefined, (north: number) => Math.abs(north - latitude) < 1]) {
      const { points, faulty } = await surveyOf(row, { inZone })
      expect(faulty).toEqual([])
      expect(points[0]!.latitude).toBeCloseTo(latitude, 0)
    }
  })

  test('say for N that a boundary or crs= decides', async () => {
    await expect(surveyOf('A,33N,391776,820072,34.2\n')).rejects.toMatchObject({
      code: 'AMBIGUOUS_COLUMNS',
      message: expect.stringMatching(/N may be a part of a code: a boundary of the zone .*, or crs=, decides/),
    })
  })

  test.each([
    'A,33U,391776,5820072,nail,34.2\n',
    'A,nail,33U,391776,5820072,34.2\n',
    'A,33U,391776,5820072,34.2,0.02\n',
  ])('are refused beside columns of unknown meaning, with a header to give: %s', async (row) => {
    await expect(surveyOf(row + row.replace('A', 'B'))).rejects.toMatchObject({
      code: 'AMBIGUOUS_COLUMNS',
      message: expect.stringContaining('header=title,zone,easting,northing,h'),
    })
  })
})

const bandOrSouth = 'A,18S,549000,4357000\nB,18S,549100,4357000\n'

describe('the letter S of a zone', () => {
  test.each(['', 'name,zone,easting,northing\n'])('is a band beside other bands: header %j', async (header) => {
    const rows = ['A,18S,549000,4357000', 'B,18T,549000,4457000', 'C,18S,549100,4357000']
    const { points, faulty } = await surveyOf(`${header}${rows.join('\n')}\n`)
    expect(faulty).toEqual([])
    expect(points.map(({ latitude }) => Math.round(latitude))).toEqual([39, 40, 39])
  })

  test('is refused where it can be a band or the south', async () => {
    const { points, faulty } = await surveyOf(`name,zone,easting,northing\n${bandOrSouth}`)
    expect(points).toEqual([])
    expect(faulty[0]!.faults).toMatchObject([{ code: 'UNKNOWN_CRS', message: expect.stringContaining('write 18N') }])
  })

  test.each(['', 'name,zone,easting,northing\n'])('is the south if crs= names it: header %j', async (header) => {
    const { points } = await surveyOf(header + bandOrSouth, { crs: 'EPSG:32718' })
    expect(points.map(({ latitude }) => latitude < -50)).toEqual([true, true])
  })
})

describe('a header above positions in zones of UTM in one cell', () => {
  test.each(['Punkt;UTM 33;Höhe', 'Punkt;UTM33;Höhe', 'Punkt;WGS84;Höhe', 'Punkt 1;Position;Höhe'])(
    'may have a figure: %s',
    async (header) => {
      const { points, faulty } = await surveyOf(`${header}\nA;33U 391776 5820072;34.2\nB;33U 391777 5820072;34.3\n`)
      expect(faulty).toEqual([])
      expect(points.map(({ altitude }) => altitude)).toEqual([34.2, 34.3])
    },
  )

  test.each(['UTM', 'note'])('may name coordinates in other columns, which are read: %s', async (word) => {
    const text = `name,easting,northing,h,${word}\nA,391776.15,5820072.96,12,33U 391700 5820000\n`
    const { points } = await surveyOf(text, { crs: 'EPSG:25833' })
    expect(points).toMatchObject([{ title: 'A', altitude: 12 }])
  })
})

test.each([
  'A,33 U 391776.00 m E 5820072.00 m N\nB,33 U 391777.00 m E 5820072.00 m N\n',
  'A,33U 391776 5820072\nB,33U 391777 5820072\n',
])('rows without a height are read, and the report counts the columns of the file: %s', async (text) => {
  const { points, notices } = await surveyOf(text)
  expect(points.map(({ title }) => title)).toEqual(['A', 'B'])
  expect(notices[0]!.message).toContain('column 2 was read as positions in zones of UTM')
})

test.each([undefined, 'title,zone,easting,northing,h', 'title;position;h'])(
  'a column of positions in zones of UTM is read under any header: header=%s',
  async (header) => {
    const own = header?.includes('zone') ? '' : 'name,UTM,h\n'
    const { points } = await surveyOf(`${own}A,33U 391776 5820072,34.2\nB,33U 391777 5820072,34.3\n`, { header })
    expect(points).toMatchObject([{ title: 'A', altitude: 34.2 }, { title: 'B' }])
    expect(points[0]!.latitude).toBeCloseTo(berlin.latitude, 8)
  },
)
