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
    'A,33N,391776,5820072,34.2\n',
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

  test('fail by row: a northing outside the band, a text, a southern S that is a band', async () => {
    const rows = [
      'A,33U 391776 5820072',
      'B,33K 391776 5820072',
      'C,the fence',
      'D,33U 391777 5820072',
      'E,30S 447500 4197000',
    ]
    const { points, faulty } = await surveyOf(`${rows.join('\n')}\n`)
    expect(points.map(({ title }) => title)).toEqual(['A', 'D'])
    expect(faulty.map(({ title, faults }) => [title, faults[0]!.code])).toEqual([
      ['B', 'UNKNOWN_CRS'],
      ['C', 'UNKNOWN_CRS'],
      ['E', 'OUTSIDE_CRS_AREA'],
    ])
    expect(faulty[2]!.faults[0]!.message).toContain('write 30N')
  })

  test('are not found in titles such as 10U, nor in a number alone', async () => {
    const titles = ['10U', '11U', '12U'].map((title) => `${title},391776,5820072,34\n`).join('')
    const { points } = await surveyOf(titles, { crs: 'EPSG:25833' })
    expect(points.map(({ title }) => title)).toEqual(['10U', '11U', '12U'])
    await expect(surveyOf('A,33,391776,5820072\nB,33,391777,5820072\n')).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
  })
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
