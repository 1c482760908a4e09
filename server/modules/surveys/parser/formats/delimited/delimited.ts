import { peekSample, startingWith } from '../../sampling.ts'
import type { FormatOptions, SurveyFormat, SurveyTable } from '../../table.ts'
import { openText } from '../text/open-text.ts'
import { narrow } from './column-limit.ts'
import { type Delimiter, delimiterUnder, readRecords, sniffDelimiter } from './delimiter.ts'
import { readPrelude, refuseGluedCode, refuseOtherFiles, remarksNotice } from './prelude.ts'

type Notices = ReturnType<NonNullable<SurveyTable['notices']>>

/** CSV with any common delimiter, decimal separator, encoding and header, and lists of coordinates. The fallback format. */
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
  const { length, lines, delimiter: named, remarks, ...systems } = readPrelude(sample, header !== undefined)
  const table = sample.slice(length, sample.lastIndexOf('\n') + 1 || undefined)
  const delimiter = fixed ?? named ?? (header === undefined ? sniffDelimiter(table) : delimiterUnder(header, table))
  const records = readRecords(startingWith(sample.slice(length), rest), delimiter, { firstLine: lines + 1, maxLines })
  return { delimiter, systems, records: narrow(records, maxColumns), remarks: remarksNotice(remarks, delimiter) }
}
