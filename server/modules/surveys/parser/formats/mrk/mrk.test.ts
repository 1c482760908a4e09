import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const line = (photo: number, lat: string, quality: number) =>
  `${photo}\t26426${photo}.354500\t[2169]\t    -7,N\t    -6,E\t   202,V\t${lat},Lat\t13.40495400,Lon\t74.250,Ellh\t0.012345, 0.023456, 0.034567\t${quality},Q\r\n`

test('each photo of a DJI MRK file is the position of its camera above the ellipsoid, named by its time', async () => {
  const text =
    line(1, '52.52000660', 50) + line(2, '52.52000670', 16) + line(3, '52.5x', 50) + line(4, '52.52000680', 0)
  const { detected, points, faulty } = await surveyOf(`${text}5\t264265.3\t[2169]\t1,N`)
  expect(detected.format).toBe('mrk')
  expect(points).toMatchObject([
    {
      title: '2169 264261.354500',
      description: 'camera at photo 1, RTK fixed',
      latitude: 52.5200066,
      longitude: 13.404954,
      h: 74.25,
      heightDatum: 'ellipsoid',
      accuracyH: Math.hypot(0.012345, 0.023456),
      accuracyV: 0.034567,
    },
    { description: 'camera at photo 2, single' },
  ])
  expect(faulty.map(({ faults }) => faults[0]!.code)).toEqual(['NOT_A_NUMBER', 'NO_FIX', 'NO_COORDINATES'])
})
