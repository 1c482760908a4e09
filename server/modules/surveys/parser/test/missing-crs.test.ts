import { expect, test } from 'vitest'
import { surveyOf } from '../../../../test/surveying/survey.ts'

test('proposes the system in which most points are in their zone, also where some rows have their axes exchanged', async () => {
  const inZone = (latitude: number, longitude: number) =>
    Math.abs(latitude - 51.5) < 0.1 && Math.abs(longitude + 2.6) < 0.1
  const rows = ['A,527461,5699707', 'B,527501,5699701', 'C,5699705,527536', 'D,527561,5699707']
  const read = (lines: string[]) => surveyOf(`Name,Rechtswert,Hochwert\n${lines.join('\n')}\n`, { inZone })
  await expect(read(rows)).rejects.toThrow('in EPSG:32630 the points would be in their zone')
  const half = [rows[0]!, rows[2]!]
  await expect(read(half)).rejects.toThrow('with the code of its own system instead')
})
