import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const wgs84 =
  'GEOGCS["WGS 84",DATUM["World Geodetic System 1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.01745329251994328]]'
const utm =
  'PROJCS["ETRS89 / UTM zone 33N",GEOGCS["ETRS89",DATUM["European Terrestrial Reference System 1989",SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.01745329251994328]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",15],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1],AUTHORITY["EPSG","25833"]]'

const marker = (label: string, reference: string, id = 0) =>
  `      <marker id="${id}" label="${label}">\n        <reference ${reference}/>\n      </marker>\n`
/** Markers as Metashape exports them: the system follows them, and each photo repeats the markers that it shows. */
const document = (markers: string, system = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>
<document version="1.2.0">
  <chunk label="Chunk 1" enabled="true">
    <cameras>
      <camera id="0" label="A.JPG"><reference x="13.4" y="52.5" z="120" enabled="true"/></camera>
    </cameras>
    <markers>
${markers}    </markers>
    <frames><frame id="0"><markers><marker marker_id="0"><location camera_id="0" pinned="1" x="10" y="20"/></marker></markers></frame></frames>
    ${system && `<reference>${system}</reference>`}
  </chunk>
</document>
`

test('reads the given positions of the markers in the system of the chunk, and counts the cameras', async () => {
  const markers = [
    marker('target 1', 'x="13.404954" y="52.5200066" z="34.5" sxyz="0.02" enabled="true"'),
    marker('target 2', 'x="13.405954" y="52.5210066" z="35" sx="0.03" sy="0.04" sz="0.05" enabled="false"', 1),
  ]
  const { detected, points, faulty, notices } = await surveyOf(document(markers.join(''), wgs84))
  expect(faulty).toEqual([])
  expect(detected).toMatchObject({ format: 'metashape', crs: expect.stringContaining('WGS 84') })
  expect(points).toMatchObject([
    { title: 'target 1', latitude: 52.5200066, longitude: 13.404954, altitude: 34.5, h: null, accuracyH: 0.02 },
    { title: 'target 2', latitude: 52.5210066, longitude: 13.405954, accuracyH: 0.05, accuracyV: 0.05 },
  ])
  expect(notices).toContainEqual({
    kind: 'notice',
    code: 'RECORDS_LEFT_OUT',
    message: expect.stringContaining('1 cam'),
  })
})

test('reads eastings and northings of a projected system, which may follow any number of markers', async () => {
  const many = Array.from({ length: 200 }, (_, i) => marker(`m${i}`, `x="${391776.155 + i}" y="5820072.963" z="34"`, i))
  const { points } = await surveyOf(document(many.join(''), utm))
  expect(points).toHaveLength(200)
  expect(points[0]!.latitude).toBeCloseTo(52.5200066, 7)
  expect(points[0]!.longitude).toBeCloseTo(13.404954, 7)
})

test('reads the XML of the Reference pane, which names no system, with crs', async () => {
  const file = `<reference version="1.2.0">\n<cameras/>\n<markers>\n<marker label="A"><reference x="391776.155" y="5820072.963" z="34" enabled="true"/></marker>\n</markers>\n</reference>\n`
  await expect(surveyOf(file)).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
  const { points } = await surveyOf(file, { crs: 'EPSG:25833' })
  expect(points[0]!.latitude).toBeCloseTo(52.5200066, 7)
})

test('reads markers in their own system, beside another one of the cameras', async () => {
  const own = `<camera_crs>${wgs84}</camera_crs><marker_crs>${utm}</marker_crs>`
  const file = document(marker('A', 'x="391776.155" y="5820072.963" z="34"'), wgs84).replace(
    '</chunk>',
    `${own}</chunk>`,
  )
  const { detected, points } = await surveyOf(file)
  expect(detected.crs).toBe('EPSG:25833')
  expect(points[0]!.latitude).toBeCloseTo(52.5200066, 7)
})

test('refuses two chunks whose markers have different systems, also if only one names that of its markers', async () => {
  const first = `<marker_crs>${utm}</marker_crs>`
  const second = `<chunk><markers>${marker('B', 'x="391776.1" y="5820072.9"')}</markers><reference>${utm.replace('zone 33N', 'zone 32N').replace('25833', '25832')}</reference></chunk>`
  const file = document(marker('A', 'x="391776.155" y="5820072.963"')).replace('</chunk>', `${first}</chunk>${second}`)
  await expect(surveyOf(file)).rejects.toMatchObject({
    code: 'NOT_A_TABLE',
    message: expect.stringContaining('"ETRS89 / UTM zone 33N" and "ETRS89 / UTM zone 32N"'),
  })
})

test('ignores the system of a chunk without markers', async () => {
  const file = document(marker('A', 'x="13.4" y="52.5"'), wgs84).replace(
    '</chunk>',
    `</chunk><chunk><reference>${utm}</reference></chunk>`,
  )
  expect((await surveyOf(file)).points).toMatchObject([{ title: 'A', latitude: 52.5 }])
})

test('does not take the system of the cameras for that of the markers', async () => {
  const own = `<camera_crs>${utm}</camera_crs>`
  const file = document(marker('A', 'x="391776.155" y="5820072.963" z="34"')).replace('</chunk>', `${own}</chunk>`)
  await expect(surveyOf(file)).rejects.toMatchObject({ code: 'UNKNOWN_CRS', message: expect.stringContaining('crs=') })
})

test.each([
  ['EPSG:2180', [638000.1, 487000.2], [52.2317293, 21.0213433]],
  ['EPSG:6677', [-8123.7, -35123.4], [35.6833826, 139.7435823]],
])(
  'takes x for the easting under crs=, also where surveyors call the northing X: %s',
  async (crs, [x, y], [lat, lon]) => {
    const { points } = await surveyOf(document(marker('A', `x="${x}" y="${y}" z="34"`)), { crs })
    expect(points[0]!.latitude).toBeCloseTo(lat!, 6)
    expect(points[0]!.longitude).toBeCloseTo(lon!, 6)
  },
)

test('fails a marker without coordinates, or with one that is not a number', async () => {
  const markers = `      <marker id="0" label="free"/>\n${marker('bad', 'x="13,4" y="52.5"')}${marker('good', 'x="13.4" y="52.5"')}`
  const { points, faulty } = await surveyOf(document(markers, wgs84))
  expect(points.map(({ title }) => title)).toEqual(['good'])
  expect(faulty).toMatchObject([
    { title: 'free', faults: [{ code: 'NO_COORDINATES' }] },
    { title: 'bad', faults: [{ code: 'NOT_A_NUMBER', value: '13,4' }] },
  ])
})

test.each([
  ['cameras alone', document('', wgs84), 'EMPTY_FILE', 'no markers with coordinates, but those of 1 cameras'],
  [
    'local coordinates',
    document(marker('A', 'x="1" y="2" z="3"'), 'LOCAL_CS["Local",UNIT["metre",1]]'),
    'UNKNOWN_CRS',
    '',
  ],
  [
    'chunks in several systems',
    document(marker('A', 'x="13.4" y="52.5"'), wgs84).replace(
      '</chunk>',
      `</chunk><chunk>${marker('B', 'x="391776.1" y="5820072.9"')}<reference>${utm}</reference></chunk>`,
    ),
    'NOT_A_TABLE',
    '"WGS 84" and "ETRS89 / UTM zone 33N", and not which of them its markers have: export each chunk alone, or the markers from the Reference pane as text, and import that with crs=',
  ],
])('refuses %s', async (_, file, code, message) => {
  await expect(surveyOf(file)).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
})

test('a last line without an end is kept before NUL bytes, in one line or several', async () => {
  const text = document(marker('A', 'x="13.4" y="52.5" z="34.5"'), wgs84).trim()
  for (const written of [text, text.replaceAll('\n', ' ')]) {
    const { points, notices } = await surveyOf(`${written}${'\0'.repeat(100)}`)
    expect(points).toMatchObject([{ title: 'A', latitude: 52.5 }])
    expect(notices).toContainEqual(expect.objectContaining({ code: 'RECORDS_LEFT_OUT' }))
  }
})
