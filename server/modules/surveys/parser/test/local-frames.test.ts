import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../test/surveying/survey.ts'

/** Coordinates in local metres: a scan of a room, a façade, a test field. */
const frames: [what: string, text: string][] = [
  ['x, y, z to the millimetre', 'label,X,Y,Z\nT1,12.345,4.567,1.2\nT2,15.345,8.567,1.3\n'],
  ['one value beyond 90', 'P1,94.071,43.92,116.6\nP2,99.14,43.131,125.37\n'],
  [
    'six decimals, as Metashape writes them',
    '#Label,X/East,Y/North,Z/Altitude\na,12.345678,4.567891,1\nb,15.3,8.5,1\n',
  ],
  ['a small object at six decimals', 'name,x,y,z\na,0.123456,0.567891,0.1\nb,0.223456,0.467891,0.1\n'],
  ['a list of photos without a system', '12.345 4.567 1.2 100 200 I1.JPG\n15.345 8.567 1.3 140 210 I1.JPG\n'],
  ['titles in the second column', '1,gcp1,43.597,14.055,0.506\n2,gcp2,1.847,11.912,0.882\n'],
]

describe('local metres', () => {
  test.each(frames)('are not read as degrees: %s', async (_, text) => {
    const refused = surveyOf(text)
    await expect(refused).rejects.toThrow(/EPSG:25833/)
    await expect(refused).rejects.toThrow(/lat/)
  })

  test('degrees are read if nothing else fits: with many decimals, close together, away from 0, 0', async () => {
    const at = { latitude: 47.1234567, longitude: 9.1234567 }
    expect((await surveyOf('name,x,y\na,9.1234567,47.1234567\nb,9.2,47.2\n')).points[0]).toMatchObject(at)
    // The coordinates decide the order without a zone.
    const east = { latitude: 22.5931245, longitude: 113.9812345 }
    expect((await surveyOf('a,22.5931245,113.9812345,5\nb,22.59,113.98,5\n')).points[0]).toMatchObject(east)
    expect((await surveyOf('name,x,y\na,179.99991,-17.5\nb,-179.9999,-17.5\n')).points).toHaveLength(2)
  })

  test('coarse values are degrees if the zone says so', async () => {
    const inZone = (latitude: number, longitude: number) => Math.hypot(latitude - 47.1, longitude - 9.1) < 0.2
    const { points } = await surveyOf('a,47.1,9.1,400\nb,47.11,9.11,400\n', { inZone })
    expect(points[0]).toMatchObject({ latitude: 47.1, longitude: 9.1 })
  })
})
