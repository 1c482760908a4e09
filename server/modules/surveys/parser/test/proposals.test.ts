import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../test/surveying/survey.ts'
import type { SurveyOptions } from '../read-survey.ts'

const inBerlin = (latitude: number, longitude: number) => Math.hypot(latitude - 52.52, longitude - 13.41) < 0.3
const east = (i: number) => (391776.15 + i * 10).toFixed(2)
const north = (i: number) => (5820072.96 + i * 10).toFixed(2)
const lines = (write: (i: number) => string, count = 6) =>
  Array.from({ length: count }, (_, i) => `${write(i)}\n`).join('')

async function refusal(text: string, options: SurveyOptions = {}) {
  return (await surveyOf(text, options).then(
    () => undefined,
    (error) => error,
  )) as { code: string; message: string } | undefined
}
const proposedIn = (message: string) =>
  [...message.matchAll(/"([^"]*(?:lat|northing|easting)[^"]*)"/g)].map((match) => match[1]!)

/** Degrees, minutes and seconds of a place near 52.52, 13.41. */
const parts = (i: number) => [`52 31 ${(12.02 + i).toFixed(2)}`, `13 24 ${(36.5 + i).toFixed(2)}`]

describe('degrees, minutes and seconds in separate columns', () => {
  test.each([
    ['title,lat_d,lat_m,lat_s,lon_d,lon_m,lon_s,z', ','],
    ['title;Lat Deg;Lat Min;Lat Sec;Lon Deg;Lon Min;Lon Sec;z', ';'],
    ['title\tlat°\tm\ts\tlon°\tm\ts\tz', '\t'],
    ['title lat° m s lon° m s z', ' '],
    ['title,latitude_degrees,\',",longitude_degrees,\',",z'.replaceAll('"', '""""'), ','],
  ])('are read under the header %s', async (header, delimiter) => {
    const rows = lines((i) => [`P${i}`, ...parts(i).join(' ').split(' '), '36.5'].join(delimiter))
    const { points, faulty } = await surveyOf(`${header}\n${rows}`)
    expect(faulty).toEqual([])
    expect(points).toHaveLength(6)
    expect(points[0]!.latitude).toBeCloseTo(52 + 31 / 60 + 12.02 / 3600, 10)
    expect(points[0]!.longitude).toBeCloseTo(13 + 24 / 60 + 36.5 / 3600, 10)
    expect(points[0]!.altitude).toBe(36.5)
  })

  test('reads coordinates given twice that agree, in metres and feet', async () => {
    const file = 'name,E (m),N (m),E (ft),N (ft)\nA,391776.15,5820072.96,1285354.823,19094727.559\n'
    expect((await surveyOf(file, { crs: 'EPSG:25833' })).points).toHaveLength(1)
  })

  test.each([
    ['name,E (design),N (design),E (measured),N (measured)', 'A,391776.15,5820072.96,391775.25,5820072.96', true],
    ['name,E (design),N (design),E (measured),N (measured)', 'A,391776.15,5820072.96,391776.16,5820072.95', false],
    ['name,lon (RTK),lat (RTK),lon (PPK),lat (PPK)', 'A,13.4,52.5,13.4000004,52.5', true],
    ['name,lat,lon,latitude,longitude', 'A,52.5,13.4,52.6,13.4', true],
    ['name,lat,lon,latitude,longitude', 'A,52.5,13.4,52.5,13.4', false],
    ['name,Easting,Northing,E,N', 'A,391776.15,5820072.96,391781.15,5820072.96', true],
    ['name,Easting,Northing,Westing,Southing', 'A,391776.15,5820072.96,-391776.15,-5820072.96', false],
  ])(
    'says which of two pairs was read if their words or, by less than a metre, only their values differ: %s %s',
    async (header, row, differs) => {
      const { points, notices } = await surveyOf(`${header}\n${row}\n`, { crs: 'EPSG:25833' })
      expect(points).toHaveLength(1)
      const assumed = notices.filter(({ code }) => code === 'COLUMNS_ASSUMED').map(({ message }) => message)
      expect(assumed).toEqual(
        differs ? [expect.stringMatching(/the first was read, although .* header= and the line/)] : [],
      )
    },
  )

  test('reads the first of two pairs in two systems', async () => {
    const file =
      'name,E (EPSG:25833),N (EPSG:25833),E (EPSG:31468),N (EPSG:31468)\nA,391776.15,5820072.96,4595461.15,5821895.23\n'
    const { detected, points } = await surveyOf(file)
    expect(detected).toMatchObject({ crs: 'EPSG:25833', columns: { easting: 'E (EPSG:25833)' } })
    expect(points[0]!.latitude).toBeCloseTo(52.52, 3)
    await expect(surveyOf(file, { crs: 'EPSG:31468' })).rejects.toMatchObject({ code: 'AMBIGUOUS_COLUMNS' })
  })

  test('says which of two heights was read if they differ', async () => {
    const codes = async (heights: string) =>
      (await surveyOf(`name,lat,lon,Z (a),Z (b)\nA,52.5,13.4,${heights}\n`)).notices.map(({ code }) => code)
    expect(await codes('34.2,31.1')).toContain('HEIGHTS_NOT_READ')
    expect(await codes('34.2,34.21')).not.toContain('HEIGHTS_NOT_READ')
  })

  test.each(['A,TQ 30123 80456,12\nB,TQ3020080500,13\n', 'A,TQ 30123 80456,34.2,0.02\nB,TQ3020080500,34.3,0.02\n'])(
    'refuses grid references, and says what to export',
    async (file) => {
      await expect(surveyOf(file)).rejects.toMatchObject({
        code: 'AMBIGUOUS_COLUMNS',
        message: expect.stringMatching(/^grid references such as .* export latitude and longitude/),
      })
    },
  )

  test.each([
    'TP100200,391776.15,5820072.96,34.2\nTP100201,391777.15,5820073.96,34.3\n',
    'EPSG:25833\nGP000001 391776.15 5820072.96\nGP000002 391777.15 5820073.96\n',
  ])('reads titles that look like grid references beside coordinates: %s', async (file) => {
    const { points, faulty } = await surveyOf(file, { crs: 'EPSG:25833' })
    expect([points.length, faulty]).toEqual([2, []])
  })

  test.each([
    [
      'name,E (design),N (design),E (measured),N (measured)',
      'A,391776.15,5820072.96,391771.15,5820067.96',
      'EPSG:25833',
    ],
    ['name,Site East,Site North,UTM East,UTM North', 'A,391376.15,5820272.96,391771.15,5820067.96', 'EPSG:25833'],
    ['name,lon (RTK),lat (RTK),lon (PPK),lat (PPK)', 'A,13.4,52.5,13.4005,52.5004', undefined],
  ])('refuses two pairs of coordinates that differ, with a header line for each: %s', async (header, row, crs) => {
    const file = `${header}\n${row}\n`
    const refusal = await surveyOf(file, { crs }).catch((error) => error)
    expect(refusal.code).toBe('AMBIGUOUS_COLUMNS')
    const lines = [...refusal.message.matchAll(/"([^"]*,[^"]*)"/g)].map(([, line]) => line)
    const places = await Promise.all(lines.map((line) => surveyOf(file, { crs, header: line })))
    expect(places.map(({ points }) => points.length)).toEqual([1, 1])
    expect(places[0]!.points[0]!.latitude).not.toBeCloseTo(places[1]!.points[0]!.latitude, 5)
  })

  test('are read as south and west by a sign, also before a zero, and with minutes only', async () => {
    const { points } = await surveyOf('title,lat_d,lat_m,lat_s,lon_d,lon_m,lon_s\nA,-33,30,36.0,-0,15,18.0\n')
    expect(points[0]!.latitude).toBeCloseTo(-33.51, 10)
    expect(points[0]!.longitude).toBeCloseTo(-0.255, 10)
    const minutes = await surveyOf('title,lat_d,lat_m,lon_d,lon_m\nA,-33,30.6,151,12.5\nB,-33,30,151,12\n')
    expect(minutes.points[0]!.latitude).toBeCloseTo(-33.51, 10)
    expect(minutes.points[1]!.longitude).toBeCloseTo(151.2, 10)
  })

  const list = lines((i) => `P${i}   nail  ${parts(i).join('  ')}   36.5`)

  test('are assigned to latitude and longitude by the zone, without a header', async () => {
    for (const turned of [false, true]) {
      const text = turned ? list.replaceAll(/(52 31 [\d.]+) {2}(13 24 [\d.]+)/g, '$2  $1') : list
      const { points, faulty } = await surveyOf(text, { inZone: inBerlin })
      expect(faulty).toEqual([])
      expect(points[0]).toMatchObject({ title: 'P0', description: 'nail', altitude: 36.5 })
      expect(points[0]!.latitude).toBeCloseTo(52 + 31 / 60 + 12.02 / 3600, 10)
    }
  })

  test('are refused without a header or zone, with proposed header lines that read the file', async () => {
    const refused = await refusal(list)
    const proposed = proposedIn(refused!.message)
    expect(proposed).toEqual([
      'title description lat_d lat_m lat_s lon_d lon_m lon_s z',
      'title description lon_d lon_m lon_s lat_d lat_m lat_s z',
    ])
    const { points, faulty } = await surveyOf(list, { header: proposed[0] })
    expect([points.length, faulty]).toEqual([6, []])
    expect(points[0]!.latitude).toBeCloseTo(52 + 31 / 60 + 12.02 / 3600, 10)
    expect((await surveyOf(`${proposed[0]}\n${list}`)).points).toEqual(points)
  })

  test('are assigned by hemisphere letters in separate columns', async () => {
    const text = lines((i) => `P${i} ${parts(i)[0]} S ${parts(i)[1]} W 36.5`)
    const { points } = await surveyOf(text)
    expect(points[0]!.latitude).toBeCloseTo(-(52 + 31 / 60 + 12.02 / 3600), 10)
    expect(points[0]!.longitude).toBeCloseTo(-(13 + 24 / 60 + 36.5 / 3600), 10)
  })

  test('fail in a row without one of them', async () => {
    const { points, faulty } = await surveyOf(
      'title,lat_d,lat_m,lat_s,lon_d,lon_m,lon_s\nA,52,31,12.5,13,24,36.5\nB,52,61,12.5,13,24,36.5\nC,52,31\nD,,,,13,24,36.5\n',
    )
    expect(points.map(({ title }) => title)).toEqual(['A'])
    expect(faulty.map(({ row }) => row)).toEqual([2, 3, 4])
  })

  test('are not read from a repeated header or from whole degrees in single columns', async () => {
    const header = 'title,lat_d,lat_m,lat_s,lon_d,lon_m,lon_s'
    const { points, faulty } = await surveyOf(
      `${header}\nA,52,31,12.5,13,24,36.5\n${header}\nB,52,31,13.5,13,24,36.5\n`,
    )
    expect([points.length, faulty]).toEqual([2, []])
    expect((await surveyOf('title,lat,lon,m\nA,52,13,5\n')).points[0]).toMatchObject({ latitude: 52, longitude: 13 })
  })
})

describe('a header line is proposed only after it was tried on the file', { tags: ['long'] }, () => {
  const shapes: Record<string, (i: number) => string> = {
    'title, north, east': (i) => `P${i},${north(i)},${east(i)},36.5`,
    'title, latitude, longitude': (i) => `P${i},52.5${i}034,13.4${i}012,36.5`,
    'latitude, longitude': (i) => `52.5${i}034,13.4${i}012`,
    'title, text, longitude, latitude': (i) => `P${i},nail,13.4${i}012,52.5${i}034`,
    'five numbers': (i) => `P${i},52.5${i}034,13.4${i}012,36.5,0.02`,
    'packed angles': (i) => `P${i},52.311${i}12,13.241${i}36,36.5`,
    'angles with letters': (i) => `P${i},N52.311${i}12,E13.241${i}36,36.5`,
    'an unknown header': (i) => (i === 0 ? 'Kennung,Wert eins,Wert zwei' : `P${i},52.5${i}034,13.4${i}012`),
    'an unknown header of a grid': (i) => (i === 0 ? 'Kennung,Wert eins,Wert zwei' : `P${i},${north(i)},${east(i)}`),
    'names without a meaning': (i) => (i === 0 ? 'field_1,field_2,field_3' : `P${i},52.5${i}034,13.4${i}012`),
    'parts of angles': (i) => `P${i} nail ${parts(i).join(' ')} 36.5`,
    'whole degrees': (i) => `P${i},52,5${i},13,4${i}`,
    'three numbers': (i) => `52.5${i}034 13.4${i}012 36.5`,
  }
  const elsewhere = (latitude: number, longitude: number) => Math.hypot(latitude - 10, longitude - 100) < 1
  const options: SurveyOptions[] = [
    {},
    { inZone: inBerlin },
    { inZone: elsewhere },
    { crs: 'EPSG:25833' },
    { crs: 'EPSG:25833', inZone: inBerlin },
    { crs: 'EPSG:2056' },
    { crs: 'EPSG:4326' },
  ]

  test.each(Object.entries(shapes))('%s', async (_, write) => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...options), fc.integer({ min: 2, max: 9 }), async (given, count) => {
        const text = lines(write, count)
        const refused = await refusal(text, given)
        for (const header of refused ? proposedIn(refused.message) : []) {
          const { points, faulty, warnings } = await surveyOf(text, { angles: 'decimal', ...given, header })
          expect(faulty).toEqual([])
          expect(points.length).toBeGreaterThanOrEqual(count - 1)
          if (given.inZone) for (const point of points) expect(given.inZone(point.latitude, point.longitude)).toBe(true)
          expect(warnings).toEqual([])
        }
      }),
      { numRuns: 20 },
    )
  })

  test('proposes no header line if no column order is in the zone', async () => {
    const refused = await refusal(lines(shapes['title, latitude, longitude']!), { inZone: elsewhere })
    expect(proposedIn(refused!.message)).toEqual([])
    expect(refused!.message).toContain('are not in the zone')
  })

  test('proposes packed angles if only they are in the zone', async () => {
    const text = lines((i) => `P${i},52.311${i}12,13.241${i}36,36.5`)
    const near = (latitude: number, longitude: number) => Math.hypot(latitude - 52.52, longitude - 13.405) < 0.02
    expect(await refusal(text, { inZone: near })).toMatchObject({
      code: 'AMBIGUOUS_ANGLES',
      message: expect.stringContaining('angles=dms-packed'),
    })
    const { points } = await surveyOf(text, { inZone: near, angles: 'dms-packed' })
    expect(points[0]!.latitude).toBeCloseTo(52 + 31 / 60 + 10.12 / 3600, 8)
  })

  test('proposes no header line for decimals split at their commas', async () => {
    const refused = await refusal(lines(shapes['whole degrees']!), { inZone: inBerlin })
    expect(proposedIn(refused!.message)).toEqual([])
  })
})

test('proposes the system in which most points are in their zone, also where some rows have their axes exchanged', async () => {
  const inZone = (latitude: number, longitude: number) =>
    Math.abs(latitude - 51.5) < 0.1 && Math.abs(longitude + 2.6) < 0.1
  const rows = ['A,527461,5699707', 'B,527501,5699701', 'C,5699705,527536', 'D,527561,5699707']
  const read = (lines: string[]) => surveyOf(`Name,Rechtswert,Hochwert\n${lines.join('\n')}\n`, { inZone })
  await expect(read(rows)).rejects.toThrow('in EPSG:32630 the points would be in their zone')
  const half = [rows[0]!, rows[2]!]
  await expect(read(half)).rejects.toThrow('with the code of its own system instead')
})
