import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const job = (unit = 1) =>
  `JB,NMPARK,DT05-04-2024,TM12:00:00\nMO,AD0,UN${unit},SF1.00000000,EC0,EO0.0,AU0\n--SurvCE Version 6.0\n`
const gnss = `BP,PNBASE,LA52.300000000000,LN13.200000000000,EL80.1230,AG0.0,PA0.0,--
--Entered HR: 2.0000, Vertical
LS,HR2.0500
GPS,PN1,LA52.311202376000,LN13.241783440000,EL76.3000,--NAIL, steel
--GS,PN1,N 5820072.9621,E 391776.1546,EL34.7500,--NAIL, steel
--HRMS:0.012, VRMS:0.020, STATUS:FIXED, SATS:14, PDOP:1.4
G1,BPBASE,PN1,DX17.279,DY-2.809,DZ-10.433
GPS,PN2,LA-33.520768000000,LN-70.363000000000,EL102.0500,--
`

describe('Carlson RW5', () => {
  test('reads GPS records: packed angles, the ground height, and the elevation of the grid record below', async () => {
    const { points, lines, faulty, notices, detected } = await surveyOf((job() + gnss).replaceAll('\n', '\r\n'))
    expect(faulty).toEqual([])
    expect(detected.format).toBe('rw5')
    expect(lines).toEqual([7, 11])
    expect(points[0]).toMatchObject({
      title: '1',
      description: 'NAIL, steel',
      h: 74.25,
      altitude: 34.75,
      accuracyH: 0.012,
      accuracyV: 0.02,
    })
    expect(points[0]!.latitude).toBeCloseTo(52.5200066, 10)
    expect(points[0]!.longitude).toBeCloseTo(13.404954, 10)
    expect(points[1]).toMatchObject({ title: '2', h: 100, altitude: null })
    expect(points[1]!.latitude).toBeCloseTo(-33.8688, 10)
    expect(points[1]!.longitude).toBeCloseTo(-70.6083333333, 9)
    expect(notices.map(({ code }) => code)).toEqual(expect.arrayContaining(['ANTENNA_HEIGHTS', 'RECORDS_LEFT_OUT']))
  })

  test('reads rod and elevation in feet in a job of US feet, and the ellipsoidal height in metres', async () => {
    const { points } = await surveyOf(job(2) + gnss)
    expect(points[0]!.h).toBeCloseTo(76.3 - (2.05 * 1200) / 3937, 4)
    expect(points[0]!.altitude).toBeCloseTo((34.75 * 1200) / 3937, 9)
  })

  test('omits a height without a rod height, and says so', async () => {
    const { points, notices } = await surveyOf(`${job()}GPS,PN1,LA52.3112,LN13.2417,EL76.3,--\n`)
    expect(points[0]!.h).toBeNull()
    expect(notices).toContainEqual(
      expect.objectContaining({ code: 'ANTENNA_HEIGHTS', message: expect.stringMatching(/1 without a rod height/) }),
    )
  })

  test('reads grid points in the system of the request and the unit of the job', async () => {
    const text = `${job()}SP,PN101,N 5820072.9621,E 391776.1546,EL74.2500,--CP\nOC,OP101,N 5820072.96210,E 391776.15460,EL 74.25,--CP\n`
    await expect(surveyOf(text)).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
    const { points, repeats } = await surveyOf(text, { crs: 'EPSG:25833' })
    expect(points).toMatchObject([{ title: '101', description: 'CP', altitude: 74.25 }])
    expect(points[0]!.latitude).toBeCloseTo(52.5200066, 7)
    expect(repeats).toHaveLength(1)
    const feet = await surveyOf(`${job(2)}SP,PN1,N 500000.0,E 1000000.0,EL100.0,--\n`, { crs: 'EPSG:2264' })
    expect(feet.points[0]!.longitude).toBeCloseTo(-82.3430834182, 8)
  })

  test('fails shots, grid points among latitudes, and invalid angles', async () => {
    const { points, faulty } = await surveyOf(
      `${job()}${gnss}SS,OP1,FP9,AR0.00000,ZE90.00000,SD3.3566,--FENCE\nSP,PN7,N 1.0,E 2.0,EL3.0,--\nGPS,PN8,LA52.7112,LN13.2417,EL76.3,--\n?!\n`,
    )
    expect(points).toHaveLength(2)
    expect(faulty.map(({ title, line, faults }) => [title, line, faults[0]!.code])).toEqual([
      ['9', 12, 'NO_COORDINATES'],
      ['7', 13, 'NO_COORDINATES'],
      ['8', 14, 'NOT_A_NUMBER'],
      ['', 15, 'NO_COORDINATES'],
    ])
  })

  test('refuses a file with measurements only, and a line without an end', async () => {
    await expect(surveyOf(`${job()}SS,OP1,FP9,AR0.0,ZE90.0,SD3.3,--\n`)).rejects.toMatchObject({ code: 'EMPTY_FILE' })
    await expect(surveyOf(`${job()}${gnss}GPS,PN${'1,'.repeat(50_000)}`, {}, 65_536)).rejects.toMatchObject({
      code: 'LINE_TOO_LONG',
    })
  })
})
