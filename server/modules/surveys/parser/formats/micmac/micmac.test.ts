import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

describe('MicMac', () => {
  test('reads the fields that #F= names, including names of points', async () => {
    const { points, faulty, lines, detected } = await surveyOf(
      '#F=N X Y Z S\n#\nGCP1 391776.154582 5820072.962113 74.25 nail\nGCP2 391776.2 5820072.9\n#GCP3 1 2 3 x\n',
      { crs: 'EPSG:25833' },
    )
    expect(detected.format).toBe('micmac')
    expect(points).toMatchObject([{ title: 'GCP1', altitude: 74.25 }])
    expect(points[0]!.latitude).toBeCloseTo(52.5200066, 7)
    expect(lines).toEqual([3])
    expect(faulty).toMatchObject([{ title: 'GCP2', line: 4, faults: [{ code: 'RAGGED_ROW' }] }])
  })

  test('reads uncertainties, another comment sign, and names after the coordinates', async () => {
    const { points } = await surveyOf(
      '%F=X_Y_Z_Ix_Iy_Iz_N\r\n391776.154582 5820072.962113 74.25 0.03 0.04 0.05 A\r\n',
      { crs: 'EPSG:25833' },
    )
    expect(points).toMatchObject([{ title: 'A', accuracyV: 0.05 }])
    expect(points[0]!.accuracyH).toBeCloseTo(0.05, 9)
  })

  test('needs no system for geocentric positions', async () => {
    const { points } = await surveyOf('#F=N X Y Z\nA 3783289.1613 901652.3020 5038278.4690\n')
    expect(points[0]!.latitude).toBeCloseTo(52.5200066, 7)
  })

  test('refuses a first line without coordinates, and a line without an end', async () => {
    await expect(surveyOf('#F=N X Q\nA 1 2\n')).rejects.toMatchObject({ code: 'AMBIGUOUS_COLUMNS' })
    await expect(surveyOf(`#F=N X Y Z\n${'A'.repeat(100_000)}`, {}, 65_536)).rejects.toMatchObject({
      code: 'LINE_TOO_LONG',
    })
  })
})

describe('senseFly', () => {
  test('reads altitude_wgs84 as ellipsoidal, altitude_amsl as above the sea', async () => {
    const { points } = await surveyOf(
      'name,latitude,longitude,altitude_wgs84,altitude_amsl\nA,52.52,13.40,74.25,34.75\n',
    )
    expect(points).toMatchObject([{ h: 74.25, altitude: 34.75, heightDatum: 'ellipsoid' }])
  })
})
