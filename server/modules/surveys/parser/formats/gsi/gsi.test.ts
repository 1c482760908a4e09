import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const crs = 'EPSG:25833'
const gsi8 = [
  '110001+0000A110 81..00+91776155 82..00+20072962 83..00+00074250',
  '110002+00000A12 81..00+91776165 82..00+20072972 83..00-00001250',
].join('\r\n')
const word16 = (index: string, value: string) => `${index}+${value.padStart(16, '0')}`
const gsi16 = [
  `*${word16('410001', 'START')}`,
  `*${word16('110002', 'GCP1')} ${word16('81..06', '3917761546')} ${word16('82..06', '58200729621')} ${word16('83..06', '742500')} ${word16('71....', 'nail')} `,
  `*${word16('110003', 'ST1')} ${word16('84..08', '39177615460')} ${word16('85..08', '582007296210')} ${word16('86..08', '7425000')} `,
].join('\n')

describe('Leica GSI', () => {
  test('reads targets and stations of GSI-16 as points, with the digits of their unit', async () => {
    const { points, faulty, notices, detected } = await surveyOf(gsi16, { crs })
    expect(detected.format).toBe('gsi')
    expect(faulty).toEqual([])
    expect(points.map(({ title, altitude, description }) => [title, altitude, description])).toEqual([
      ['GCP1', 74.25, 'nail'],
      ['ST1', 74.25, null],
    ])
    for (const { latitude, longitude } of points) {
      expect(latitude).toBeCloseTo(52.5200066, 7)
      expect(longitude).toBeCloseTo(13.404954, 7)
    }
    expect(notices).toContainEqual(
      expect.objectContaining({ code: 'RECORDS_LEFT_OUT', message: expect.stringContaining('1 code block') }),
    )
  })

  test('reads GSI-8 in millimetres with unit 0, with its sign', async () => {
    const { points, lines } = await surveyOf(`${gsi8}\r\n`, {
      crs: '+proj=tmerc +lat_0=52 +lon_0=13 +x_0=90000 +y_0=20000 +ellps=GRS80 +units=m',
    })
    expect(points.map(({ title, altitude }) => [title, altitude])).toEqual([
      ['A110', 74.25],
      ['A12', -1.25],
    ])
    expect(lines).toEqual([1, 2])
    // 1776.155 m east and 72.962 m north of 52 N, 13 E.
    expect((points[0]!.latitude - 52) * 111_270).toBeCloseTo(72.96, 0)
    expect((points[0]!.longitude - 13) * 68_677).toBeCloseTo(1776.15, 0)
  })

  test('reads feet of unit 1 as those of the system', async () => {
    const text = `*${word16('110002', 'GCP1')} ${word16('81..01', '1000000000')} ${word16('82..01', '500000000')} ${word16('83..01', '100000')}`
    const { points } = await surveyOf(text, { crs: 'EPSG:2264' })
    // cs2cs EPSG:2264 +to EPSG:4269; the other foot differs by 0.7 m.
    expect(points[0]!.latitude).toBeCloseTo(35.0775715926, 8)
    expect(points[0]!.longitude).toBeCloseTo(-82.3430834182, 8)
    expect(points[0]!.altitude).toBeCloseTo(30.48, 3)
  })

  test('counts a station with the same coordinates as a repeat, and fails one with others', async () => {
    const station = `*${word16('110003', 'ST1')} ${word16('84..00', '391776154')} ${word16('85..00', '5820072962')}`
    const { points, repeats, faulty } = await surveyOf(`${station}\n${station}\n${station.replace('154', '999')}`, {
      crs,
    })
    expect([points.length, repeats.length]).toEqual([1, 1])
    expect(faulty).toMatchObject([{ line: 3, faults: [{ code: 'DUPLICATE_TITLE' }] }])
  })

  test('fails blocks of measurements, truncated words, other units and invalid lines', async () => {
    const good = '110001+00000001 81..00+00391776 82..00+05820072'
    const text = [
      good,
      '110002+00000002 21.322+17920860 22.322+07567900 31..00+00003387',
      '110003+00000003 81..00+00391776 82..00+058200',
      '110004+00000004 81..02+00391776 82..02+05820072',
      'hello world',
    ].join('\n')
    const { points, faulty } = await surveyOf(text, { crs: '+proj=tmerc +lat_0=52 +lon_0=13 +ellps=GRS80 +units=m' })
    expect(points).toHaveLength(1)
    expect(faulty.map(({ title, line, faults }) => [title, line, faults[0]!.code])).toEqual([
      ['2', 2, 'NO_COORDINATES'],
      ['3', 3, 'NO_COORDINATES'],
      ['4', 4, 'NO_COORDINATES'],
      ['', 5, 'NO_COORDINATES'],
    ])
  })

  test('refuses a file with measurements only', async () => {
    await expect(surveyOf('110002+00000002 21.322+17920860 22.322+07567900 31..00+00003387\n')).rejects.toMatchObject({
      code: 'EMPTY_FILE',
      message: expect.stringContaining('words 81 to 86'),
    })
  })

  test('requires crs', async () => {
    await expect(surveyOf(gsi16)).rejects.toMatchObject({
      code: 'UNKNOWN_CRS',
      message: expect.stringContaining('crs='),
    })
  })

  test('names the line of a line without an end', async () => {
    await expect(surveyOf(`${gsi8}\n${'1'.repeat(100_000)}`, { crs }, 65_536)).rejects.toMatchObject({
      code: 'LINE_TOO_LONG',
      line: 3,
    })
  })
})
