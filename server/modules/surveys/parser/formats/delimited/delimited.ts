import { columnsOf, coordinateKinds } from '../../layout/columns.ts'
import { peekSample, startingWith } from '../../sampling.ts'
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

/** A header whose cells are merged with the line above it has gaps: they are filled with the words of that line. */
async function* withUpperHalf(
  records: AsyncIterable<SurveyRecord>,
  upper: readonly string[],
): AsyncGenerator<SurveyRecord, void, undefined> {
  let isFirst = true
  for await (const { fields, ...record } of records) {
    const isGap = (field: string, index: number) =>
      field.trim() === '' && upper[index] !== undefined && Object.keys(columnsOf([upper[index]])).length > 0
    const filled = isFirst && coordinateKinds(columnsOf(fields)).length > 0
    yield { ...record, fields: filled ? fields.map((field, i) => (isGap(field, i) ? upper[i]! : field)) : fields }
    isFirst = false
  }
}
