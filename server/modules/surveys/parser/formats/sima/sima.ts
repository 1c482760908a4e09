import type { SurveyFormat } from '../../table.ts'
import { type Line, linesOf } from '../records/lines.ts'
import { type Found, gridShape, pointTable } from '../records/point-table.ts'
import { withRepeats } from '../records/repeats.ts'
import { openText } from '../text/open-text.ts'

/** The beginning of a SIMA file: its sections, and the first point. The titles of other lists may look like records. */
const START =
  /^(?:\xef\xbb\xbf)?(?:[GZ]\d\d,[^\n]{0,200}\n){0,9}(?:Z00,[^\d\s,+.-][^\d\n]{0,200}|(?<=\n)[AZ]00,[,\s]{0,9})\nA0[01],/
const HEAD = 4096
/** Records that name the file and its sections, and the ends of sections. */
const FRAME = /^(?:[GZ]\d\d|[A-Z]00|[A-Z]99)(?:,|$)/
/** JGD2011, zones I to XIX. Zone IX is that of Tokyo. */
const PLANE_RECTANGULAR = {
  codes: [
    'EPSG:6677',
    ...Array.from({ length: 19 }, (_, i) => `EPSG:${6669 + i}`).filter((code) => code !== 'EPSG:6677'),
  ],
  names:
    'SIMA files are in a plane rectangular system of Japan, EPSG:6669 (I) to EPSG:6687 (XIX) in JGD2011, and EPSG:6677 is IX',
}

/** What programs write where no height was measured. */
const NO_HEIGHT = /^[+-]?0*(?:\.0*)?$/

const notice = (code: 'RECORDS_LEFT_OUT' | 'HEIGHTS_NOT_READ', message: string) => ({ code, message })
const zeroHeights = (points: number) =>
  `the height 0 of ${points} ${points === 1 ? 'point' : 'points'} was not read: programs write it where none was measured`

/**
 * SIMA, the exchange format of surveys in Japan (Japan Association of Surveyors): `A01,number,name,X,Y,Z,` with X to the
 * north, in a plane rectangular system that the file does not name. Records of lots and others are counted.
 */
export const sima: SurveyFormat = {
  name: 'sima',
  detects: (head) => START.test(head.toString('latin1', 0, HEAD).replaceAll('\r\n', '\n')),
  async read(bytes, { maxBytes, maxLines }) {
    const text = await openText(bytes, maxBytes, 'shift_jis')
    let others = 0
    let zeros = 0
    async function* points(lines: AsyncIterable<Line>): AsyncGenerator<Found, void, undefined> {
      for await (const { text: line, number } of lines) {
        const [kind, , name = '', x = '', y = '', z = ''] = line.split(',').map((cell) => cell.trim())
        if (kind === 'A01') {
          const isZero = z !== '' && NO_HEIGHT.test(z)
          if (isZero) zeros++
          yield { line: number, title: name, cells: { northing: x, easting: y, z: isZero ? '' : z } }
        } else if (!FRAME.test(line.trim())) others++
      }
    }
    return pointTable(
      'sima',
      {
        text,
        records: withRepeats(points(linesOf(text.text, maxLines))),
        none: 'the file has no points (A01)',
        shape: () => ({ ...gridShape('m'), usual: PLANE_RECTANGULAR }),
      },
      () => [
        ...(others > 0
          ? [notice('RECORDS_LEFT_OUT', `${others} records other than A01, the points, such as lots, were not read`)]
          : []),
        ...(zeros > 0 ? [notice('HEIGHTS_NOT_READ', zeroHeights(zeros))] : []),
      ],
    )
  },
}
