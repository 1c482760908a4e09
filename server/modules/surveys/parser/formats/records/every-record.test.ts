// @module-tag long
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'
import type { SurveyOptions } from '../../read-survey.ts'
import { checksumOf } from '../nmea/sentences.ts'

/** Kinds of records in a random file: a point, one without coordinates, one with invalid numbers, and a repeat. */
const mark = fc.record({
  kind: fc.constantFrom('point', 'point', 'empty', 'broken', 'twice'),
  title: fc.oneof(
    fc.constantFrom('#1', '# remark', 'm', 'ft', 'title', 'northing (m)', '0', '-', "'=1+1", 'Ä', 'nan'),
    fc.stringMatching(/^[A-Za-z0-9]{1,6}$/),
  ),
  // Millimetres from a corner in UTM 33, so that all formats round alike.
  east: fc.integer({ min: 390_000_000, max: 399_999_999 }),
  north: fc.integer({ min: 5_820_000_000, max: 5_829_999_999 }),
})
type Mark = typeof mark extends fc.Arbitrary<infer T> ? T : never

const metres = (millimetres: number) => (millimetres / 1000).toFixed(3)
/** A value for each kind of record. */
const figure = ({ kind }: Mark, good: string, broken = 'x1.5') =>
  kind === 'empty' ? '' : kind === 'broken' ? broken : good
const each = (marks: Mark[], write: (mark: Mark, i: number) => string) =>
  marks.flatMap((one, i) => (one.kind === 'twice' ? [write(one, i), write(one, i)] : [write(one, i)]))
const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const plain = (title: string) => title.replaceAll(' ', '_')
const word = (index: string, data: string) => `${index}+${data.padStart(16, '0')}`
const degrees = (one: Mark) => ({ lat: 50 + (one.north % 1_000_000) / 1e6, lon: 10 + (one.east % 1_000_000) / 1e6 })
const clock = (i: number) => [i / 3600, (i / 60) % 60, i % 60].map((part) => String(Math.floor(part)).padStart(2, '0'))

/** Writes the records in each format; `count` is the resulting number of rows. */
const writers: Record<string, (marks: Mark[]) => string[]> = {
  landxml: (marks) =>
    each(
      marks,
      (one) =>
        `<CgPoint name="${xml(one.title)}">${figure(one, `${metres(one.north)} ${metres(one.east)} 1.5`, 'x y z')}</CgPoint>`,
    ),
  jobxml: (marks) =>
    each(
      marks,
      (one) =>
        `<Point><Name>${xml(one.title)}</Name><Deleted>${one.kind === 'broken'}</Deleted><Grid><North>${figure(one, metres(one.north))}</North><East>${metres(one.east)}</East></Grid></Point>`,
    ),
  metashape: (marks) =>
    each(
      marks,
      (one) =>
        `<marker label="${xml(one.title)}"><reference x="${metres(one.east)}" y="${figure(one, metres(one.north))}" z="1.5"/></marker>`,
    ),
  gsi: (marks) =>
    each(
      marks,
      (one) =>
        `*${word('110001', plain(one.title))} ${one.kind === 'empty' ? word('21.322', '1') : `${word('81..00', String(one.east))} ${word('82..00', one.kind === 'broken' ? 'x' : String(one.north))}`}`,
    ),
  sima: (marks) =>
    each(marks, (one, i) => `A01,${i},${one.title},${figure(one, metres(one.north))},${metres(one.east)},1.5,`),
  sdr33: (marks) =>
    each(
      marks,
      (one) =>
        `08TP${one.title.padStart(16)}${figure(one, metres(one.north)).padEnd(16)}${metres(one.east).padEnd(16)}${'1.5'.padEnd(16)}x`,
    ),
  rw5: (marks) =>
    each(marks, (one) => `SP,PN${one.title},N ${figure(one, metres(one.north))},E ${metres(one.east)},EL1.5,--x`),
  micmac: (marks) =>
    each(
      marks,
      (one) => `${plain(one.title).replace(/^#/, 'n')} ${metres(one.east)} ${figure(one, metres(one.north))} 1.5`,
    ),
  rtklib: (marks) =>
    each(
      marks,
      (one, i) =>
        `2024/05/04 ${clock(i).join(':')}.000 ${figure(one, degrees(one).lat.toFixed(9))} ${degrees(one).lon.toFixed(9)} 70.5 1 12`,
    ),
  nmea: (marks) =>
    each(marks, (one, i) => {
      const body = `GPGGA,${clock(i).join('')},50${((one.north % 59_000) / 1000).toFixed(4).padStart(7, '0')},N,010${((one.east % 59_000) / 1000).toFixed(4).padStart(7, '0')},E,${one.kind === 'empty' ? 0 : 4},8,1,34.5,M,39.5,M,,`
      return `$${body}*${one.kind === 'broken' ? 'ZZ' : checksumOf(body)}`
    }),
  grafnav: (marks) =>
    each(
      marks,
      (one) => `${plain(one.title)} ${figure(one, '50 10 11.5', '50 71 11.5')} ${degrees(one).lon.toFixed(9)} 70.5 1`,
    ),
}

const inUtm: SurveyOptions = { crs: 'EPSG:25833' }
const around: Record<string, [head: string, foot: string, options?: SurveyOptions]> = {
  landxml: [
    '<?xml version="1.0"?>\n<LandXML><Units><Metric linearUnit="meter"/></Units><CgPoints>\n',
    '\n</CgPoints></LandXML>',
    inUtm,
  ],
  jobxml: ['<JOBFile>\n<Reductions>\n', '\n</Reductions></JOBFile>', inUtm],
  metashape: ['<document version="1.2.0"><chunk><markers>\n', '\n</markers></chunk></document>', inUtm],
  gsi: ['', '\n', inUtm],
  sdr33: ['00NMSDR33 V04-04.02     04-May-24 12:00 111111\n', '', inUtm],
  sima: ['G00,01,park,\nZ00,points,\nA00,\n', '\nA99,\n', inUtm],
  rw5: ['JB,NMx\nMO,AD0,UN1\n', '\n', inUtm],
  micmac: ['#F=N X Y Z\n', '', inUtm],
  rtklib: ['%  GPST  latitude(deg) longitude(deg)  height(m)   Q  ns\n', ''],
  nmea: ['', '\n'],
  grafnav: [' Station    Latitude  Longitude  H-Ell Q\n            (D M S)      (deg)    (m)\n', '\n'],
}

describe('no record is dropped silently', () => {
  test.each(Object.keys(writers))('%s: each record is a point, a repeat or a failed row', async (format) => {
    const [head, foot, options] = around[format]!
    await fc.assert(
      fc.asyncProperty(fc.array(mark, { minLength: 1, maxLength: 80 }), fc.boolean(), async (marks, windows) => {
        // The first point determines the layout, whatever follows.
        const written = writers[format]!([{ ...marks[0]!, kind: 'point' }, ...marks])
        const text = `${head}${written.join('\n')}${foot}`
        const { points, faulty, repeats, detected } = await surveyOf(
          windows ? text.replaceAll('\n', '\r\n') : text,
          options,
          997,
        )
        expect(detected.format).toBe(format)
        expect(points.length + faulty.length + repeats.length).toBe(written.length)
        expect(points.length).toBeGreaterThan(0)
        for (const { faults } of faulty) expect(faults[0]!.message).not.toMatch(/undefined|NaN|\[object/)
      }),
      { numRuns: 60 },
    )
  })

  test.each(Object.keys(writers))(
    '%s: a file truncated or damaged anywhere gives rows or an error message',
    async (format) => {
      const [head, foot, options] = around[format]!
      const noise = fc.constantFrom(
        '',
        ' ',
        '\n',
        '\0',
        '<',
        '&',
        ']]>',
        '*',
        '+',
        ',',
        '%',
        '$GPGGA',
        '110001+',
        '08TP',
        '(m)',
        '-',
        '1e999',
        '…',
      )
      await fc.assert(
        fc.asyncProperty(
          fc.array(mark, { minLength: 1, maxLength: 8 }),
          fc.nat(2000),
          fc.array(noise, { maxLength: 12 }),
          async (marks, at, noises) => {
            const text = `${head}${writers[format]!(marks).join('\n')}${foot}`
            const place = at % (text.length + 1)
            try {
              await surveyOf(text.slice(0, place) + noises.join('') + text.slice(place), options)
            } catch (error) {
              expect(error).toHaveProperty('code', expect.stringMatching(/^[A-Z_]+$/))
              expect((error as Error).message).not.toMatch(/undefined|NaN|\[object/)
            }
          },
        ),
        { numRuns: 150 },
      )
    },
  )
})
