import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const comments = '% program   : RTKPOST ver.2.4.3 b34\n% inp file  : rover.obs\n%\n'
const about = (datum = 'WGS84/ellipsoidal') =>
  `% (lat/lon/height=${datum},Q=1:fix,2:float,3:sbas,4:dgps,5:single,6:ppp,ns=# of satellites)\n`
const columns =
  '%  GPST                  latitude(deg) longitude(deg)  height(m)   Q  ns   sdn(m)   sde(m)   sdu(m)  sdne(m)  sdeu(m)  sdun(m) age(s)  ratio\n'
const row = (time: string, q = 1) =>
  `${time}   52.520006600   13.404954000    74.2500   ${q}  12   0.0030   0.0040   0.0090   0.0010  -0.0010   0.0020   1.00   45.2\n`

describe('RTKLIB .pos', () => {
  test('reads a line as a point named by its time, with ellipsoidal height and deviations', async () => {
    const { points, lines, faulty, detected } = await surveyOf(
      `${comments}${about()}${columns}${row('2024/05/04 12:00:01.000')}${row('2024/05/04 12:00:02.000', 2)}`.replaceAll(
        '\n',
        '\r\n',
      ),
    )
    expect(faulty).toEqual([])
    expect(detected.format).toBe('rtklib')
    expect(lines).toEqual([6, 7])
    expect(points[0]).toMatchObject({
      title: '2024/05/04 12:00:01.000',
      latitude: 52.5200066,
      longitude: 13.404954,
      h: 74.25,
      heightDatum: 'ellipsoid',
      description: 'fix, 12 satellites',
      accuracyV: 0.009,
    })
    expect(points[0]!.accuracyH).toBeCloseTo(0.005, 9)
    expect(points[1]!.description).toBe('float, 12 satellites')
  })

  test('reads week and time of week', async () => {
    const { points } = await surveyOf(`${about()}${columns}${row('2312 561601.000')}`)
    expect(points).toMatchObject([{ title: '2312 561601.000', latitude: 52.5200066 }])
  })

  test('reads a height that the header calls geodetic as above the sea', async () => {
    const { points } = await surveyOf(`${about('WGS84/geodetic')}${columns}${row('2312 561601.000')}`)
    expect(points[0]!.heightDatum).toBe('orthometric')
  })

  test('reads degrees, minutes and seconds', async () => {
    const { points } = await surveyOf(
      `${about()}%  UTC   latitude(d'") longitude(d'")  height(m)   Q  ns\n2024/05/04 12:00:01.000   52 31 12.02376  -13 24 17.83440   74.25   1  12\n`,
    )
    expect(points[0]!.latitude).toBeCloseTo(52.5200066, 10)
    expect(points[0]!.longitude).toBeCloseTo(-13.404954, 10)
  })

  test.each([',', ';'])('splits fields at %s', async (sign) => {
    const text = `%  GPST                 ${sign}latitude(deg)${sign}longitude(deg)${sign} height(m)${sign}  Q${sign} ns\n2024/05/04 12:00:01.000${sign}   52.520006600${sign}   13.404954000${sign}    74.2500${sign}   1${sign}  12\n`
    const { points } = await surveyOf(text)
    expect(points).toMatchObject([
      { title: '2024/05/04 12:00:01.000', latitude: 52.5200066, h: 74.25, description: 'fix, 12 satellites' },
    ])
  })

  // cs2cs EPSG:4979 +to EPSG:4978 of 52.5200066 13.404954 74.25.
  test('reads geocentric positions', async () => {
    const text = `% (x/y/z-ecef=WGS84,Q=1:fix)\n%  GPST                      x-ecef(m)      y-ecef(m)      z-ecef(m)   Q  ns   sdx(m)\n2024/05/04 12:00:01.000   3783289.1613   901652.3020   5038278.4690   1  12   0.0030\n`
    const { points } = await surveyOf(text)
    expect(points[0]!.latitude).toBeCloseTo(52.5200066, 8)
    expect(points[0]!.longitude).toBeCloseTo(13.404954, 8)
    expect(points[0]!.h).toBeCloseTo(74.25, 3)
  })

  test('refuses baselines, which have no position', async () => {
    const text = `% (e/n/u-baseline=WGS84,Q=1:fix)\n%  GPST                  e-baseline(m)  n-baseline(m)  u-baseline(m)   Q  ns\n2024/05/04 12:00:01.000   12.5   13.5   0.25   1  12\n`
    await expect(surveyOf(text)).rejects.toMatchObject({
      code: 'NOT_A_TABLE',
      message: expect.stringContaining('Lat/Lon/Height'),
    })
  })

  test('fails lines without a solution', async () => {
    const { points, faulty } = await surveyOf(
      `${about()}${columns}${row('2312 561601.000')}2312 561602.000   52.5\n2312 561603.000   nan   nan   0\nhello\n`,
    )
    expect(points).toHaveLength(1)
    expect(faulty.map(({ title, line, faults }) => [title, line, faults[0]!.code])).toEqual([
      ['2312 561602.000', 4, 'NO_COORDINATES'],
      ['2312 561603.000', 5, 'NOT_A_NUMBER'],
      ['', 6, 'NO_COORDINATES'],
    ])
  })

  test('refuses a file without a solution, and a line without an end', async () => {
    await expect(surveyOf(`${about()}${columns}`)).rejects.toMatchObject({ code: 'EMPTY_FILE' })
    await expect(surveyOf(`${columns}${'9'.repeat(100_000)}`, {}, 65_536)).rejects.toMatchObject({
      code: 'LINE_TOO_LONG',
      line: 2,
    })
  })
})
