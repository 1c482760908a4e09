import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const rows = 'A,0.9162979,0.2338741\nB,0.9162980,0.2338742\n'
const codes = (survey: Awaited<ReturnType<typeof surveyOf>>) => survey.notices.map(({ code }) => code)

test('small latitudes and longitudes with seven decimals have a notice that shows the header of radians', async () => {
  const survey = await surveyOf(`name,lat,lon\n${rows}`)
  expect(survey.notices).toContainEqual(
    expect.objectContaining({ code: 'ANGLES_ASSUMED', message: expect.stringContaining('lat (rad)') }),
  )
  const declared = await surveyOf(`name,lat,lon\n${rows}`, { header: 'name,lat (rad),lon (rad)' })
  expect(codes(declared)).not.toContain('ANGLES_ASSUMED')
  expect(declared.points[0]!.latitude).toBeCloseTo(52.5, 4)
})

test.each([
  ['degrees are confirmed', rows, { angles: 'decimal' }],
  ['they are in the zone', rows, { inZone: (latitude: number) => latitude < 2 }],
  ['a number has fewer decimals', 'A,0.9162,0.2338\nB,0.9163,0.2339\n', {}],
  ['a longitude is larger', 'A,0.9162979,6.6338741\nB,0.9162980,6.6338742\n', {}],
] as const)('small degrees have no notice if %s', async (_, text, options) => {
  expect(codes(await surveyOf(`name,lat,lon\n${text}`, options))).not.toContain('ANGLES_ASSUMED')
})

test('small numbers that may be radians are packed angles if only these are in the zone', async () => {
  const text = 'name,lat,lon\nA,0.1234567,0.2345678\nB,0.1234568,0.2345679\n'
  await expect(surveyOf(text, { inZone: (latitude) => latitude > 0.2 && latitude < 0.3 })).rejects.toMatchObject({
    code: 'AMBIGUOUS_ANGLES',
  })
})
