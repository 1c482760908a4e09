import type { SurveyFormat } from '../../table.ts'
import { linesOf } from '../records/lines.ts'
import { gridShape, pointTable } from '../records/point-table.ts'
import { withRepeats } from '../records/repeats.ts'
import { headText, openText } from '../text/open-text.ts'
import { recordReader } from './records.ts'

/**
 * Sokkia SDR33 and SDR2x (record formats in the manuals of Nikon N/K and Spectra Precision Focus total stations):
 * coordinates of points (08) and stations (02) in fixed columns. The header record (00) has the unit and the axis
 * order. Observations (09) are failed rows; other records are omitted and counted.
 */
export const sdr33: SurveyFormat = {
  name: 'sdr33',
  detects: (head) => /^\s{0,20}00[A-Z]{2}SDR(?:20|2X|33)/i.test(headText(head).slice(0, 60)),
  async read(bytes, { maxBytes, maxLines }) {
    const text = await openText(bytes, maxBytes)
    const reader = recordReader()
    return pointTable(
      'sdr33',
      {
        text,
        records: withRepeats(reader.read(linesOf(text.text, maxLines))),
        none: 'the file has no coordinates (records 08 and 02): export the job with coordinates',
        shape: () => gridShape(reader.unit()),
      },
      reader.notices,
    )
  },
}
