import { SurveyFileError } from '../../errors.ts'
import type { SurveyTable } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import type { Line } from '../records/lines.ts'
import { type Found, faultOf } from '../records/point-table.ts'

/** Widths of a point number and of a value. */
type Widths = { id: number; figure: number }
const sdr33: Widths = { id: 16, figure: 16 }
const sdr2x: Widths = { id: 4, figure: 10 }

const units: Record<string, string> = { 1: 'm', 2: 'ft' }

export function recordReader() {
  let widths = sdr33
  let eastingFirst = false
  let unit = 'm'
  let leftOut = 0

  return {
    unit: () => unit,

    async *read(lines: AsyncIterable<Line>): AsyncGenerator<Found, void, undefined> {
      for await (const line of lines) {
        const { text, number } = line
        const type = /^(\d\d)[A-Z0-9]{2}/.exec(text)?.[1]
        if (type === '00') readHeader(line)
        else if (type === '08' || type === '02') yield pointOf(line, type === '02')
        else if (type === '09') yield observed(line)
        else if (type) leftOut++
        else yield failed(number, '', `"${truncate(text.trim(), 60)}" is not a record of SDR`)
      }
    },

    notices: (): ReturnType<NonNullable<SurveyTable['notices']>> =>
      leftOut === 0
        ? []
        : [
            {
              code: 'RECORDS_LEFT_OUT',
              message: `${leftOut} ${leftOut === 1 ? 'record holds' : 'records hold'} notes, targets and instruments, no points, and ${leftOut === 1 ? 'was' : 'were'} left out`,
            },
          ],
  }

  /** `00NM`, version (5–20), date (25–40), units of angles (41) and distances (42), order of coordinates (45). */
  function readHeader({ text, number }: Line) {
    widths = /^SDR33/i.test(text.slice(4).trimStart()) ? sdr33 : sdr2x
    const codes = /(\d{5,6})\s*$/.exec(text.slice(40, 60))?.[1] ?? /(\d{5,6})\s*$/.exec(text.slice(-40))?.[1]
    const named = units[codes?.[1] ?? '']
    const order = codes?.[4]
    if (!named || (order !== '1' && order !== '2'))
      throw new SurveyFileError(
        'NOT_A_TABLE',
        `line ${number}: the header record does not say in what unit and order the coordinates are (columns 42 and 45): export the file again`,
        number,
      )
    unit = named
    eastingFirst = order === '2'
  }

  function pointOf({ text, number }: Line, isStation: boolean): Found {
    const from = 4 + widths.id
    const field = (i: number, width = widths.figure) =>
      text.slice(from + i * widths.figure, from + i * widths.figure + width).trim()
    const title = text.slice(4, from).trim()
    const [first, second, z] = [field(0), field(1), field(2)]
    if (first === '' || second === '') return failed(number, title, 'the record has no coordinates')
    // A station has its instrument height before the description.
    const description = field(isStation ? 4 : 3, 16)
    const [northing, easting] = eastingFirst ? [second, first] : [first, second]
    return { line: number, title, cells: { northing, easting, z, description } }
  }

  function observed({ text, number }: Line): Found {
    const title = text.slice(4 + widths.id, 4 + 2 * widths.id).trim()
    return failed(number, title, 'the record is an observation without coordinates: export the coordinates of the job')
  }
}

const failed = (line: number, title: string, message: string): Found => ({
  line,
  title,
  cells: {},
  fault: faultOf('NO_COORDINATES', message),
})
