import { columnsOf, coordinateKinds } from '../../layout/columns.ts'
import { unitOf } from '../../rows/values/units.ts'
import { peekRecords, peekSample, startingWith } from '../../sampling.ts'
import type { FormatOptions, SurveyFormat, SurveyRecord, SurveyTable } from '../../table.ts'
import { openText } from '../text/open-text.ts'
import { narrow } from './column-limit.ts'
import { cutLine, type Delimiter, delimiterUnder, readRecords, sniffDelimiter } from './delimiter.ts'
import { readPrelude, refuseGluedCode, refuseOtherFiles, remarksNotice } from './prelude.ts'

type Notices = ReturnType<NonNullable<SurveyTable['notices']>>

/**
 * CSV with any common delimiter, decimal separator, encoding and header, and lists of coordinates. The fallback format.
 */
export const delimited: SurveyFormat = {
  name: 'csv',
  detects: () => true,
  async read(bytes, options) {
    const { text, encoding, notices } = await openText(bytes, options.maxBytes)
    const sample = await peekSample(text)
    refuseOtherFiles(sample)
    const { delimiter, remarks, ...table } = tableOfText(sample, text, options)
    return {
      ...table,
      source: { format: 'csv', delimiter, encoding: encoding(), layer: null, layers: [] },
      notices: () => [...remarks, ...notices()],
    }
  },
}

/**
 * A text as a table: the lines above it, and its records.
 * @param sample the first 64 KiB @param rest the remaining text @param fixed the delimiter, if known
 */
export function tableOfText(
  sample: string,
  rest: AsyncIterable<string>,
  { header, maxLines, maxColumns }: FormatOptions,
  fixed?: Delimiter,
): Pick<SurveyTable, 'systems' | 'records'> & { delimiter: Delimiter; remarks: Notices } {
  refuseGluedCode(sample)
  const { length, lines, delimiter: named, remarks, upper, ...systems } = readPrelude(sample, header !== undefined)
  const table = sample.slice(length, sample.lastIndexOf('\n') + 1 || undefined)
  const delimiter = fixed ?? named ?? (header === undefined ? sniffDelimiter(table) : delimiterUnder(header, table))
  const records = readRecords(startingWith(sample.slice(length), rest), delimiter, { firstLine: lines + 1, maxLines })
  const whole = upper === undefined ? records : withUpperHalf(records, cutLine(upper, delimiter))
  return { delimiter, systems, records: narrow(whole, maxColumns), remarks: remarksNotice(remarks, delimiter) }
}

/** Rows that show how many columns of the line above the header the table has. */
const SHOWN_ROWS = 20

/**
 * A header whose cells are merged with the line above it has gaps, and may be shorter: the words of that line fill it, as
 * far as most rows reach. A unit below a word belongs to it.
 */
async function* withUpperHalf(
  records: AsyncIterable<SurveyRecord>,
  upper: readonly string[],
): AsyncGenerator<SurveyRecord, void, undefined> {
  const { first, rest } = await peekRecords(records, SHOWN_ROWS + 1)
  const [header, ...rows] = first
  if (header) yield { ...header, fields: filled(header.fields, upper, usualWidth(rows)) }
  yield* startingWith(rows, rest)
}

function filled(fields: string[], upper: readonly string[], rowWidth: number): string[] {
  if (coordinateKinds(columnsOf(fields)).length === 0) return fields
  const isKnown = (word: string) => Object.keys(columnsOf([word])).length > 0
  const joined = (field: string, above: string): string => {
    if (field.trim() === '') return isKnown(above) || fields.length < upper.length ? above : field
    return unitOf(field.replace(/[[\]() ]/g, '')) !== undefined && isKnown(above) ? `${above} ${field}` : field
  }
  // A title line may have more cells than the table has columns.
  const width = Math.max(fields.length, Math.min(upper.length, rowWidth))
  return Array.from({ length: width }, (_, i) => joined(fields[i] ?? '', upper[i] ?? ''))
}

/** The number of fields that at least half of the rows have. */
function usualWidth(rows: readonly SurveyRecord[]): number {
  const widths = rows.map(({ fields }) => fields.length).sort((one, other) => other - one)
  return widths[(widths.length - 1) >> 1] ?? 0
}
