import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const crs = 'EPSG:25833'

describe('metres followed by their axis', () => {
  test.each([
    'Name,Easting,Northing\nA,391776.155 mE,5820072.1 mN\n',
    'Name,Easting,Northing\nA,391776.155 m E,5820072.1 m N\n',
    'Name;X;Y\nA;391.776,155 mE;5.820.072,1 mN\nB;391776,155 mE;5820072,1 mN\n',
    'A,391776.155mE,5820072.1mN\nB,391776.155mE,5820073.1mN\n',
  ])('are read: %s', async (text) => {
    const { points, faulty } = await surveyOf(text, { crs })
    expect(faulty).toEqual([])
    expect(points[0]!.latitude).toBeCloseTo(52.5199989, 6)
    expect(points[0]!.longitude).toBeCloseTo(13.4049543, 6)
  })

  test('fail under the other axis', async () => {
    const { points, faulty } = await surveyOf('Name,Easting,Northing\nA,5820072.1 mN,391776.155 mE\n', { crs })
    expect(points).toEqual([])
    expect(faulty[0]!.faults).toEqual([expect.objectContaining({ code: 'AXES_SWAPPED', column: 'Northing' })])
  })

  test('are metres in a system of feet', async () => {
    const read = async (rows: string) => (await surveyOf(`Name,X,Y\n${rows}`, { crs: 'EPSG:2263' })).points[0]!
    const [axes, metres] = [await read('A,300000.5 mE,60000.25 mN\n'), await read('A,300000.5 m,60000.25 m\n')]
    expect([axes.latitude, axes.longitude]).toEqual([metres.latitude, metres.longitude])
    expect(axes.longitude).toBeCloseTo(-74, 0)
  })
})
