import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const crs = 'EPSG:25833'
const header = (order: 1 | 2, unit = 1) => `00NMSDR33 V04-04.02     04-May-24 12:00 1${unit}11${order}1`
const record = (type: string, id: string, ...fields: string[]) =>
  `${type}${id.padStart(16)}${fields.map((field) => field.padEnd(16)).join('')}`
const [north, east] = ['5820072.96211300', '391776.154582000']
const height = '74.2500000000000'
const setting = ['10NMPARK            121111', '06NM1.00000000      ', '13NMnote']

describe('Sokkia SDR33', () => {
  test.each([
    ['northing first', 1, [north, east]],
    ['easting first', 2, [east, north]],
  ] as const)('reads the axis order from the header record: %s', async (_, order, pair) => {
    const text = [
      header(order),
      ...setting,
      record('02TP', '1', ...pair, height, '1.505', 'station'),
      record('08TP', 'GCP2', ...pair, height, 'nail'),
    ]
    const { points, faulty, lines, notices, detected } = await surveyOf(`${text.join('\r\n')}\r\n`, { crs })
    expect(faulty).toEqual([])
    expect(detected.format).toBe('sdr33')
    expect(lines).toEqual([5, 6])
    expect(points.map(({ title, description, altitude }) => [title, description, altitude])).toEqual([
      ['1', 'station', 74.25],
      ['GCP2', 'nail', 74.25],
    ])
    for (const { latitude, longitude } of points) {
      expect(latitude).toBeCloseTo(52.5200066, 7)
      expect(longitude).toBeCloseTo(13.404954, 7)
    }
    expect(notices).toContainEqual(
      expect.objectContaining({ code: 'RECORDS_LEFT_OUT', message: expect.stringMatching(/^3 records/) }),
    )
  })

  test('reads the narrower columns of SDR2x', async () => {
    const text = `00NMSDR20V03-05        04-May-24 12:00 111111\n08KI   7 820072.96  1776.154    74.250nail\n`
    const { points } = await surveyOf(text, { crs: '+proj=tmerc +lat_0=45 +lon_0=13 +ellps=GRS80 +units=m' })
    expect(points).toMatchObject([{ title: '7', description: 'nail', altitude: 74.25 }])
    expect((points[0]!.longitude - 13) * 68_677).toBeCloseTo(1776, -2)
  })

  test('reads feet of the header as those of the system', async () => {
    const text = `${header(1, 2)}\n${record('08TP', 'A', '500000.000', '1000000.000', '100.000')}\n`
    const { points } = await surveyOf(text, { crs: 'EPSG:2264' })
    expect(points[0]!.latitude).toBeCloseTo(35.0775715926, 8)
    expect(points[0]!.longitude).toBeCloseTo(-82.3430834182, 8)
  })

  test('counts a station of a further set-up as a repeat; fails observations and empty records', async () => {
    const station = record('02TP', '1', north, east, height, '1.5', '')
    const text = [
      header(1),
      station,
      station,
      `09F1${'1'.padStart(16)}${'77'.padStart(16)}12.345`,
      record('08TP', '9', '', '', ''),
      'what is this',
    ]
    const { points, repeats, faulty } = await surveyOf(text.join('\n'), { crs })
    expect([points.length, repeats.length]).toEqual([1, 1])
    expect(faulty.map(({ title, line, faults }) => [title, line, faults[0]!.code])).toEqual([
      ['77', 4, 'NO_COORDINATES'],
      ['9', 5, 'NO_COORDINATES'],
      ['', 6, 'NO_COORDINATES'],
    ])
  })

  test('refuses a header without the axis order', async () => {
    const text = `00NMSDR33 V04-04.02     04-May-24 12:00\n${record('08TP', 'A', north, east, height)}\n`
    await expect(surveyOf(text, { crs })).rejects.toMatchObject({ code: 'NOT_A_TABLE', line: 1 })
  })

  test('refuses a file with observations only, and a line without an end', async () => {
    await expect(surveyOf(`${header(1)}\n09F1${'1'.padStart(16)}${'2'.padStart(16)}1.0\n`)).rejects.toMatchObject({
      code: 'EMPTY_FILE',
    })
    await expect(surveyOf(`${header(1)}\n08TP${'1'.repeat(99_999)}`, { crs }, 65_536)).rejects.toMatchObject({
      code: 'LINE_TOO_LONG',
      line: 2,
    })
  })
})
