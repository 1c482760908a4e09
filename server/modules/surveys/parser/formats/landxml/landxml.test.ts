import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const file = (points: string, head = '') => `<?xml version="1.0" encoding="UTF-8"?>
<LandXML xmlns="http://www.landxml.org/schema/LandXML-1.2" version="1.2">
  <Units><Metric linearUnit="meter" areaUnit="squareMeter" elevationUnit="meter"/></Units>
  ${head}
  <CgPoints name="survey">
${points}
  </CgPoints>
</LandXML>
`
const utm33 = '<CoordinateSystem desc="ETRS89 / UTM zone 33N" epsgCode="25833"/>'

describe('LandXML', () => {
  test('reads CgPoint as northing, easting, elevation in the system of its EPSG code', async () => {
    const { points, lines, faulty, detected } = await surveyOf(
      file(
        `    <CgPoint name="1001" code="TREE" desc="oak">5820072.962113 391776.154582 74.25</CgPoint>
    <CgPoint name="1002">
      5820156.558365 392080.463114
    </CgPoint>`,
        utm33,
      ),
    )
    expect(faulty).toEqual([])
    expect(detected).toMatchObject({ format: 'landxml', crs: 'EPSG:25833', delimiter: null })
    expect(lines).toEqual([6, 7])
    expect(points).toMatchObject([
      { title: '1001', description: 'TREE oak', altitude: 74.25, heightDatum: 'unknown' },
      { title: '1002', altitude: null },
    ])
    expect(points[0]!.latitude).toBeCloseTo(52.5200066, 7)
    expect(points[0]!.longitude).toBeCloseTo(13.404954, 7)
  })

  const inFeet = (unit: string, epsg: number) =>
    file('<CgPoint name="A">500000.00 1000000.00 100.00</CgPoint>', `<CoordinateSystem epsgCode="EPSG:${epsg}"/>`)
      .replace(/<Metric[^>]*>/, `<Imperial linearUnit="${unit}" elevationUnit="feet"/>`)
      .replaceAll('\n', '\r\n')

  // cs2cs +to EPSG:4269 of the values in EPSG:2264, which is in US survey feet.
  test.each(['USSurveyFoot', 'foot'])('reads %s as US survey feet in a system of these', async (unit) => {
    const { points } = await surveyOf(inFeet(unit, 2264))
    expect(points[0]!.latitude).toBeCloseTo(35.0775715926, 8)
    expect(points[0]!.longitude).toBeCloseTo(-82.3430834182, 8)
    expect(points[0]!.altitude).toBeCloseTo(30.48, 3)
  })

  // cs2cs EPSG:32617 +to EPSG:4326 of 1,000,000 and 500,000 times 0.3048 and 1200/3937.
  test.each([
    ['foot', 1.3781574744, -82.7544415443],
    ['USSurveyFoot', 1.3781602348, -82.754436069],
  ])('reads %s literally in a system of metres', async (unit, latitude, longitude) => {
    const { points } = await surveyOf(inFeet(unit, 32617))
    expect(points[0]!.latitude).toBeCloseTo(latitude, 8)
    expect(points[0]!.longitude).toBeCloseTo(longitude, 8)
  })

  test.each([
    ['DHHN2016', 'EPSG:7837'],
    ['NAVD88', 'EPSG:5703'],
    ['Mean Sea Level', 'orthometric'],
    ['EPSG:7837', 'EPSG:7837'],
    ['Local', 'unknown'],
    ['Lokal', 'unknown'],
    ['CD', 'unknown'],
    ['WD', 'unknown'],
    ['Unbekannt', 'unknown'],
    ['GPS (WGS84)', 'unknown'],
    ['Local NAVD88', 'unknown'],
    ['Assumed datum', 'unknown'],
    ['WGS84', 'unknown'],
    ['EPSG:25833', 'unknown'],
    ['Ellipsoid', 'ellipsoid'],
    ['7837', 'EPSG:7837'],
    ['urn:ogc:def:crs:EPSG::7837', 'EPSG:7837'],
    ['http://www.opengis.net/def/crs/EPSG/0/7837', 'EPSG:7837'],
    ['NHN', 'orthometric'],
    ['NN', 'orthometric'],
    ['Normalhöhennull', 'orthometric'],
    ['Normalhoehennull (NHN)', 'orthometric'],
    ['m ü. NHN', 'orthometric'],
    ['above sea level', 'orthometric'],
    ['Mean Sea Level (MSL)', 'orthometric'],
    ['Local Mean Sea Level', 'orthometric'],
    ['GCG2016', 'EPSG:7837'],
    ['Deutsches Haupthöhennetz 2016', 'EPSG:7837'],
    ['Ordnance Datum Newlyn', 'EPSG:5701'],
    ['OSGM15', 'EPSG:5701'],
    ['GEOID18', 'EPSG:5703'],
    ['NAVD88 (Geoid12B)', 'EPSG:5703'],
    ['North American Vertical Datum of 1988', 'EPSG:5703'],
    ['REDNAP', 'EPSG:5782'],
    ['Alicante', 'EPSG:5782'],
    ['Cascais', 'EPSG:5780'],
    ['Höhe über NHN', 'orthometric'],
    ['Hoehe ueber Normalhoehennull', 'orthometric'],
    ['Normalhöhen', 'orthometric'],
    ['DE_AdV_GCG2016_QGH', 'EPSG:7837'],
    ['PL-KRON86-NH', 'EPSG:9650'],
    ['Kronstadt', 'orthometric'],
    ['TAW', 'EPSG:5710'],
    ['Genova 1942', 'EPSG:5214'],
    ['Amsterdam', 'orthometric'],
  ])('reads elevations above the vertical datum of the file: %s', async (name, datum) => {
    const { points } = await surveyOf(
      file(
        '<CgPoint name="A">5820072.9 391776.1 34.5</CgPoint>',
        `<CoordinateSystem epsgCode="25833" verticalDatum="${name}"/>`,
      ),
    )
    expect(points[0]!.heightDatum).toBe(datum)
  })

  test.each([
    ['EPSG:7837', 'EPSG:7837'],
    ['Lokal', 'unknown'],
  ])('a vertical datum is no system of the points: %s', async (name, datum) => {
    const text = file(
      '<CgPoint name="A">5820072.9 391776.1 34.5</CgPoint>',
      `<CoordinateSystem verticalDatum="${name}"/>`,
    )
    const { points, notices } = await surveyOf(text, { crs: 'EPSG:25833' })
    expect(points).toMatchObject([{ heightDatum: datum, altitude: 34.5 }])
    const unknown = notices.filter(({ code }) => code === 'HEIGHT_DATUM_UNKNOWN').map(({ message }) => message)
    expect(unknown).toEqual(datum === 'unknown' ? [expect.stringContaining(`"${name}" is not known`)] : [])
  })

  test('heightDatum= says what heights of an unknown vertical datum are above', async () => {
    const text = file(
      '<CgPoint name="A">5820072.9 391776.1 34.5</CgPoint>',
      '<CoordinateSystem epsgCode="25833" verticalDatum="Lokal"/>',
    )
    const { points, notices } = await surveyOf(text, { heightDatum: 'EGM96' })
    expect(points).toMatchObject([{ heightDatum: 'EGM96', h: expect.closeTo(74.1, 0) }])
    expect(notices.filter(({ code }) => code === 'HEIGHT_DATUM_UNKNOWN')).toEqual([])
  })

  test.each([
    ['MSL', 'ellipsoid', { heightDatum: 'ellipsoid', h: 34.2 }, ['HEIGHT_DATUM_REPLACED']],
    ['DHHN2016', 'unknown', { heightDatum: 'unknown', h: null }, ['HEIGHT_DATUM_REPLACED']],
    ['DHHN92', 'EPSG:7837', { heightDatum: 'EPSG:7837' }, ['HEIGHT_DATUM_REPLACED']],
    ['NHN', 'EPSG:7837', { heightDatum: 'EPSG:7837' }, []],
    ['DHHN2016', 'EPSG:7837', { heightDatum: 'EPSG:7837' }, []],
  ])(
    'heightDatum= goes before the vertical datum of the file, %s and %s, and a notice names both if they differ',
    async (own, heightDatum, point, codes) => {
      const text = file(
        '<CgPoint name="A">5820072.9 391776.1 34.2</CgPoint>',
        `<CoordinateSystem epsgCode="25833" verticalDatum="${own}"/>`,
      )
      const { points, notices } = await surveyOf(text, { heightDatum })
      expect(points).toMatchObject([point])
      expect(notices.map(({ code }) => code).filter((code) => code === 'HEIGHT_DATUM_REPLACED')).toEqual(codes)
    },
  )

  test('counts a reference to an earlier point as a repeat, or as a point under its own name; fails a dangling one', async () => {
    const { points, repeats, faulty } = await surveyOf(
      file(
        `<CgPoint name="A">5820072.9 391776.1 1</CgPoint>
<CgPoint pntRef="A"/>
<CgPoint name="B" pntRef="A"></CgPoint>
<CgPoint pntRef="Z"/>`,
        utm33,
      ),
    )
    expect(points.map(({ title }) => title)).toEqual(['A', 'B'])
    expect(points[1]!.latitude).toBe(points[0]!.latitude)
    expect(repeats).toMatchObject([{ title: 'A', line: 7 }])
    expect(faulty).toMatchObject([{ title: 'Z', line: 9, faults: [{ code: 'NO_COORDINATES' }] }])
  })

  test('fails an invalid point with its name and line', async () => {
    const { points, faulty } = await surveyOf(
      file(
        `<CgPoint name="A">5820072.9 391776.1 1</CgPoint>
<CgPoint name="B"></CgPoint>
<CgPoint name="C">5820072,9 391776,1 1</CgPoint>
<CgPoint name="D">5820072.9</CgPoint>
<CgPoint>5820072.9 391776.1 1</CgPoint>`,
        utm33,
      ),
    )
    expect(points).toHaveLength(1)
    expect(faulty.map(({ title, line, faults }) => [title, line, faults[0]!.code])).toEqual([
      ['B', 7, 'NO_COORDINATES'],
      ['C', 8, 'NOT_A_NUMBER'],
      ['D', 9, 'NO_COORDINATES'],
      [null, 10, 'MISSING_TITLE'],
    ])
  })

  test('requires crs= for a file without a system', async () => {
    const text = file('<CgPoint name="A">5820072.9 391776.1 1</CgPoint>')
    await expect(surveyOf(text)).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
    expect((await surveyOf(text, { crs: 'EPSG:25833' })).points).toHaveLength(1)
  })

  test('names an unknown system in the error', async () => {
    const text = file('<CgPoint name="A">72.9 16.1 1</CgPoint>', '<CoordinateSystem name="Site grid 5"/>')
    await expect(surveyOf(text)).rejects.toMatchObject({
      code: 'UNKNOWN_CRS',
      message: expect.stringContaining('Site grid 5'),
    })
  })

  test('refuses units or a system below the first points', async () => {
    const many = Array.from({ length: 60 }, (_, i) => `<CgPoint name="${i}">5820072.${i} 391776.1 1</CgPoint>`).join(
      '\n',
    )
    const text = file(many).replace('</LandXML>', `${utm33}</LandXML>`)
    await expect(surveyOf(text, { crs: 'EPSG:25832' })).rejects.toMatchObject({
      code: 'NOT_A_TABLE',
      message: expect.stringContaining('CoordinateSystem is below the points'),
    })
  })

  test('refuses a file of surfaces, because it has no points', async () => {
    const text = file('').replace('</LandXML>', '<Surfaces><Surface><P id="1">1 2 3</P></Surface></Surfaces></LandXML>')
    await expect(surveyOf(text)).rejects.toMatchObject({
      code: 'EMPTY_FILE',
      message: expect.stringContaining('no CgPoint'),
    })
  })

  test.each([
    [
      'an entity bomb',
      '<?xml version="1.0"?>\n<!DOCTYPE LandXML [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<LandXML>&b;</LandXML>',
      /declares XML entities/,
    ],
    [
      'an external entity',
      '<?xml version="1.0"?><!DOCTYPE LandXML [<!ENTITY x SYSTEM "file:///etc/passwd">]><LandXML><CgPoint name="A">&x;</CgPoint></LandXML>',
      /declares XML entities/,
    ],
    [
      'an entity that is not declared',
      '<LandXML><CgPoint name="A">&x;</CgPoint></LandXML>',
      /line 1: the XML is not well-formed/,
    ],
    ['a tag without an end', `<LandXML><CgPoint name="${'x'.repeat(300_000)}`, /a tag has no end/],
    ['a text without an end', `<LandXML>${'1 '.repeat(3_000_000)}`, /a text has no end/],
    ['elements without an end', `<LandXML>${'<a>'.repeat(100_000)}`, /nested more than 64 deep/],
    ['a text in 200,000 parts', `<LandXML>${'1<!---->'.repeat(200_000)}</LandXML>`, /more than 1000 parts/],
    ['tags that overlap', '<LandXML>\n<CgPoints></LandXML>', /line 2: the XML is not well-formed/],
  ])('refuses %s with a message', async (_, text, message) => {
    await expect(surveyOf(text, {}, 65_536)).rejects.toMatchObject({
      code: 'NOT_WELL_FORMED',
      message: expect.stringMatching(message),
    })
  })

  test('yields the points before a truncation, then the error with its line', async () => {
    const text = file('<CgPoint name="A">5820072.9 391776.1 1</CgPoint>', utm33)
    await expect(surveyOf(text.slice(0, text.indexOf('</CgPoints>')))).rejects.toMatchObject({
      code: 'NOT_WELL_FORMED',
    })
  })
})
