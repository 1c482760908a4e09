import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const grid = [
  'A,391776.1,5820072.9,52.5200021,13.4049001',
  'B,391876.1,5820172.9,52.5209021,13.4064001',
  'C,391976.1,5820072.9,52.5200521,13.4078401',
]
const degrees = [
  'A,52.5200021,13.4049001,1000.50,2000.30,34.2',
  'B,52.5209021,13.4064001,1100.50,2100.30,34.3',
  'C,52.5200521,13.4078401,1200.50,2000.30,34.5',
]
const inZone = (latitude: number, longitude: number) => Math.abs(latitude - 52.5) < 1 && Math.abs(longitude - 13.4) < 1

test.each([3, 1])('degrees beside grid coordinates are no height and no accuracy: %d rows', async (count) => {
  const { points } = await surveyOf(`${grid.slice(0, count).join('\n')}\n`, { crs: 'EPSG:25833' })
  expect(points).toHaveLength(count)
  for (const point of points) expect(point).toMatchObject({ h: null, altitude: null, accuracyH: null })
})

test('the height is behind both pairs, also in the proposed header', async () => {
  const { points } = await surveyOf(`${degrees.join('\n')}\n`, { inZone })
  expect(points.map(({ altitude }) => altitude)).toEqual([34.2, 34.3, 34.5])
  await expect(surveyOf(`${degrees.join('\n')}\n`)).rejects.toMatchObject({
    message: expect.stringContaining('"title,lat,lon,column4,column5,z"'),
  })
})

test('a height with its accuracy is no second pair', async () => {
  const text = 'A,391776.1,5820072.9,34.21,0.02\nB,391876.1,5820172.9,34.35,0.05\n'
  const { points } = await surveyOf(text, { crs: 'EPSG:25833' })
  expect(points).toMatchObject([{ altitude: 34.21, accuracyH: 0.02 }, { altitude: 34.35 }])
})

test('a proposed header takes no angle with a letter for a description', async () => {
  await expect(surveyOf('Kodas;Ilguma;Aukstis;x1\n1;S 48,15;17,1;150\n')).rejects.toMatchObject({
    message: expect.not.stringContaining('description;lat;lon'),
  })
})
