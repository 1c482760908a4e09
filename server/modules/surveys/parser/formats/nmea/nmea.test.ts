import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'
import { checksumOf } from './sentences.ts'

const sentence = (body: string) => `$${body}*${checksumOf(body)}`
const gga = (time: string, quality = 4) =>
  sentence(`GNGGA,${time},5231.200396,N,01324.297240,E,${quality},14,0.8,34.750,M,39.500,M,1.0,0000`)
const gst = (time: string) => sentence(`GNGST,${time},0.9,0.02,0.01,45.0,0.012,0.016,0.025`)
const rmc = (time: string) => sentence(`GNRMC,${time},A,5231.200396,N,01324.297240,E,0.0,,040524,,,R`)

describe('NMEA 0183', () => {
  test('computes the checksum of a published sentence', () => {
    expect(checksumOf('GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,')).toBe('47')
  })

  test('reads a GGA as a point: ellipsoidal height, altitude, accuracies of GST, named by date and time', async () => {
    const text = [rmc('120001.00'), gga('120001.00'), gst('120001.00'), gga('120002.00', 5), rmc('120002.00')].join(
      '\r\n',
    )
    const { points, faulty, lines, detected } = await surveyOf(`${text}\r\n`)
    expect(faulty).toEqual([])
    expect(detected.format).toBe('nmea')
    expect(lines).toEqual([2, 4])
    expect(points[0]).toMatchObject({
      title: '2024-05-04 12:00:01.00',
      description: 'RTK fixed, 14 satellites, HDOP 0.8',
      h: 74.25,
      altitude: 34.75,
      heightDatum: 'ellipsoid',
      accuracyV: 0.025,
    })
    expect(points[0]!.accuracyH).toBeCloseTo(0.02, 9)
    expect(points[0]!.latitude).toBeCloseTo(52.5200066, 9)
    expect(points[0]!.longitude).toBeCloseTo(13.404954, 9)
    expect(points[1]).toMatchObject({ title: '2024-05-04 12:00:02.00', accuracyH: null })
  })

  test.each([
    '3352.128,,07036.5,W,1,08,0.9,545.4,M,',
    '3352.128,S,07036.5,,1,08,0.9,545.4,M,',
    '3352.128,S,07036.5,W,1,08,0.9,545.4,F,',
  ])('fails a position without its hemisphere and heights in another unit: %s', async (body) => {
    const { points, faulty } = await surveyOf(`${gga('120001.00')}\r\n${sentence(`GPGGA,120002,${body}20.1,M,,`)}`)
    expect(points).toHaveLength(1)
    expect(faulty).toMatchObject([{ row: 2, faults: [{ code: 'NOT_A_NUMBER' }] }])
  })

  test('reads heights whose unit is a small letter, and does not take the age of corrections for a unit', async () => {
    const body = '4807.038,N,01131.000,E,4,08,0.9,545.4'
    for (const end of ['m,46.9,m,,', 'M,,,1.0,0000', 'M,46.9,1.0'])
      expect((await surveyOf(sentence(`GPGGA,120002,${body},${end}`))).points).toMatchObject([{ altitude: 545.4 }])
  })

  test('reads south and west as negative; without the geoid separation only the altitude is known', async () => {
    const { points } = await surveyOf(sentence('GPGGA,1,3352.128,S,07036.5,W,1,08,0.9,545.4,M,,M,,'))
    expect(points[0]).toMatchObject({
      latitude: -33.8688,
      longitude: -70.608333333333,
      altitude: 545.4,
      heightDatum: 'orthometric',
    })
  })

  test('fails a fix of quality 0, a simulated one and a wrong checksum', async () => {
    const text = [
      gga('120001.00'),
      gga('120002.00', 0),
      gga('120003.00', 8),
      gga('120004.00').replace('5231', '5331'),
    ].join('\n')
    const { points, faulty } = await surveyOf(text)
    expect(points).toHaveLength(1)
    expect(faulty.map(({ line, faults }) => [line, faults[0]!.code])).toEqual([
      [2, 'NO_FIX'],
      [3, 'NO_FIX'],
      [4, 'BAD_CHECKSUM'],
    ])
  })

  test('reads GNS; beside the GGA of its epoch it is a repeat', async () => {
    const gns = (time: string) =>
      sentence(`GNGNS,${time},5231.200396,N,01324.297240,E,RRNN,14,0.8,34.750,39.500,1.0,0000`)
    const { points, repeats } = await surveyOf(
      [gga('1'), gns('1'), gns('2'), gns('3').replace('RRNN', 'NNNN').replace(/\*..$/, '')].join('\n'),
    )
    expect(points.map(({ h }) => h)).toEqual([74.25, 74.25])
    expect(repeats).toHaveLength(1)
  })

  test("ignores a logger's prefix, and counts lines that are not NMEA", async () => {
    const text = `# receiver started\n${gga('120001.00')}\n2024-05-04 12:00:02 ${gga('120002.00')}\n\\s:r1*00\\${gga('120003.00')}\n`
    const { points, notices } = await surveyOf(text)
    expect(points).toHaveLength(3)
    expect(notices).toContainEqual(
      expect.objectContaining({ code: 'RECORDS_LEFT_OUT', message: expect.stringMatching(/^1 line was/) }),
    )
  })

  test('refuses a log without GGA or GNS, and says what to record', async () => {
    await expect(surveyOf(rmc('120001.00'))).rejects.toMatchObject({
      code: 'EMPTY_FILE',
      message: expect.stringContaining('GGA'),
    })
  })

  test('refuses a log of damaged sentences alone with their fault', async () => {
    await expect(surveyOf(`${gga('120001.00').replace(/.$/, 'Z')}\n`)).rejects.toMatchObject({
      code: 'EMPTY_FILE',
      message: expect.stringMatching(
        /its first record \(line 1\) fails: the sentence is damaged: its checksum is wrong/,
      ),
    })
  })

  test('bounds 20,000 fixes of one time, and counts each', async () => {
    const { points, repeats, faulty } = await surveyOf(`${gga('1')}\n`.repeat(20_000), {}, 65_536)
    expect(points.length + repeats.length + faulty.length).toBe(20_000)
    await expect(surveyOf(`${gga('1')}\n$GPGGA,${'1'.repeat(60_000)}`, {}, 65_536)).rejects.toMatchObject({
      code: 'LINE_TOO_LONG',
    })
  })
})
