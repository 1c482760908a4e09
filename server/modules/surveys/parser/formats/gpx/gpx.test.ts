import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const gpx = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="receiver" xmlns="http://www.topografix.com/GPX/1/1">${inside}</gpx>`
const waypoints = `<wpt lat="52.300000000000004" lon="13.123456789012344"><ele>34.125</ele><geoidheight>39.5</geoidheight><name>001</name><cmt>by the &lt;well&gt;</cmt></wpt>
<wpt lat="52.4" lon="13.2"><name>B</name><desc>second</desc></wpt>`
const track =
  '<trk><name>Way</name><trkseg><trkpt lat="52.5" lon="13.5"><ele>40</ele></trkpt><trkpt lat="52.6" lon="13.6"/></trkseg></trk>'

test('reads waypoints as points: ele is above the sea, and geoidheight adds an ellipsoidal height', async () => {
  const { detected, points, faulty } = await surveyOf(gpx(waypoints))
  expect(detected).toMatchObject({ format: 'gpx', columns: { altitude: 'ele', h: 'h', title: 'name' } })
  expect(faulty).toEqual([])
  expect(points).toMatchObject([
    {
      title: '001',
      latitude: 52.300000000000004,
      longitude: 13.123456789012344,
      h: 73.625,
      altitude: 34.125,
      description: 'by the <well>',
    },
    { title: 'B', description: 'second', h: null },
  ])
})

test('prefers waypoints and names tracks in a notice; reads a track if it is alone or requested', async () => {
  const both = await surveyOf(gpx(waypoints + track))
  expect(both.detected).toMatchObject({ layer: 'waypoints', layers: expect.arrayContaining(['track_points']) })
  expect(both.points).toHaveLength(2)
  expect(both.notices).toContainEqual(
    expect.objectContaining({ code: 'LAYERS_NOT_READ', message: expect.stringContaining('"track_points"') }),
  )
  for (const file of [await surveyOf(gpx(track)), await surveyOf(gpx(waypoints + track), { layer: 'track_points' })]) {
    expect(file.points.map(({ title, latitude }) => [title, latitude])).toEqual([
      ['GCP 1', 52.5],
      ['GCP 2', 52.6],
    ])
    expect(file.notices.map(({ code }) => code)).toContain('TITLES_MADE')
  }
})

test.each([
  ['without points', gpx(''), 'EMPTY_FILE', /no layer with rows/],
  ['that is truncated', gpx(waypoints).slice(0, 250), 'UNREADABLE_FILE', /cannot be read as GPX/],
  [
    'with an expanding entity',
    `<!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i} "${`&a${i ? i - 1 : ''};`.repeat(10)}">`).join('')}]>${gpx('<wpt lat="1" lon="2"><name>&a19;</name></wpt>').slice(39)}`,
    'UNREADABLE_FILE',
    /GPX/,
  ],
])('refuses a file %s', async (_, file, code, message) => {
  await expect(surveyOf(file, {}, 4096)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
})

test.each([
  ['lat="52,5" lon="13.4"', '34.5', 'lat "52,5"'],
  ['lat="52.5" lon="x"', '34.5', 'lon "x"'],
  ['lon="13.4"', '34.5', 'lat ""'],
  ['lat="" lon="13.4"', '34.5', 'lat ""'],
  ['lat="NaN" lon="13.4"', '34.5', 'lat "NaN"'],
  ['lat="52.5" lon="13.4"', '34,5', 'ele "34,5"'],
])(
  'fails a point whose position or height is not a decimal number, and reads the others: %s, ele %s',
  async (place, ele, named) => {
    const comment = '<!-- <wpt lat="x" lon="y"> -->'
    const file = `<gpx version="1.1">${comment}\n<wpt lat="52" lon="13"><name>A</name></wpt>\n<wpt ${place}><ele>${ele}</ele><name>B</name></wpt>\n<wpt lat="52.1" lon="13"><ele>NaN</ele><name>C</name></wpt>\n</gpx>`
    const { points, faulty } = await surveyOf(file)
    expect(points).toMatchObject([
      { title: 'A', latitude: 52 },
      { title: 'C', latitude: 52.1, altitude: null },
    ])
    expect(faulty).toMatchObject([
      { row: 2, title: 'B', faults: [{ code: 'NOT_A_NUMBER', message: expect.stringContaining(`line 3: ${named}`) }] },
    ])
  },
)

test('fails the points of a track whose latitude is out of range or missing', async () => {
  const points = ['lat="52" lon="13"', 'lat="95" lon="13"', 'lon="13"', 'lat="53" lon="13"']
  const { faulty, ...read } = await surveyOf(
    gpx(`<trk><trkseg>${points.map((place) => `<trkpt ${place}/>`).join('')}</trkseg></trk>`),
  )
  expect(read.points.map(({ latitude }) => latitude)).toEqual([52, 53])
  expect(faulty.map(({ row, faults }) => [row, faults[0]!.code])).toEqual([
    [2, 'LATITUDE_RANGE'],
    [3, 'NOT_A_NUMBER'],
  ])
})

test('fails a height with attributes or spaces in its tag, and ignores elements of extensions', async () => {
  const wpt = (name: string, inside: string) =>
    `<wpt lat="52.5" lon="13.4${name.charCodeAt(0)}">${inside}<name>${name}</name></wpt>`
  const points = [
    wpt('A', '<ele unit="m">34,5</ele>'),
    wpt('B', '<ele >34,5</ele>'),
    `<wpt lat="52.5" lon="13.5"><ele>34.5</ele><name>C</name><extensions><x:ele xmlns:x="urn:x">abc</x:ele></extensions></wpt>`,
  ]
  const file = `<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">${points.join('\n')}</gpx>`
  const read = await surveyOf(file)
  expect(read.points.map(({ title }) => title)).toEqual(['C'])
  expect(read.faulty.map(({ faults }) => faults[0]!.value)).toEqual(['34,5', '34,5'])
})

test.each(['abc', '99', '98,5', '98<!-- m -->', '<![CDATA[98]]>', '<!-- </extensions> -->98', '98 <u>m</u>'])(
  'a height of extensions without a namespace is not that of the point: %s',
  async (ele) => {
    const extensions = `<extensions><ele>${ele}</ele><geoidheight>1</geoidheight><ele/></extensions>`
    const { points, faulty } = await surveyOf(
      gpx(
        `<wpt lat="52.5" lon="13.4"><ele>34.5</ele><name>A</name>${extensions}</wpt>\n<wpt lat="52.6" lon="13.4"><name>B</name>${extensions}</wpt>`,
      ),
    )
    expect(faulty).toEqual([])
    expect(points.map(({ title, altitude }) => [title, altitude])).toEqual([
      ['A', 34.5],
      ['B', null],
    ])
  },
)
