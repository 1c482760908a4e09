import { isHeaderLine } from '../../layout/columns.ts'
import type { SurveyFormat } from '../../table.ts'
import { linesOf } from '../records/lines.ts'
import { noSystem, pointTable } from '../records/point-table.ts'
import { headText, openText } from '../text/open-text.ts'
import { epochReader } from './epochs.ts'

/**
 * Logs of NMEA 0183: each epoch with a GGA or GNS sentence is a point, named by its time (with the date of RMC or ZDA
 * if present). The ellipsoidal height is the altitude plus the geoid separation; accuracies are those of a GST sentence
 * of the same epoch. Other sentences are ignored; text of a logger and binary messages of the receiver may be around
 * them.
 */
export const nmea: SurveyFormat = {
  name: 'nmea',
  detects: (head) => {
    const text = headText(head)
    const [first = ''] = text.trimStart().split(/[\r\n]/, 1)
    // A table may keep the sentence of each point in a column.
    return /\$[A-Z]{2}(?:GGA|GNS|GST|GSA|GSV|GLL|RMC|VTG|ZDA|TXT),/.test(text) && !isHeaderLine(first)
  },
  async read(bytes, { maxBytes, maxLines }) {
    const text = await openText(withoutBinary(bytes), maxBytes)
    const epochs = epochReader()
    return pointTable(
      'nmea',
      {
        text,
        records: epochs.read(linesOf(text.text, maxLines)),
        none: 'the log has no GGA or GNS sentence with a position: have the receiver write GGA',
        shape: () => ({
          columns: [
            'latitude',
            'longitude',
            { field: 'ellipsoidalHeight', unit: 'm' },
            { field: 'altitude', unit: 'm' },
            'title',
            'description',
            'accuracyNorthing',
            'accuracyEasting',
            'accuracyV',
          ],
          systems: noSystem(),
        }),
      },
      epochs.notices,
    )
  },
}

/** Replaces what is not ASCII by spaces: messages of a receiver may be between the sentences. */
async function* withoutBinary(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of bytes) yield Buffer.from(piece.map((byte) => (byte < 9 || byte > 126 ? 0x20 : byte)))
}
