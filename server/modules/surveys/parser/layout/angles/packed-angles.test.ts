import fc from 'fast-check'
import proj4 from 'proj4'
import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'
import type { SurveyOptions } from '../../read-survey.ts'

const UTM33 = proj4('WGS84', '+proj=utm +zone=33 +datum=WGS84 +units=m').forward
const place = (i: number) => ({ latitude: 52.4201234 + i * 0.0031, longitude: 13.2401234 + i * 0.0047 })
const inBerlin = (latitude: number, longitude: number) =>
  latitude > 52.35 && latitude < 52.65 && longitude > 13.1 && longitude < 13.7

function parts(degrees: number) {
  const whole = Math.floor(degrees)
  const minutes = Math.floor((degrees - whole) * 60)
  return { whole, minutes, seconds: ((degrees - whole) * 60 - minutes) * 60, all: (degrees - whole) * 60 }
}
const two = (value: number, digits = 0) => value.toFixed(digits).padStart(digits ? 3 + digits : 2, '0')
/** Notations of the same angle, degrees first. */
const writings = {
  'DD.MMSSsss': (d: number) => `${parts(d).whole}.${two(parts(d).minutes)}${two(parts(d).seconds, 4).replace('.', '')}`,
  'DDMMSS.sss': (d: number) => `${parts(d).whole}${two(parts(d).minutes)}${two(parts(d).seconds, 4)}`,
  'DDMM.mmmm': (d: number) => `${parts(d).whole}${two(parts(d).all, 6)}`,
  decimal: (d: number) => d.toFixed(8),
}
type Writing = keyof typeof writings

function file(writing: Writing, { grid = false, count = 6, of = place } = {}) {
  const rows = Array.from({ length: count }, (_, i) => {
    const { latitude, longitude } = of(i)
    const [east, north] = UTM33([longitude, latitude]) as [number, number]
    const cells = [`P${i}`, writings[writing](latitude), writings[writing](longitude)]
    return [...cells, ...(grid ? [east.toFixed(3), north.toFixed(3)] : [])].join()
  })
  return `Name,Latitude,Longitude${grid ? ',Easting,Northing' : ''}\n${rows.join('\n')}\n`
}

async function refusal(text: string, options: SurveyOptions = {}) {
  const error = await surveyOf(text, options).then(
    () => undefined,
    (fault) => fault,
  )
  return error as { code: string; message: string } | undefined
}

const packed = ['DD.MMSSsss', 'DDMMSS.sss', 'DDMM.mmmm'] as const

describe('packed angles under latitude and longitude', () => {
  test.each(packed.flatMap((writing) => [[writing, 'EPSG:32633'] as const, [writing, undefined] as const]))(
    '%s: grid coordinates in the same row, in the system %s, prove them, and the file is refused with both readings',
    async (writing, crs) => {
      const refused = await refusal(file(writing, { grid: true }), { crs })
      expect(refused).toMatchObject({ code: 'AMBIGUOUS_ANGLES' })
      expect(refused!.message).toContain('latitude 52.4201234, longitude 13.2401234')
      expect(refused!.message).toContain(`Latitude "${writings[writing](place(0).latitude)}"`)
      expect(refused!.message).toMatch(/agree with Easting and Northing .*angles=dms-packed, or with angles=decimal/)
    },
  )

  test.each(packed)('%s: the zone proves them without a grid', async (writing) => {
    const refused = await refusal(file(writing), { inZone: inBerlin })
    expect(refused).toMatchObject({ code: 'AMBIGUOUS_ANGLES' })
    expect(refused!.message).toContain('only then the points are in their zone')
  })

  test.each(packed)('angles=dms-packed reads %s to the millimetre', async (writing) => {
    for (const options of [{}, { crs: 'EPSG:32633' }, { inZone: inBerlin }]) {
      const { points, faulty, warnings } = await surveyOf(file(writing, { grid: true }), {
        ...options,
        angles: 'dms-packed',
      })
      expect([faulty, warnings]).toEqual([[], []])
      for (const [i, { latitude, longitude }] of points.entries()) {
        expect(latitude).toBeCloseTo(place(i).latitude, 7)
        expect(longitude).toBeCloseTo(place(i).longitude, 7)
      }
      expect(points).toHaveLength(6)
    }
  })

  test('accepts a sign, a hemisphere letter in the cell or the next column, and a decimal comma', async () => {
    const at = { latitude: -52.52, longitude: -13.41 }
    for (const text of [
      'name;lat;lon\nA;-52,3112;-13,2436\n',
      'name,lat,lon\nA,S52.3112,W13.2436\n',
      'name,lat,lon\nA,52.3112S,13.2436 W\n',
      'name,lat,ns,lon,ew\nA,52.3112,S,13.2436,W\n',
      'name,lat,lon\nA,"-52 31 12",W13.2436\n',
    ]) {
      const { points, faulty } = await surveyOf(text, { angles: 'dms-packed' })
      expect(faulty).toEqual([])
      expect(points[0]!.latitude).toBeCloseTo(at.latitude, 10)
      expect(points[0]!.longitude).toBeCloseTo(at.longitude, 10)
    }
  })

  test('fails a row with minutes or seconds of 60 or more', async () => {
    const { points, faulty } = await surveyOf(
      'name,lat,lon\nA,52.3112,13.2436\nB,52.6012,13.2436\nC,52.3112,13.2460\n',
      {
        angles: 'dms-packed',
      },
    )
    expect(points.map(({ title }) => title)).toEqual(['A'])
    expect(faulty.map(({ row, faults }) => [row, faults[0]!.code, faults[0]!.column])).toEqual([
      [2, 'NOT_A_NUMBER', 'lat'],
      [3, 'NOT_A_NUMBER', 'lon'],
    ])
  })

  test('angles=decimal reads decimal degrees', async () => {
    const { points, warnings } = await surveyOf(file('DD.MMSSsss', { grid: true }), {
      crs: 'EPSG:32633',
      angles: 'decimal',
    })
    expect(points[0]!.latitude).toBe(Number(writings['DD.MMSSsss'](place(0).latitude)))
    expect(warnings.map(({ code }) => code)).toEqual(Array(6).fill('GRID_DISAGREES'))
  })

  test('accepts either reading if named, under a header that mentions minutes and seconds', async () => {
    const text = 'name,lat(dms),lon(dms)\nA,37.301200,-122.301200\n'
    expect((await surveyOf(text)).faulty[0]!.faults[0]!.message).toContain('angles=dms-packed')
    expect((await surveyOf(text, { angles: 'decimal' })).points[0]!.latitude).toBe(37.3012)
    expect((await surveyOf(text, { angles: 'dms-packed' })).points[0]!.latitude).toBeCloseTo(37.50333333, 8)
  })

  test('refuses angles=dms-packed for a file without latitude and longitude', async () => {
    const refused = await refusal('name,E,N\nA,391776.15,5820072.96\n', { crs: 'EPSG:25833', angles: 'dms-packed' })
    expect(refused).toMatchObject({ code: 'AMBIGUOUS_ANGLES' })
  })

  test('reads decimal degrees that agree with their grid or zone, with any digits', async () => {
    // Every value has minutes and seconds below 60.
    const of = (i: number) => ({ latitude: 52.41111111 + i * 0.0101, longitude: 13.21111111 + i * 0.0201 })
    for (const options of [{ crs: 'EPSG:32633' }, {}, { inZone: inBerlin }]) {
      const { points, notices, warnings } = await surveyOf(file('decimal', { grid: true, count: 24, of }), options)
      expect([points.length, warnings.length]).toEqual([24, 0])
      expect(notices.map(({ code }) => code)).not.toContain('ANGLES_ASSUMED')
    }
  })
})

describe('angles without other evidence', () => {
  test('are degrees if the longitude counts to 360: the row fails, and the message has the number to write', async () => {
    const { points, faulty } = await surveyOf('name,lat,lon\nA,39.098,220.717\nB,39.099,220.718\n')
    expect(points).toEqual([])
    expect(faulty[0]!.faults[0]).toMatchObject({
      code: 'LONGITUDE_RANGE',
      message: expect.stringContaining('write -139.283'),
    })
  })

  test('warns if all values have valid minutes and seconds, which chance does not explain', async () => {
    const of = (i: number) => ({ latitude: 52.0201234 + i * 0.031, longitude: 13.0401234 + i * 0.047 })
    const { points, notices } = await surveyOf(file('DD.MMSSsss', { count: 30, of }))
    expect(points).toHaveLength(30)
    expect(notices).toContainEqual(
      expect.objectContaining({ code: 'ANGLES_ASSUMED', message: expect.stringContaining('angles=dms-packed') }),
    )
    const settled = await surveyOf(file('DD.MMSSsss', { count: 30, of }), { angles: 'decimal' })
    expect(settled.notices.map(({ code }) => code)).not.toContain('ANGLES_ASSUMED')
  })

  test('does not warn for decimal degrees of a country or a small site', { tags: ['long'] }, async () => {
    let doubted = 0
    // Smaller longitudes beside small latitudes may be radians.
    const site = fc.record({
      latitude: fc.double({ min: 1, max: 80, noNaN: true }),
      longitude: fc.double({ min: 4, max: 170, noNaN: true }),
      size: fc.constantFrom(1e-4, 1e-3, 1e-2, 0.1, 1, 9),
      count: fc.integer({ min: 20, max: 49 }),
      seed: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
    })
    await fc.assert(
      fc.asyncProperty(site, async ({ latitude, longitude, size, count, seed }) => {
        const next = () => seed.next().value as number
        const of = () => ({ latitude: latitude + size * next(), longitude: longitude + size * next() })
        const { notices } = await surveyOf(file('decimal', { count, of }), {}, 4096)
        if (notices.some(({ code }) => code === 'ANGLES_ASSUMED')) doubted++
      }),
      { numRuns: 400 },
    )
    expect(doubted).toBe(0)
  })
})

describe('latitude and longitude beside contradicting grid coordinates', () => {
  const text = (off: number) => {
    const { latitude, longitude } = place(0)
    const [east, north] = UTM33([longitude, latitude]) as [number, number]
    return `name,lat,lon,E,N\nA,${latitude},${longitude},${east},${north}\nB,${latitude},${longitude},${east + off},${north}\n`
  }

  test('warns of a row whose two positions differ by more than 100 m, with the distance', async () => {
    const { points, warnings } = await surveyOf(text(101), { crs: 'EPSG:32633' })
    expect(points).toHaveLength(2)
    expect(warnings).toMatchObject([{ row: 2, code: 'GRID_DISAGREES', message: expect.stringContaining('101 m away') }])
    expect((await surveyOf(text(99), { crs: 'EPSG:32633' })).warnings).toEqual([])
  })

  test('compares a grid only if its system is known', async () => {
    expect((await surveyOf(text(5000))).warnings).toEqual([])
    const rows = text(5000)
      .replace('E,N', 'E,N,epsg')
      .replace(/(\d)\n(?=B|$)/g, '$1,32633\n')
    expect((await surveyOf(rows)).warnings).toMatchObject([{ row: 2, code: 'GRID_DISAGREES' }])
  })
})
