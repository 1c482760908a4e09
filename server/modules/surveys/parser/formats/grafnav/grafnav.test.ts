import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const remarks = (datum = 'WGS84') => `Project:     Park survey 12
Program:     GrafNav Version 8.70.5720
Source:      GNSS Epochs(Smoothed TC Combined)
Datum:       ${datum}, (processing datum: WGS84)
Master 1:    Name BASE, Status ENABLED
             Antenna height 1.500 m, to L1PC
             Position 52 30 00.00000,  13 20 00.00000,    80.123 m (WGS84, Ellipsoidal hgt)
UTC Offset:  18 s

`
const stations = `   Station         Latitude          Longitude       H-Ell      H-MSL   SDNorth    SDEast  SDHeight Q
                    (D M S)            (D M S)         (m)        (m)       (m)       (m)       (m)
      GCP1   52 31 12.02376    13 24 17.83440      74.250     34.750     0.003     0.004     0.009 1
      GCP2  -00 31 12.02376  -113 24 17.83440      75.250     35.750     0.003     0.004     0.009 2
`

describe('GrafNav text', () => {
  test('reads stations in degrees, minutes and seconds, with both heights and their deviations', async () => {
    const { points, lines, faulty, detected } = await surveyOf((remarks() + stations).replaceAll('\n', '\r\n'))
    expect(faulty).toEqual([])
    expect(detected.format).toBe('grafnav')
    expect(lines).toEqual([12, 13])
    expect(points[0]).toMatchObject({
      title: 'GCP1',
      h: 74.25,
      altitude: 34.75,
      heightDatum: 'ellipsoid',
      accuracyV: 0.009,
    })
    expect(points[0]!.latitude).toBeCloseTo(52.5200066, 10)
    expect(points[0]!.longitude).toBeCloseTo(13.404954, 10)
    expect(points[0]!.accuracyH).toBeCloseTo(0.005, 9)
    expect(points[1]!.latitude).toBeCloseTo(-0.5200066, 10)
    expect(points[1]!.longitude).toBeCloseTo(-113.404954, 10)
  })

  test('names epochs without a name by their time', async () => {
    const text = `${remarks()}     UTCTime     Latitude    Longitude    H-Ell\n       (HMS)        (deg)        (deg)      (m)\n 12:00:01.00  52.52000660  13.40495400  74.250\n`
    const { points } = await surveyOf(text)
    expect(points).toMatchObject([{ title: '12:00:01.00', latitude: 52.5200066, h: 74.25 }])
  })

  test('reads grid coordinates in the system of the request', async () => {
    const text = `${remarks()}  Station      Easting      Northing      H-Ell\n                  (m)           (m)        (m)\n   GCP1    391776.155   5820072.963     74.250\n`
    await expect(surveyOf(text)).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
    const { points } = await surveyOf(text, { crs: 'EPSG:25833' })
    expect(points[0]!.latitude).toBeCloseTo(52.5200066, 6)
    expect(points[0]).toMatchObject({ title: 'GCP1', h: 74.25, heightDatum: 'ellipsoid' })
  })

  test('fails rows with a name with spaces, a missing value or an invalid angle', async () => {
    const { points, faulty, notices } = await surveyOf(
      `${remarks()}${stations}   GCP 3   52 31 12.0    13 24 17.8   74.2  34.7  0.003  0.004  0.009 1
   GCP4   52 71 12.0    13 24 17.8   74.2  34.7  0.003  0.004  0.009 1
   GCP5   52 31 12.0    13 24 17.8
   -----
`,
    )
    expect(points).toHaveLength(2)
    expect(faulty.map(({ title, line, faults }) => [title, line, faults[0]!.code])).toEqual([
      ['GCP', 14, 'RAGGED_ROW'],
      ['GCP4', 15, 'NOT_A_NUMBER'],
      ['GCP5', 16, 'RAGGED_ROW'],
    ])
    expect(notices).toContainEqual(expect.objectContaining({ code: 'RECORDS_LEFT_OUT' }))
  })

  test('reads another table with a line of units below its header as a table', async () => {
    const { detected, points } = await surveyOf(
      'Name Easting Northing Elevation\n- (m) (m) (m)\nGCP1 391776.155 5820072.963 34.75\nGCP2 391776.255 5820072.963 34.75\n',
      { crs: 'EPSG:25833' },
    )
    expect(detected.format).toBe('csv')
    expect(points.map(({ altitude }) => altitude)).toEqual([34.75, 34.75])
  })

  test('refuses a header without stations, and a line without an end', async () => {
    await expect(surveyOf(remarks() + stations.split('\n').slice(0, 2).join('\n'))).rejects.toMatchObject({
      code: 'EMPTY_FILE',
    })
    await expect(surveyOf(`${remarks()}${stations}${'1 '.repeat(50_000)}`, {}, 65_536)).rejects.toMatchObject({
      code: 'LINE_TOO_LONG',
    })
  })
})

test('reads signed degrees, minutes and seconds under the unit (+/-D M S)', async () => {
  const header =
    'Station   Latitude           Longitude            H-Ell\n          (+/-D M S)         (+/-D M S)           (m)'
  const { points, faulty } = await surveyOf(
    `Datum:       WGS84\n\n${header}\nA         -40 30 36.0000     -105 15 18.0000      74.500\n`,
  )
  expect(faulty).toEqual([])
  expect(points).toMatchObject([{ title: 'A', h: 74.5 }])
  expect(points[0]!.latitude).toBeCloseTo(-40.51, 9)
  expect(points[0]!.longitude).toBeCloseTo(-105.255, 9)
})
