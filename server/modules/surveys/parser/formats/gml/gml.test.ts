import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const feature = (geometry: string, name: string) =>
  `<gml:featureMember><ogr:points fid="${name}"><ogr:geometryProperty><gml:Point srsName="EPSG:25833">
${geometry}
</gml:Point></ogr:geometryProperty><ogr:name>${name}</ogr:name><ogr:X>1,5</ogr:X></ogr:points></gml:featureMember>`
const gml = (...geometries: string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<ogr:FeatureCollection xmlns:ogr="http://ogr.maptools.org/" xmlns:gml="http://www.opengis.net/gml">
${geometries.map((geometry, i) => feature(geometry, 'ABC'.charAt(i))).join('\n')}
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
  ['<gml:coordinates>372042.974,57960O6</gml:coordinates>', 'coordinates "372042.974,57960O6"'],
  ['<gml:pos>372042.974 5796064.122 3,5</gml:pos>', 'pos "3,5"'],
])('a coordinate that is not a decimal number fails its row: %s', async (geometry, named) => {
  const { points, faulty } = await surveyOf(gml(coord('372042.974'), geometry, coord('372043.974')))
  expect(points.map(({ title }) => title)).toEqual(['A', 'C'])
  expect(faulty).toMatchObject([
    { title: 'B', faults: [{ code: 'NOT_A_NUMBER', message: expect.stringContaining(`line 7: ${named}`) }] },
  ])
})

test.each([', ', ',  ', ',\n    ', ' ,', '  , '])(
  'blanks beside the commas of coordinates are none of them: "%s"',
  async (comma) => {
    const { points } = await surveyOf(gml(`<gml:coordinates>372042.974${comma}5796064.122</gml:coordinates>`))
    expect(points).toMatchObject([{ title: 'A', latitude: expect.closeTo(52.3, 6) }])
  },
)
