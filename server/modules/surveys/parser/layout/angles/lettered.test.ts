import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

describe('rows without a header whose letters of the hemisphere have a field of their own', () => {
  test.each([
    'A,33.4612,S,70.6123,W\nB,33.4713,S,70.6224,W\n',
    'A,S,33.4612,W,70.6123\nB,S,33.4713,W,70.6224\n',
    'A,70.6123,W,33.4612,S\nB,70.6224,W,33.4713,S\n',
    'A;33,4612;S;70,6123;W\nB;33,4713;S;70,6224;W\n',
    'A 33.4612 S 70.6123 W\nB 33.4713 S 70.6224 W\n',
    '33.4612,S,70.6123,W\n33.4713,S,70.6224,W\n',
    'A,33.4612,S,70.6123,W,512.3\nB,33.4713,S,70.6224,W,510.2\n',
  ])('are read with their signs: %s', async (text) => {
    const { points, faulty } = await surveyOf(text)
    expect(faulty).toEqual([])
    expect(points.map(({ latitude, longitude }) => [latitude, longitude])).toEqual([
      [-33.4612, -70.6123],
      [-33.4713, -70.6224],
    ])
  })

  test('are read if a number has one decimal', async () => {
    const { points } = await surveyOf('A,33.4,S,70.6,W\n')
    expect(points[0]).toMatchObject({ latitude: -33.4, longitude: -70.6 })
  })

  test('lose only the row that has an error', async () => {
    const good = [1, 2, 3, 4].map((i) => `P${i},33.461${i},S,70.612${i},W\n`).join('')
    const { points, faulty } = await surveyOf(`${good}P5,33.46x5,S,70.6125,W\n`)
    expect(points).toHaveLength(4)
    expect(faulty[0]!.faults[0]).toMatchObject({ code: 'NOT_A_NUMBER' })
  })

  test('are refused if the numbers can be packed degrees, minutes and seconds, with a header line that decides', async () => {
    const text = 'A,33.2412,S,70.3123,W\nB,33.2513,S,70.3224,W\n'
    await expect(surveyOf(text)).rejects.toMatchObject({ code: 'AMBIGUOUS_ANGLES' })
    await expect(surveyOf(text)).rejects.toThrow('"title,lat,lat_ref,lon,lon_ref"')
    const { points } = await surveyOf(text, { header: 'title,lat,lat_ref,lon,lon_ref' })
    expect(points[0]).toMatchObject({ latitude: -33.2412, longitude: -70.3123 })
    const packed = await surveyOf(text, { angles: 'dms-packed' })
    expect(packed.points[0]!.latitude).toBeCloseTo(-33.4033, 4)
  })

  test('in degrees and minutes need angles=dms-packed', async () => {
    const text = 'A,3324.123,S,07036.45,W\nB,3324.223,S,07036.55,W\n'
    await expect(surveyOf(text)).rejects.toThrow('angles=dms-packed')
    const { points } = await surveyOf(text, { angles: 'dms-packed' })
    expect(points[0]!.latitude).toBeCloseTo(-33.40205, 5)
  })

  test.each([10, 4])('are all read or failed if the letters of a row are missing: %s rows', async (count) => {
    for (const row of ['P#,S33.76112#4,W70.67112#4', `P#,33°45'06.1#"S,70°40'07.2#"W`, 'P# S33.76112#4 W70.67112#4'])
      for (const bare of [1, 2, 3, count - 1]) {
        const lines = Array.from({ length: count }, (_, i) =>
          i === bare ? `P${i}${row.slice(2, 3)}33.77${row.slice(2, 3)}70.67` : row.replaceAll('#', String(i)),
        )
        const { points, faulty } = await surveyOf(`${lines.join('\n')}\n`)
        expect([points.length, faulty.map(({ line }) => line)]).toEqual([count - 1, [bare + 1]])
        expect(faulty[0]!.faults[0]).toMatchObject({ code: 'NOT_A_NUMBER', message: expect.stringContaining('N or S') })
      }
  })

  test.each([
    ['a field of its own', (i: number) => `P${i},33.8${i},S,70.8${i},W`, 'P7,33.86,,70.87,'],
    ['a field of its own, the first row', (i: number) => `P${i},33.8${i},S,70.8${i},W`, 'P0,33.86,,70.87,'],
    ['the angle', (i: number) => `P${i},33°27'0${i}.1"S,70°39'07.2"W`, `P7,33°27'06.1",70°39'07.2"`],
    [
      'the angle, and the longitude is bare',
      (i: number) => `P${i},33.86123${i} S,70.87123${i} W`,
      'P7,33.861231 S,70.871231',
    ],
  ])('in %s fail without their letter instead of crossing the equator', async (_, row, bare) => {
    const lines = [1, 2, 3, 4, 5, 6].map(row)
    const { points, faulty } = await surveyOf(
      `${(bare.startsWith('P0') ? [bare, ...lines] : [...lines, bare]).join('\n')}\n`,
    )
    expect(points).toHaveLength(6)
    expect(faulty).toHaveLength(1)
    expect(faulty[0]!.faults[0]!.message).toMatch(/has no letter.*write (?:N or S|E or W)/)
  })

  test('are read beside a row with a minus sign', async () => {
    const { points } = await surveyOf(
      'A,33.4612345 S,70.6123456 W\nB,33.4712345 S,70.6123456 W\nC,-33.4812345,-70.6123456\n',
    )
    expect(points[2]).toMatchObject({ latitude: -33.4812345, longitude: -70.6123456 })
  })
})

describe('metres of a grid whose letters have a field of their own, in rows without a header', () => {
  test.each([
    'P1,391716.15,E,5820072.3,N\nP2,391726.15,E,5820082.3,N\n',
    'P1;N;5820072,3;E;391716,15\nP2;N;5820082,3;E;391726,15\n',
    'P1,391716.15,E,5820072.3,N,35.2\n',
  ])('are read as such: %s', async (text) => {
    const { points, faulty } = await surveyOf(text, { crs: 'EPSG:25833' })
    expect(faulty).toEqual([])
    expect(points[0]!.latitude).toBeCloseTo(52.52, 2)
    expect(points[0]!.longitude).toBeCloseTo(13.404, 2)
  })

  test('need a reference system', async () => {
    await expect(surveyOf('P1,391716.15,E,5820072.3,N\n')).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
  })
})
