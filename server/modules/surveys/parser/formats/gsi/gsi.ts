import type { SurveyFormat } from '../../table.ts'
import { linesOf } from '../records/lines.ts'
import { gridShape, pointTable } from '../records/point-table.ts'
import { withRepeats } from '../records/repeats.ts'
import { headText, openText } from '../text/open-text.ts'
import { blockReader } from './blocks.ts'
import { wordsOf } from './words.ts'

/**
 * Leica GSI-8 and GSI-16 ("GSI ONLINE for Leica TPS", Leica Geosystems): one block a line. A block with coordinates of
 * a target (words 81 to 83) or a station (84 to 86) is a point, a block of measurements only a failed row. Code blocks
 * (41) are omitted and counted.
 */
export const gsi: SurveyFormat = {
  name: 'gsi',
  detects: (head) => ['11', '41'].includes(wordsOf(firstLine(headText(head)))?.[0]?.index ?? ''),
  async read(bytes, { maxBytes, maxLines }) {
    const text = await openText(bytes, maxBytes)
    const blocks = blockReader()
    return pointTable(
      'gsi',
      {
        text,
        records: withRepeats(blocks.read(linesOf(text.text, maxLines))),
        none: 'the file has measurements but no coordinates (words 81 to 86): export the coordinates of the job',
        shape: () => gridShape(blocks.unit()),
      },
      blocks.notices,
    )
  },
}

const firstLine = (text: string): string =>
  text
    .slice(0, 2000)
    .trimStart()
    .split(/[\r\n]/, 1)[0]!
