import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../../test/surveying/survey.ts'

test.each(['GDA2020 Lat,GDA2020 Long', 'GDA2020 Lat (DMS),GDA2020 Long (DMS)', 'Lat_GDA2020,Long_GDA2020'])(
  'a datum of satellites beside an angle: %s',
  async (header) => {
    const { points } = await surveyOf(`ID,${header}\nA,-33 52 11.8,151 12 02.8\n`)
    expect(points).toMatchObject([{ title: 'A' }])
    expect(points[0]!.latitude).toBeCloseTo(-(33 + 52 / 60 + 11.8 / 3600), 9)
    expect(points[0]!.longitude).toBeCloseTo(151 + 12 / 60 + 2.8 / 3600, 9)
  },
)

test.each(['NAD27 Latitude,NAD27 Longitude', 'Lat NAD27,Lon NAD27', 'Latitude (NAD27),Longitude (NAD27)'])(
  'degrees are on the datum that their header names: %s',
  async (header) => {
    const { points } = await surveyOf(`ID,${header}\nA,39.8,-105.2\n`)
    expect(points[0]!.longitude).toBeCloseTo(-105.20058, 4)
  },
)

test('a name that is no known datum makes no header of an angle', async () => {
  await expect(surveyOf('ID,GPS01 Latitude,GPS01 Longitude\nA,39.8,-105.2\n')).rejects.toMatchObject({
    code: 'AMBIGUOUS_COLUMNS',
  })
})

test('commas part angles whose degrees, minutes and seconds have spaces between them', async () => {
  await expect(surveyOf('Foo,Bar,Baz\nA,-33 52 11.8,151 12 02.8\n')).rejects.toMatchObject({
    code: 'AMBIGUOUS_COLUMNS',
    message: expect.stringContaining('Foo, Bar, Baz'),
  })
})
