import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const point = (name: string, inside: string, deleted = 'false') =>
  `    <Point><ID>1</ID><Name>${name}</Name><Code>NAIL</Code><Classification>Normal</Classification><Deleted>${deleted}</Deleted>${inside}</Point>`
const grid = (north: string, east: string, elevation: string) =>
  `<Grid><North>${north}</North><East>${east}</East><Elevation>${elevation}</Elevation></Grid>`
const wgs84 = (latitude: string, longitude: string, height: string) =>
  `<WGS84><Latitude>${latitude}</Latitude><Longitude>${longitude}</Longitude><Height>${height}</Height></WGS84>`
const system = (parts: string, vertical = 'GeoidModel') =>
  `<CoordinateSystem>${parts}<VerticalAdjustment><Type>${vertical}</Type></VerticalAdjustment></CoordinateSystem>`
const utm33 = system('<SystemName>UTM</SystemName><ZoneName>33 North</ZoneName><DatumName>ETRS89 (Germany)</DatumName>')

const file = (points: string[], environment = utm33, fieldBook = '') => `<?xml version="1.0" encoding="UTF-8"?>
<JOBFile jobName="PARK" version="5.85" product="Trimble Access">
  <Environment>${environment}</Environment>
  <FieldBook>${fieldBook}</FieldBook>
  <Reductions>
${points.join('\n')}
  </Reductions>
</JOBFile>
`
const there = [grid('5820072.962113', '391776.154582', '34.75'), wgs84('52.52000660', '13.40495400', '74.25')]

describe('Trimble JobXML', () => {
  test('prefers WGS84 to grid coordinates, and keeps both heights', async () => {
    const { points, lines, faulty, detected } = await surveyOf(
      file([point('1', there.join('')), point('2', there.join(''))]),
    )
    expect(faulty).toEqual([])
    expect(detected).toMatchObject({ format: 'jobxml', crs: null })
    expect(lines).toEqual([6, 7])
    expect(points[0]).toMatchObject({
      title: '1',
      description: 'NAIL',
      latitude: 52.5200066,
      longitude: 13.404954,
      h: 74.25,
      altitude: 34.75,
      heightDatum: 'ellipsoid',
    })
  })

  test.each([
    ['UTM of ETRS89', utm33, 'EPSG:25833'],
    ['UTM of WGS 84', utm33.replace('ETRS89 (Germany)', 'WGS 1984'), 'EPSG:32633'],
    ['an EPSG code', system('<SystemName>x</SystemName><EPSGCode>25833</EPSGCode>'), 'EPSG:25833'],
  ])('reads grid coordinates alone in the system of the job: %s', async (_, environment, crs) => {
    const { points, detected } = await surveyOf(file([point('1', there[0]!)], environment))
    expect(detected.crs).toBe(crs)
    expect(points[0]!.latitude).toBeCloseTo(52.5200066, 6)
    expect(points[0]!.longitude).toBeCloseTo(13.404954, 6)
    expect(points[0]!.heightDatum).toBe('orthometric')
  })

  test('reads elevations without a vertical adjustment as heights of unknown datum', async () => {
    const { points } = await surveyOf(file([point('1', there[0]!)], utm33.replace('GeoidModel', 'NoAdjustment')))
    expect(points[0]!.heightDatum).toBe('unknown')
  })

  test('refuses UTM of another datum and local sites by name until crs= is given', async () => {
    const site = system('<SystemName>Site</SystemName><ZoneName>Quarry</ZoneName>')
    for (const environment of [site, utm33.replace('ETRS89 (Germany)', 'ED50')]) {
      const text = file([point('1', there[0]!)], environment)
      await expect(surveyOf(text)).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
      expect((await surveyOf(text, { crs: 'EPSG:25833' })).points).toHaveLength(1)
    }
    await expect(surveyOf(file([point('1', there[0]!)], site))).rejects.toThrow('Site Quarry')
  })

  test('fails deleted points and points without coordinates', async () => {
    const { points, faulty } = await surveyOf(
      file([
        point('1', there[1]!),
        point('2', there[1]!, 'true'),
        point('3', '<WGS84><Latitude></Latitude><Longitude></Longitude><Height></Height></WGS84>'),
        point('4', there[0]!),
      ]),
    )
    expect(points.map(({ title }) => title)).toEqual(['1'])
    expect(faulty.map(({ title, line, faults }) => [title, line, faults[0]!.code])).toEqual([
      ['2', 7, 'DELETED_POINT'],
      ['3', 8, 'NO_COORDINATES'],
      ['4', 9, 'NO_COORDINATES'],
    ])
  })

  test('counts deleted records of the field book', async () => {
    const records =
      '<PointRecord ID="1"><Name>9</Name><Deleted>true</Deleted></PointRecord><PointRecord><Deleted>false</Deleted></PointRecord>'
    const { notices } = await surveyOf(file([point('1', there[1]!)], utm33, records))
    expect(notices).toContainEqual(
      expect.objectContaining({ code: 'RECORDS_LEFT_OUT', message: expect.stringMatching(/^1 deleted point record /) }),
    )
  })

  test('reads an unknown height as none', async () => {
    const { points } = await surveyOf(file([point('1', wgs84('52.5', '13.4', '?'))]))
    expect(points[0]).toMatchObject({ h: null, altitude: null })
  })

  test('refuses a file without reductions, and says what to export', async () => {
    await expect(surveyOf(file([]))).rejects.toMatchObject({
      code: 'EMPTY_FILE',
      message: expect.stringContaining('Reductions'),
    })
  })

  test('refuses entities and an unclosed element with a message', async () => {
    await expect(surveyOf('<!DOCTYPE JOBFile [<!ENTITY a "b">]><JOBFile>&a;</JOBFile>')).rejects.toMatchObject({
      code: 'NOT_WELL_FORMED',
    })
    await expect(
      surveyOf(`<JOBFile><Reductions><Point><Name>${'x'.repeat(6_000_000)}`, {}, 65_536),
    ).rejects.toMatchObject({
      code: 'NOT_WELL_FORMED',
    })
  })
})
