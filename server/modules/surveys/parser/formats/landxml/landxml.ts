import { SurveyFileError } from '../../errors.ts'
import type { SurveyFormat } from '../../table.ts'
import { type Found, pointTable } from '../records/point-table.ts'
import { readXml, rootName } from '../records/xml.ts'
import { headText, openText } from '../text/open-text.ts'
import { cgPointReader } from './cg-points.ts'
import { setting } from './setting.ts'

/**
 * The `CgPoint` elements of LandXML 1.0 to 2.0 (schema at landxml.org): northing, easting and elevation in the unit of
 * `Units`, in the system of `CoordinateSystem`. A `pntRef` without a name of its own is a repeat of that point. Does
 * not read surfaces, alignments and parcels.
 */
export const landXml: SurveyFormat = {
  name: 'landxml',
  detects: (head) => rootName(headText(head)) === 'LandXML',
  async read(bytes, { maxBytes }) {
    const text = await openText(bytes, maxBytes)
    const file = setting()
    const points = cgPointReader()
    let isDecided = false
    const records = readXml(text.text, {
      opened(element) {
        if (file.reads(element) && isDecided)
          throw new SurveyFileError(
            'NOT_A_TABLE',
            `line ${element.line}: ${element.name} is below the points that it applies to: move it to the top of the file`,
            element.line,
          )
        return undefined
      },
      closed: (element) => points.read(element),
    })
    const table = {
      text,
      records,
      none: 'the file has no CgPoint with coordinates: export the points of the survey, not only its surfaces or alignments',
      shape(sample: readonly Found[]) {
        isDecided = true
        return { columns: file.columns(sample), systems: file.systems() }
      },
    }
    return pointTable('landxml', table)
  },
}
