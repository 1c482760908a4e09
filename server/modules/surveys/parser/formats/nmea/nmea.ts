import type { SurveyFormat } from '../../table.ts'
import { linesOf } from '../records/lines.ts'
import { noSystem, pointTable } from '../records/point-table.ts'
import { headText, openText } from '../records/text.ts'
import { epochReader } from './epochs.ts'

/**
 * Logs of NMEA 0183: each epoch with a GGA or GNS sentence is a point, named by its time (with the date of RMC or ZDA if
 * present). The ellipsoidal height is the altitude plus the geoid separation; accuracies are those of a GST sentence of
 * the same epoch. Other sentences are ignored.
 */
export const nmea: SurveyFormat = {
  name: 'nmea',
  detects: (head) =>
    /^(?:\\[^\\\n]{0,200}\\)?\$[A-Z]{2}(?:GGA|GNS|GST|GSA|GSV|GLL|RMC|VTG|ZDA|TXT),/m.test(headText(head)),
  async read(bytes, { maxBytes, maxLines }) {
    const text = await openText(bytes, maxBytes)
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
