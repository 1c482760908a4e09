import type { SurveyFormat } from '../../table.ts'
import { linesOf } from '../records/lines.ts'
import { noSystem, pointTable } from '../records/point-table.ts'
import { withRepeats } from '../records/repeats.ts'
import { headText, openText } from '../text/open-text.ts'
import { rawReader } from './raw-reader.ts'

/**
 * Carlson RW5 ("Carlson SurvPC RW5 Format", Carlson Software): `GPS` records are latitude, longitude (DDD.MMSSsss) and
 * ellipsoidal height of the antenna in metres, reduced to the ground by the rod height of `LS`; the `--GS` record below
 * has their elevation. In a file without them, the grid coordinates of `SP` and `OC` are read in the unit of `MO`.
 * Measurements without coordinates are failed rows; other records are omitted and counted.
 */
export const rw5: SurveyFormat = {
  name: 'rw5',
  detects: (head) => {
    const start = headText(head).slice(0, 4096)
    return /^(?:JB,NM|MO,AD\d)/m.test(start) && /^(?:\s|--[^\n]{0,200}\n)*(?:JB,NM|MO,AD\d)/.test(start)
  },
  async read(bytes, { maxBytes, maxLines }) {
    const text = await openText(bytes, maxBytes)
    const raw = rawReader()
    return pointTable(
      'rw5',
      {
        text,
        records: withRepeats(raw.read(linesOf(text.text, maxLines))),
        none: 'the file has measurements but no coordinates (GPS, SP or OC records): export the points of the job',
        shape(sample) {
          const unit = raw.unit()
          if (raw.decide(sample))
            return {
              columns: [
                'latitude',
                'longitude',
                { field: 'ellipsoidalHeight', unit: 'm' },
                { field: 'altitude', unit },
                'title',
                'description',
                'accuracyH',
                'accuracyV',
              ],
              systems: noSystem(),
            }
          return {
            columns: [
              { field: 'northing', unit },
              { field: 'easting', unit },
              { field: 'altitude', unit, as: 'z' },
              'title',
              'description',
            ],
            systems: noSystem(),
          }
        },
      },
      raw.notices,
    )
  },
}
