import { expect, test } from 'vitest'
import { archiveOf } from '../../../../../test/content/archives.ts'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
const kml = (inside: string) =>
  `${HEAD}<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${inside}</Document></kml>`
const place = (name: string, inside: string) => `<Placemark><name>${name}</name>${inside}</Placemark>\n`
const at = (coordinates: string, mode = '') =>
  `<Point>${mode && `<altitudeMode>${mode}</altitudeMode>`}<coordinates>${coordinates}</coordinates></Point>`

test('reads placemarks of all folders as one list, with their extended data', async () => {
  const file = kml(
    `<Folder><name>North</name>${place('A &amp; B', `<description><![CDATA[<b>x</b>]]></description>${at(' 13.123456789012344,52.300000000000004\n')}`)}</Folder>` +
      `<Folder><Folder>${place('C', `<ExtendedData><Data name="aprilTagId"><displayName>Tag</displayName><value>7</value></Data><SchemaData schemaUrl="#s"><SimpleData name="yaw">1.5</SimpleData></SchemaData></ExtendedData><MultiGeometry>${at('-13.2,52.4')}</MultiGeometry>`)}</Folder></Folder>`,
  )
  const { detected, points, lines, faulty } = await surveyOf(file)
  expect(faulty).toEqual([])
  expect(detected).toMatchObject({ format: 'kml', layer: null, layers: [], columns: { title: 'name' } })
  expect(points).toMatchObject([
    { title: 'A & B', description: '<b>x</b>', latitude: 52.300000000000004, longitude: 13.123456789012344, h: null },
    { title: 'C', aprilTagId: 7, yaw: 1.5, latitude: 52.4, longitude: -13.2 },
  ])
  expect(lines).toEqual([2, 4])
})

test('reads an altitude as a height above the sea in absolute mode only, and says so in a notice', async () => {
  const modes = ['absolute', 'clampToGround', 'relativeToGround', '']
  const { points, notices, detected } = await surveyOf(
    kml(modes.map((mode, i) => place(`P${i}`, at(`13.${i},52.4,34.5`, mode))).join('')),
  )
  expect(detected.columns.altitude).toBe('altitude (EGM96)')
  expect(points.map(({ altitude, heightDatum }) => [altitude, heightDatum])).toEqual([
    [34.5, 'EGM96'],
    [null, null],
    [null, null],
    [null, null],
  ])
  expect(notices).toContainEqual(
    expect.objectContaining({ code: 'HEIGHTS_NOT_READ', message: expect.stringContaining('altitudes of 3 of 4') }),
  )
})

test('fails placemarks that are not a single point', async () => {
  const line = '<LineString><coordinates>13,52 14,53</coordinates></LineString>'
  const ring =
    '<Polygon><outerBoundaryIs><LinearRing><coordinates>13,52 14,53 13,53 13,52</coordinates></LinearRing></outerBoundaryIs></Polygon>'
  const file = kml(
    [line, ring, `<MultiGeometry>${at('1,2')}${line}</MultiGeometry>`, '', at('1;2'), at('13.5,52.5')]
      .map((inside, i) => place(`P${i}`, inside))
      .join(''),
  )
  const { points, faulty } = await surveyOf(file)
  expect(points.map(({ title }) => title)).toEqual(['P5'])
  expect(faulty.map(({ faults }) => [faults[0]!.code, faults[0]!.value])).toEqual([
    ['NOT_A_POINT', 'LineString'],
    ['NOT_A_POINT', 'Polygon'],
    ['NOT_A_POINT', 'MultiGeometry'],
    ['NOT_A_POINT', null],
    ['NOT_A_NUMBER', '1;2'],
  ])
})

test('shows coordinates with decimal commas, which are four or six numbers', async () => {
  const file = kml(['13,4,52,5', '13,4,52,5,34,2', ' 13.4, 52.5 '].map((text, i) => place(`P${i}`, at(text))).join(''))
  const { points, faulty } = await surveyOf(file)
  expect(points).toMatchObject([{ title: 'P2', latitude: 52.5, longitude: 13.4 }])
  expect(faulty.map(({ faults }) => faults[0])).toMatchObject([
    {
      code: 'NOT_A_NUMBER',
      column: 'coordinates',
      value: '13,4,52,5',
      message: expect.stringContaining('coordinates "13,4,52,5" are not two or three decimal numbers: write'),
    },
    { code: 'NOT_A_NUMBER', value: '13,4,52,5,34,2' },
  ])
})

test('uses the declared encoding', async () => {
  const file = kml(place('Höhe', at('13.5,52.5'))).replace('UTF-8', 'ISO-8859-1')
  expect((await surveyOf(Buffer.from(file, 'latin1'))).points).toMatchObject([{ title: 'Höhe' }])
  await expect(surveyOf(Buffer.from(kml(place('Höhe', at('1,2'))), 'latin1'))).rejects.toMatchObject({
    code: 'NOT_TEXT',
  })
})

test('reads doc.kml of a KMZ, and then the files that it links to', async () => {
  const link = '<NetworkLink><Link><href>layers/other.kml</href></Link></NetworkLink>'
  const zip = await archiveOf({
    'layers/other.kml': kml(place('B', at('13.6,52.6'))),
    'doc.kml': kml(place('A', at('13.5,52.5')) + link),
    'files/icon.png': 'x',
  })
  const { detected, points } = await surveyOf(zip)
  expect(detected.format).toBe('kmz')
  expect(points.map(({ title }) => title)).toEqual(['A', 'B'])
})

test.each([
  [
    'without placemarks',
    kml('<NetworkLink><Link><href>http://x.example/a.kml</href></Link></NetworkLink>'),
    'EMPTY_FILE',
    /links to another file/,
  ],
  [
    'that is truncated',
    kml(place('A', at('1,2'))).slice(0, -20),
    'UNREADABLE_FILE',
    /^the file is not valid KML: line \d/,
  ],
  ['with an unclosed tag', kml('<Folder>'), 'UNREADABLE_FILE', /line 2/],
  [
    'nested too deeply',
    kml(`${'<Folder>'.repeat(10_000)}${'</Folder>'.repeat(10_000)}`),
    'UNREADABLE_FILE',
    /more than 200 deep/,
  ],
  [
    'with entities of its own',
    kml(place('&a;', at('1,2'))).replace('<kml', '<!DOCTYPE kml [<!ENTITY a "x">]><kml'),
    'UNREADABLE_FILE',
    /entity/,
  ],
])('refuses a file %s', async (_, file, code, message) => {
  await expect(surveyOf(file, {}, 4096)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
})
