import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const berlin = { latitude: 52.52, longitude: 13.40495 }
const santiago = { latitude: -33.45559, longitude: -70.64088 }

describe('zones of UTM in two columns', () => {
  test.each([
    ['Name,Easting,Northing,Zone,Hemisphere\nA,391776.155,5820072.1,33,N\n', berlin],
    ['Name,Easting,Northing,Zone,N/S\nA,391776.155,5820072.1,33,North\n', berlin],
    ['Name,Easting,Northing,Zone,\nA,391776.155,5820072.1,33,N\n', berlin],
    ['Name,Zone,Band,Easting,Northing\nA,33,U,391776.155,5820072.1\n', berlin],
    ['Name,UTM Zone,Hemisphere,Easting,Northing\nA,19,S,347500.1,6297000.2\n', santiago],
    ['Name,Easting,Northing,Zone,Hemisphere\nA,347500.1,6297000.2,19,southern\n', santiago],
  ])('are read: %s', async (text, place) => {
    const { points, faulty, notices } = await surveyOf(text)
    expect(faulty).toEqual([])
    expect(points[0]!.latitude).toBeCloseTo(place.latitude, 4)
    expect(points[0]!.longitude).toBeCloseTo(place.longitude, 4)
    expect(notices[0]).toMatchObject({ code: 'COLUMNS_ASSUMED' })
  })

  test('may differ from row to row', async () => {
    const { points } = await surveyOf(
      'Name,Easting,Northing,Zone,Hemisphere\nA,391776.155,5820072.1,33,N\nB,347500.1,6297000.2,19,S\n',
    )
    expect(points.map(({ latitude }) => Math.round(latitude))).toEqual([53, -33])
  })

  test('that lack the hemisphere are refused: by the file, or by the row if the header names UTM', async () => {
    const rows = 'A,391776.155,5820072.1,33\n'
    await expect(surveyOf(`Name,Easting,Northing,Zone\n${rows}`)).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
    const { points, faulty } = await surveyOf(`Name,Easting,Northing,UTM Zone\n${rows}`)
    expect(points).toEqual([])
    expect(faulty[0]!.faults[0]).toMatchObject({ code: 'UNKNOWN_CRS', message: expect.stringContaining('33N or 33S') })
  })

  test('that name a band far from the northing are not read', async () => {
    const text = 'Name,Zone,Band,Easting,Northing\nA,33,K,391776.155,5820072.1\n'
    await expect(surveyOf(text)).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
  })
})

describe('zones of UTM beside a system of UTM for the file', () => {
  const text = (zone: string) => `Name,Easting,Northing,UTM Zone\nA,391776.155,5820072.1,${zone}\n`

  test.each(['33', '33N', '33U'])('keep its datum: %s', async (zone) => {
    const { points } = await surveyOf(text(zone), { crs: 'EPSG:25833' })
    expect(points[0]!.transformation).toMatchObject({ crs: 'EPSG:25833' })
  })

  test.each([
    ['EPSG:25833', '32N', 'EPSG:25832'],
    ['EPSG:25833', '32', 'EPSG:25832'],
    ['EPSG:3045', '32U', 'EPSG:3044'],
    ['EPSG:25833+7837', '32N', 'EPSG:25832+7837'],
  ])('keep its datum in another zone: %s with %s', async (crs, zone, used) => {
    const { points } = await surveyOf(`${text('33N')}B,691875.6,5334905.5,${zone}\n`, { crs })
    expect(points.map(({ transformation }) => transformation?.crs)).toEqual([crs, used])
    expect(points[1]!.longitude).toBeCloseTo(11.577, 2)
  })

  test('are in the hemisphere that they name', async () => {
    const row = (zone: string) => `title,crs,easting,northing\nA,${zone},491776.1,8900000.2\n`
    const { points } = await surveyOf(row('33L'), { crs: 'EPSG:32633' })
    expect(points[0]).toMatchObject({ transformation: { crs: 'EPSG:32733' } })
    expect(points[0]!.latitude).toBeCloseTo(-9.95, 2)
    expect((await surveyOf(row('33S'), { crs: 'EPSG:32633' })).points[0]!.latitude).toBeCloseTo(-9.95, 2)
    expect((await surveyOf(row('33'), { crs: 'EPSG:32733' })).points[0]!.latitude).toBeCloseTo(-9.95, 2)
  })

  test.each([
    ['33L', 'EPSG:25833', 'EPSG:n'],
    ['33S', 'EPSG:25833', 'write 33N if S is the band'],
    ['32N', '+proj=utm +zone=33 +ellps=GRS80', 'EPSG:n'],
  ])('fail if the datum has no such zone: %s with %s', async (zone, crs, mend) => {
    const { points, faulty } = await surveyOf(text(zone), { crs })
    expect(points).toEqual([])
    expect(faulty[0]!.faults[0]).toMatchObject({ code: 'UNKNOWN_CRS', message: expect.stringContaining(mend) })
  })

  test('that are no zone fail as a system, and not as a square', async () => {
    const { faulty } = await surveyOf(`${text('33N')}B,391776.1,5820072.9,17 NAD83\n`)
    expect(faulty[0]!.faults[0]!.message).toContain('is not a reference system')
  })
})
