import { startingWith, takeSample } from '../../sampling.ts'
import type { SurveyFormat, SurveyTable } from '../../table.ts'
import { delimiterUnder, readRecords, sniffDelimiter } from './delimiter.ts'
import { decode, type Encoding } from './encoding.ts'
import { narrow } from './narrow.ts'
import { readPrelude, refuseGluedCode, refuseOtherFiles, remarksNotice } from './prelude.ts'

/** CSV with any usual delimiter, decimal sign, encoding and header, and lists of coordinates. Reads what no other format knows. */
export const delimited: SurveyFormat = {
  name: 'csv',
  detects: () => true,
  async read(bytes, { header, maxBytes, maxLines, maxColumns }) {
    const decoded = await decode(bytes, maxBytes)
    const sample = await takeSample(decoded.text)
    refuseOtherFiles(sample)
    refuseGluedCode(sample)
    const { length, lines, delimiter: named, remarks, ...systems } = readPrelude(sample, header !== undefined)
    const table = sample.slice(length, sample.lastIndexOf('\n') + 1 || undefined)
    const delimiter = named ?? (header === undefined ? sniffDelimiter(table) : delimiterUnder(header, table))
    const body = startingWith(sample.slice(length), decoded.text)
    const records = readRecords(body, delimiter, { firstLine: lines + 1, maxLines })
    return {
      source: { format: 'csv', delimiter, encoding: decoded.encoding, layer: null, layers: [] },
      systems,
      records: narrow(records, maxColumns),
      notices: () => [...remarksNotice(remarks, delimiter), ...encodingNotice(decoded.encoding)],
    }
  },
}

const encodingNotice = (encoding: Encoding): ReturnType<NonNullable<SurveyTable['notices']>> =>
  encoding === 'windows-1252'
    ? [
        {
          code: 'ENCODING_FALLBACK',
          message: 'the file is not UTF-8 and was read as windows-1252: check accented letters',
        },
      ]
    : []
