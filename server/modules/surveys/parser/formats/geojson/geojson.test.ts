import fc from 'fast-check'
import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const point = (coordinates: unknown, properties: object | null = { name: 'A' }, id?: string | number) => ({
  type: 'Feature',
  ...(id !== undefined && { id }),
  geometry: { type: 'Point', coordinates },
  properties,
})
const collection = (features: unknown[], members: object = {}) =>
  JSON.stringify({ type: 'FeatureCollection', ...members, features }, null, 1)

test('reads points with their properties; heights are above the ellipsoid', async () => {
  const file = collection([
    point([13.123456789012344, 52.300000000000004, 74.5], {
      name: 'Höhe "a"',
      desc: 'two\nlines',
      aprilTagId: 7,
      photos: ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
      nested: { lat: 1 },
    }),
    point([13.2, 52.4], { name: '12345678901234567', yaw: 0.30000000000000004 }),
  ])
  const { detected, points, faulty } = await surveyOf(file)
  expect(faulty).toEqual([])
  expect(detected).toMatchObject({ format: 'geojson', columns: { title: 'name', h: 'h' } })
  expect(points).toMatchObject([
    {
      title: 'Höhe "a"',
      latitude: 52.300000000000004,
      longitude: 13.123456789012344,
      h: 74.5,
      heightDatum: 'ellipsoid',
      description: 'two\nlines',
      aprilTagId: 7,
      photoUrls: ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
    },
    { title: '12345678901234567', h: null, yaw: 0.30000000000000004 },
  ])
})

test('keeps the digits of integers, and uses the id of a feature as title if no property has one', async () => {
  const file = collection([point([13.5, 52.5], { n: 1 }, 'P-1'), point([13.6, 52.6], {}, 77777)])
  const long = file.replace('77777', '90071992547409931')
  expect((await surveyOf(long)).points.map(({ title }) => title)).toEqual(['P-1', '90071992547409931'])
})

test.each([
  ['a single feature', JSON.stringify(point([13.5, 52.5]))],
  ['one feature a line', `${JSON.stringify(point([13.5, 52.5]))}\n`],
  ['a sequence with record separators', `\x1e${JSON.stringify(point([13.5, 52.5]))}\n`],
  ['a byte order mark', `\ufeff${collection([point([13.5, 52.5])])}`],
  [
    'members after the features',
    JSON.stringify({ features: [point([13.5, 52.5])], bbox: [1, 2, 3, 4], type: 'FeatureCollection' }),
  ],
])('reads %s', async (_, file) => {
  expect((await surveyOf(file)).points).toMatchObject([{ title: 'A', latitude: 52.5, longitude: 13.5 }])
})

test('reads a crs member of the type EPSG, as in drafts of the format', async () => {
  const crs = { type: 'EPSG', properties: { code: 25833 } }
  const geometry = { type: 'Point', coordinates: [391776.155, 5820072.963] }
  const features = [{ type: 'Feature', properties: { name: 'A' }, geometry }]
  const { detected, points } = await surveyOf(JSON.stringify({ type: 'FeatureCollection', crs, features }))
  expect(detected.crs).toBe('EPSG:25833')
  expect(points[0]!.latitude).toBeCloseTo(52.5200066, 7)
})

test('reads the system from a crs member before or after the features; requires one for metres', async () => {
  const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25833' } }
  const features = [
    point([372042.97362072783, 5796064.122161366, 34], { name: 'A' }),
    point([372043, 5796065], { name: 'B' }),
  ]
  for (const file of [collection(features, { crs }), JSON.stringify({ type: 'FeatureCollection', features, crs })]) {
    const { detected, points } = await surveyOf(file)
    expect(detected).toMatchObject({ crs: 'EPSG:25833', columns: { z: 'z' } })
    expect(points[0]!.latitude).toBeCloseTo(52.3, 9)
  }
  await expect(surveyOf(collection(features))).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
  expect((await surveyOf(collection(features), { crs: 'EPSG:25833' })).points).toHaveLength(2)
})

test('fails rows that are not points, with their line', async () => {
  const geometry = (type: string, coordinates: unknown) => ({
    type: 'Feature',
    properties: { name: type },
    geometry: { type, coordinates },
  })
  const features = [
    point([13.5, 52.5]),
    { type: 'Feature', properties: null, geometry: null },
    geometry('LineString', [
      [1, 2],
      [3, 4],
    ]),
    geometry('MultiPoint', [
      [1, 2],
      [3, 4],
    ]),
    geometry('MultiPoint', [[13.6, 52.6]]),
    point([]),
    point(['13', '52']),
    {
      type: 'Feature',
      properties: { name: 'large' },
      geometry: { type: 'Polygon', coordinates: [Array.from({ length: 60_000 }, (_, i) => [i / 1e4, 52])] },
    },
  ]
  const lines = features.map((feature) => JSON.stringify(feature)).join('\n')
  const { points, faulty } = await surveyOf(lines, {}, 4096)
  expect(points.map(({ title }) => title)).toEqual(['A', 'MultiPoint'])
  expect(faulty.map(({ line, faults }) => [line, faults[0]!.code])).toEqual(
    [2, 3, 4, 6, 7, 8].map((line) => [line, line === 7 ? 'NOT_A_NUMBER' : 'NOT_A_POINT']),
  )
})

test('reads every feature as a row, with any texts and any chunk boundaries', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(text, fc.oneof(text, fc.jsonValue())), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 50 }),
      async (all, piece) => {
        const features = all.map((properties, i) => point([13 + i / 100, 52.5], { ...properties, name: `P${i}` }))
        const { points, faulty, repeats } = await surveyOf(collection(features), {}, piece)
        expect(points.length + faulty.length + repeats.length).toBe(features.length)
      },
    ),
  )
})

test('fails features whose position is no number or not in degrees, and reads NaN in properties as nothing', async () => {
  const places = [
    '[13.4,52.5]',
    '[NaN,52.5]',
    '[13.4,-Infinity]',
    '[1e999,52.5]',
    '[999,52.5]',
    '["13.4","52.5"]',
    '[13.5,52.5]',
  ]
  const features = places.map(
    (place, i) =>
      `{"type":"Feature","properties":{"name":"NaN ${i}","yaw":NaN},"geometry":{"type":"Point","coordinates":${place}}}`,
  )
  const { points, faulty } = await surveyOf(`{"type":"FeatureCollection","features":[${features.join(',\n')}]}`)
  expect(points).toMatchObject([{ title: 'NaN 0', latitude: 52.5, longitude: 13.4, yaw: null }, { title: 'NaN 6' }])
  expect(faulty.map(({ title, faults }) => [title, faults[0]!.code])).toEqual([
    ['NaN 1', 'NOT_A_NUMBER'],
    ['NaN 2', 'NOT_A_NUMBER'],
    ['NaN 3', 'NOT_A_NUMBER'],
    ['NaN 4', 'LONGITUDE_RANGE'],
    ['NaN 5', 'NOT_A_NUMBER'],
  ])
})

test('fails a feature with properties nested too deeply', async () => {
  const deep = `{"type":"Feature","geometry":null,"properties":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`
  const { points, faulty } = await surveyOf(`${deep}\n${JSON.stringify(point([13.5, 52.5]))}`, {}, 4096)
  expect(points).toHaveLength(1)
  expect(faulty[0]!.faults[0]).toMatchObject({ code: 'NOT_A_POINT' })
})

test.each([
  ['that is truncated', collection([point([13.5, 52.5])]).slice(0, -30), 'UNREADABLE_FILE', /is truncated GeoJSON/],
  [
    'with a number between its features',
    '{"type":"FeatureCollection","features":[{"type":"Feature"},5]}',
    'UNREADABLE_FILE',
    /line 1 has other content between/,
  ],
  ['with text after it', `${collection([point([13.5, 52.5])])}\nxx`, 'UNREADABLE_FILE', /other content between/],
  [
    'with a feature that is not JSON',
    '{"type":"FeatureCollection",\n"features":[{"type":Feature}]}',
    'UNREADABLE_FILE',
    /begins on line 2 is not valid JSON/,
  ],
  ['without features', collection([]), 'EMPTY_FILE', /no features/],
  ['of another kind', '{"type":"Topology","objects":{}}', 'NOT_A_TABLE', /JSON, but not GeoJSON/],
  [
    'with many kinds of properties',
    collection([point([1, 2], Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`p${i}`, i])))]),
    'TOO_MANY_COLUMNS',
    /61/,
  ],
])('refuses a file %s', async (_, file, code, message) => {
  await expect(surveyOf(file, {}, 4096)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
})

test('fails a position of four whole numbers, as decimal commas write it; a measure is ignored', async () => {
  const { points, faulty } = await surveyOf(
    collection([point([13, 4, 52, 5], { name: 'A' }), point([13.4, 52.5, 34.5, 7], { name: 'B' })]),
  )
  expect(points).toMatchObject([{ title: 'B', latitude: 52.5, h: 34.5 }])
  expect(faulty.map(({ faults }) => faults[0]!.message)).toEqual([
    expect.stringContaining('four or more whole numbers, as decimal commas write it'),
  ])
})

test('refuses positions with the latitude first if the system of the file shows it, and says how to read them', async () => {
  const file = (name: string) =>
    JSON.stringify({
      type: 'FeatureCollection',
      crs: { type: 'name', properties: { name } },
      features: [52.5, 52.51].map((latitude) => ({
        type: 'Feature',
        properties: {},
        geometry: { type: 'Point', coordinates: [latitude, 13.4] },
      })),
    })
  const { points, notices, faulty } = await surveyOf(file('urn:ogc:def:crs:EPSG::4258'))
  expect(points).toEqual([])
  expect(faulty[0]!.faults[0]).toMatchObject({ code: 'AXES_SWAPPED' })
  expect(notices[0]).toMatchObject({ code: 'AXES_SWAPPED', message: expect.stringContaining('swapAxes=true') })
  const exchanged = await surveyOf(file('urn:ogc:def:crs:EPSG::4258'), { swapAxes: true })
  expect(exchanged.points[0]!.latitude).toBeCloseTo(52.5, 5)
})

test.each([
  [
    '+proj=tmerc +lat_0=52.5 +lon_0=13.4 +ellps=GRS80 +units=m',
    [
      [12.3, 45.6],
      [80.2, 70.1],
      [400.5, 20],
    ],
    [52.5, 13.4],
  ],
  [
    'EPSG:25833',
    [
      [391776, 5820072],
      [13.4, 52.5],
    ],
    [52.52, 13.405],
  ],
])(
  'takes positions for metres under crs=%s, also if most of them could be degrees',
  async (crs, places, [lat, lon]) => {
    const { points } = await surveyOf(collection(places.map((place, i) => point(place, { name: `P${i}` }))), { crs })
    expect(points[0]!.latitude).toBeCloseTo(lat!, 2)
    expect(points[0]!.longitude).toBeCloseTo(lon!, 2)
  },
)

test('refuses positions without a system of which a third are no degrees', async () => {
  const places = [
    [12.3, 45.6],
    [80.2, 70.1],
    [12.4, 45.7],
    [400.5, 20],
    [500.5, 20],
  ]
  const file = collection(places.map((place, i) => point(place, { name: `P${i}` })))
  await expect(surveyOf(file)).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
})
