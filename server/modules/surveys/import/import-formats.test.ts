import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openImports } from '../../../test/surveying/imports.ts'
import { checksumOf } from '../parser/formats/nmea/sentences.ts'

let on: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  on = await openImports()
})
afterAll(() => on.close())

const sentence = (body: string) => `$${body}*${checksumOf(body)}`
const word = (index: string, data: string) => `${index}+${data.padStart(16, '0')}`

/** A file of each format with the same point and an invalid record. */
const files: [format: string, content: string, query?: string][] = [
  [
    'landxml',
    `<LandXML>\n<Units><Metric linearUnit="meter"/></Units><CoordinateSystem epsgCode="25833"/>\n<CgPoints><CgPoint name="A">5820072.962113 391776.154582 74.25</CgPoint>\n<CgPoint name="bad">x</CgPoint></CgPoints></LandXML>`,
  ],
  [
    'jobxml',
    '<JOBFile><Reductions><Point><Name>A</Name><WGS84><Latitude>52.5200066</Latitude><Longitude>13.404954</Longitude><Height>74.25</Height></WGS84></Point>\n<Point><Name>bad</Name><Deleted>true</Deleted></Point></Reductions></JOBFile>',
  ],
  [
    'gsi',
    `*${word('110001', 'A')} ${word('81..06', '3917761546')} ${word('82..06', '58200729621')} ${word('83..06', '742500')}\n*${word('110002', 'bad')} ${word('21.322', '1')}\n`,
    '?crs=EPSG:25833',
  ],
  [
    'sdr33',
    `00NMSDR33 V04-04.02     04-May-24 12:00 111111\n08TP               A5820072.962113  391776.154582   74.25\n09F1               A             bad12.5\n`,
    '?crs=EPSG:25833',
  ],
  [
    'rw5',
    'JB,NMPARK\nMO,AD0,UN1\nLS,HR2.0\nGPS,PNA,LA52.31120237600,LN13.24178344000,EL76.25,--\nSS,OPA,FPbad,AR0,ZE90,SD3,--\n',
  ],
  ['micmac', '#F=N X Y Z\nA 391776.154582 5820072.962113 74.25\nbad 1\n', '?crs=EPSG:25833'],
  [
    'rtklib',
    '%  GPST  latitude(deg) longitude(deg)  height(m)   Q  ns\n2024/05/04 12:00:01.000 52.5200066 13.404954 74.25 1 12\n2024/05/04 12:00:02.000 bad\n',
  ],
  [
    'nmea',
    `${sentence('GPGGA,120001,5231.200396,N,01324.297240,E,4,14,0.8,34.750,M,39.500,M,,')}\n${sentence('GPGGA,120002,,,,,0,,,,M,,M,,')}\n`,
  ],
  [
    'grafnav',
    'Datum: WGS84\n Station    Latitude      Longitude     H-Ell\n            (D M S)        (D M S)      (m)\n  A   52 31 12.02376  13 24 17.83440  74.250\n  bad 52 31\n',
  ],
]

describe('survey formats imported over HTTP', () => {
  test.each(files)(
    '%s: creates the point, and reports the invalid record with its line',
    async (format, content, query = '') => {
      const { record, report, gcps } = await on.imports.imported(content, { query })
      expect(record).toMatchObject({ status: 'COMPLETED', rowCount: 2, processedRows: 1 })
      expect(report).toMatchObject({ summary: { rows: 2, created: 1, failed: 1 }, detected: { format } })
      const failed = report.rows.filter(
        ({ status, row }: { status: string; row: number }) => status === 'failed' && row === 2,
      )
      expect(failed).toHaveLength(1)
      expect(failed[0].line).toBeGreaterThan(1)
      const [{ pin }] = gcps
      expect(pin.latitude).toBeCloseTo(52.5200066, 7)
      expect(pin.longitude).toBeCloseTo(13.404954, 7)
      if (query === '' && format !== 'landxml') expect(pin.geoPose.position.h).toBeCloseTo(74.25, 3)
    },
  )

  test('counts a repeated record, which changes nothing', async () => {
    const a = '<CgPoint name="A">5820072.9 391776.1 1</CgPoint>'
    const { report } = await on.imports.imported(
      `<LandXML><CoordinateSystem epsgCode="25833"/><CgPoints>${a}<CgPoint pntRef="A"/></CgPoints></LandXML>`,
    )
    expect(report.summary).toMatchObject({ rows: 2, created: 1, failed: 0 })
  })

  test('imports nothing from a table with two different eastings and northings', async () => {
    const { record, gcps } = await on.imports.imported(
      'name,E (design),N (design),E (measured),N (measured)\nA,391776.15,5820072.96,391771.15,5820067.96\n',
      { query: '?crs=EPSG:25833' },
    )
    expect(record).toMatchObject({
      status: 'FAILED',
      errorMessage: expect.stringContaining('"name,unused,unused,E (measured)'),
    })
    expect(gcps).toEqual([])
  })

  test('fails for truncated XML and names the line', async () => {
    const { record } = await on.imports.imported('<LandXML>\n<CgPoints>')
    expect(record).toMatchObject({
      status: 'FAILED',
      errorMessage: expect.stringContaining('line 2: the XML is not well-formed'),
    })
  })
})

test.each([
  ['EPSG:25833+7837', 'EPSG:7837'],
  ['EPSG:25833%2B7837', 'EPSG:7837'],
  ['EPSG:25833+EPSG:7837', 'EPSG:7837'],
  ['+proj=utm+zone=33+ellps=GRS80+towgs84=0,0,0', 'unknown'],
  ['%2Bproj=utm%20%2Bzone=33%20%2Bellps=GRS80%20%2Btowgs84=0,0,0', 'unknown'],
])('a plus in crs= need not be escaped: %s', async (crs, datum) => {
  const text = 'name,easting,northing,z\nA,391776.154582,5820072.962113,34.5\n'
  const { gcps } = await on.imports.imported(text, { query: `?crs=${crs}` })
  expect(gcps[0]).toMatchObject({ altitude: 34.5, heightDatum: datum })
  expect(gcps[0].pin.latitude).toBeCloseTo(52.5200066, 6)
})
