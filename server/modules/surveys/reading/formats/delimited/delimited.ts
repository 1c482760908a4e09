import { startingWith, takeSample } from '../../sampling.ts'
import type { SurveyFormat } from '../../table.ts'
import { readRecords, sniffDelimiter } from './delimiter.ts'
import { decode } from './encoding.ts'
import { narrow } from './narrow.ts'
import { readPrelude, refuseGluedCode, refuseOtherFiles } from './prelude.ts'

/** CSV with any usual delimiter, decimal sign, encoding and header, and lists of coordinates. Reads what no other format knows. */
export const delimited: SurveyFormat = {
  name: 'csv',
  detects: () => true,
  async read(bytes, { maxBytes, maxLines, maxColumns }) {
    const decoded = await decode(bytes, maxBytes)
    const sample = await takeSample(decoded.text)
    refuseOtherFiles(sample)
    refuseGluedCode(sample)
    const { length, lines, delimiter: named, ...systems } = readPrelude(sample)
    const delimiter = named ?? sniffDelimiter(sample.slice(length, sample.lastIndexOf('\n') + 1 || undefined))
    const body = startingWith(sample.slice(length), decoded.text)
    const records = readRecords(body, delimiter, { firstLine: lines + 1, maxLines })
    return {
      source: { format: 'csv', delimiter, encoding: decoded.encoding, layer: null, layers: [] },
      systems,
      records: narrow(records, maxColumns),
      notices: () =>
        decoded.encoding === 'windows-1252'
          ? [
              {
                code: 'ENCODING_FALLBACK',
                message: 'the file is not UTF-8 and was read as windows-1252: check accented letters',
              },
            ]
          : [],
    }
  },
}
