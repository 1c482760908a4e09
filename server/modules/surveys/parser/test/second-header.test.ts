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
