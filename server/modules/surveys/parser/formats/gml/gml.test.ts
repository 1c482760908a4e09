import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const gml = (geometry: string) => `<?xml version="1.0" encoding="UTF-8"?>
<ogr:FeatureCollection xmlns:ogr="http://ogr.maptools.org/" xmlns:gml="http://www.opengis.net/gml">
<gml:featureMember><ogr:points fid="a"><ogr:geometryProperty><gml:Point srsName="EPSG:25833">
${geometry}
</gml:Point></ogr:geometryProperty><ogr:name>A</ogr:name><ogr:X>1,5</ogr:X></ogr:points></gml:featureMember>
</ogr:FeatureCollection>`
const coord = (x: string) => `<gml:coord><gml:X>${x}</gml:X><gml:Y>5796064.122</gml:Y></gml:coord>`

test('reads the place of a point, and its fields as they are', { tags: ['long'] }, async () => {
  const { points } = await surveyOf(gml(coord('372042.974')))
  expect(points).toMatchObject([
    { title: 'A', latitude: expect.closeTo(52.3, 6), longitude: expect.closeTo(13.1234564, 6) },
  ])
})

test.each([
  [coord('372042,974'), 'X "372042,974"'],
  ['<gml:pos>372042,974 5796064,122</gml:pos>', 'pos "372042,974"'],
  ['<gml:coordinates>372042,974,5796064,122</gml:coordinates>', 'coordinates "372042,974,5796064,122"'],
  [
    '<gml:coordinates decimal="," cs=";">372042,974;5796064,122</gml:coordinates>',
    'coordinates "372042,974;5796064,122"',
  ],
])('refuses a coordinate that is not a decimal number: %s', async (geometry, named) => {
  await expect(surveyOf(gml(geometry))).rejects.toMatchObject({
    code: 'UNREADABLE_FILE',
    message: expect.stringContaining(`line 4: ${named}`),
  })
})
