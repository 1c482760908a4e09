import { expect, test } from 'vitest'
import { surveyOf } from '../../../../test/surveying/survey.ts'

const IN_UTM = { crs: 'EPSG:25833' }
const UTM = [
  ['5820072.9', '391776.15'],
  ['5820082.9', '391786.15'],
] as const
const KROVAK = [
  ['743100.5', '1043200.5'],
  ['743110.5', '1043210.5'],
] as const

test.each([
  ['Nr;X;Y;Z', 'NR;X;Y;Z', UTM, IN_UTM],
  ['Nr;X;Y;Z', 'Pkt;X;Y;Z', UTM, IN_UTM],
  ['Nr;X;Y;Z', 'Nr;X [m];Y [m];Z [m]', UTM, IN_UTM],
  ['Nr;X;Y;Z', 'Nr;X;Y;Z;', UTM, IN_UTM],
  ['Nr;X;Y;Z', 'Nr;Northing;Easting;Z', UTM, IN_UTM],
  ['Bod;Y;X;Z', 'Číslo;Y;X;Z', KROVAK, { crs: 'EPSG:5514' }],
  ['Nr;X;Y;Z', 'NR;X;Y;Z', UTM, { ...IN_UTM, header: 'title;northing;easting;z' }],
  [
    'Name;Lat;Lon;H',
    'NAME;LAT;LON;H',
    [
      ['13.4', '52.5'],
      ['13.5', '52.6'],
    ],
    { header: 'name;lon;lat;h' },
  ],
] as const)(
  'a repeated header in another spelling fails alone, whichever axis is north: %s, %s',
  async (header, other, [first, second], options) => {
    const text = `${header}\n1;${first.join(';')};34\n${other}\n2;${second.join(';')};35\n`
    const { points, faulty } = await surveyOf(text, options)
    expect(points.map(({ title }) => title)).toEqual(['1', '2'])
    expect(faulty.map(({ line }) => line)).toEqual([3])
  },
)

test.each(['Nr;Y;X;Z', 'Nr;Easting;Northing;Z', 'Nr;Z;X;Y'])(
  'rows below a header with the columns at other places fail where X is the northing: %s',
  async (other) => {
    const [[x, y]] = UTM
    const sample = Array.from({ length: 50 }, (_, n) => `${n};${x};${y};34\n`).join('')
    const { points, faulty } = await surveyOf(`Nr;X;Y;Z\n${sample}${other}\nB;${y};${x};35\n`, IN_UTM)
    expect(points).toHaveLength(50)
    expect(faulty.map(({ line }) => line)).toEqual([52, 53])
    expect(faulty[1]!.faults[0]!.message).toContain('below a second header line (line 52)')
  },
)

/** Rows, each with a comment below it. */
const rowsWith = (count: number, comment: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => `P${n},${391_772 + n},5820083\n${comment(n)}\n`).join('')
const FROM = 'UTM_zone,Easting,Northing\n33N,391772,5820083\n'
test.each([
  ['zones', `${FROM}# UTM zone 33N\n33N,391773,5820083\n`],
  ['zones of a named datum', `EPSG:25833\n${FROM}# UTM zone 32N\n32N,691875.6,5334905.5\n`],
  [
    'a column of names',
    'CRS,E,N\nETRS89 / UTM zone 33N,391772,5820083\n# EPSG:25832\nETRS89 / UTM zone 33N,391773,5820083\n',
  ],
  ['squares', 'name,mgrs\nA,33UUU 91776 20072\n# WGS84 UTM 33N\nB,33UUU 91777 20072\n'],
  ['geometries', 'name,wkt\nA,SRID=25833;POINT(391772 5820083)\n# EPSG:25833\nB,SRID=25833;POINT(391773 5820083)\n'],
  ['degrees below a grid', 'name,lat,lon\n# UTM 33N\nA,52.5,13.4\n# EPSG:25833\nB,52.6,13.4\n'],
  [
    'degrees below a definition of a grid',
    'name,lat,lon\nA,52.5,13.4\n# PROJCS["DHDN / own",\n# GEOGCS["DHDN",\nB,52.6,13.4\n',
  ],
  [
    'the lines of a definition of the same system',
    'EPSG:25833\nName,Easting,Northing\nA,391772,5820083\n# PROJCS["ETRS89 / UTM zone 33N",\n# GEOGCS["ETRS89",\nB,391773,5820083\n',
  ],
])('rows below a line of a system that is their own, or cannot be, are read: %s', async (_, text) => {
  const { points, faulty } = await surveyOf(text)
  expect(faulty).toEqual([])
  expect(points).toHaveLength(2)
})

test.each([
  ['degrees', 'name,lat,lon\nA,52.5,13.4\n# CRS: DHDN\nB,52.6,13.4\n'],
  ['a datum of zones', `EPSG:25833\n${FROM}# ED50 / UTM zone 33N\n33N,391773,5820083\n`],
  [
    'a definition',
    'EPSG:25833\nName,Easting,Northing\nA,391772,5820083\n# PROJCS["own",\n# GEOGCS["ETRS89",\nB,391773,5820083\n',
  ],
  [
    'a name after many remarks',
    `EPSG:25833\nname,E,N\n${rowsWith(30, (n) => `# Point ${n} / wall`)}# Gauß-Krüger Zone 4 / DHDN\nB,391773,5820083\n`,
  ],
])('rows below a line of another system fail: %s', async (_, text) => {
  const { points, faulty } = await surveyOf(text)
  expect(points.at(-1)?.title).not.toBe('B')
  expect(faulty.map(({ faults }) => faults[0]!.code)).toEqual(['UNKNOWN_CRS'])
})

test('a file whose lines name more than 1,000 systems is refused', async () => {
  const read = surveyOf(`EPSG:25833\nname,E,N\n${rowsWith(1002, (n) => `# EPSG:${90_000 + n}`)}`, {}, 1024)
  await expect(read).rejects.toMatchObject({ code: 'UNKNOWN_CRS', message: expect.stringContaining('1,000') })
})

test('a zone of UTM and its datum in two lines are read in the system of the request that has both', async () => {
  const text = 'Datum: NAD27 CONUS\nGrid: UTM 17N\nName,Easting,Northing\nA,391772.7,4820083.4\n'
  const { points } = await surveyOf(text, { crs: 'EPSG:26717' })
  expect(points).toMatchObject([{ transformation: { crs: 'EPSG:26717' } }])
  for (const crs of ['EPSG:26718', 'EPSG:26917'])
    await expect(surveyOf(text, { crs })).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
})
