import type { SurveyFormat } from '../../table.ts'
import { noSystem, pointTable } from '../records/point-table.ts'
import { readXml, rootName } from '../records/xml.ts'
import { headText, openText } from '../text/open-text.ts'
import { coordinateSystem } from './coordinate-system.ts'
import { reductions } from './reductions.ts'

/**
 * Trimble JobXML (.jxl, the JobXML schema of Trimble Access and Survey Controller): the points of `Reductions`, in
 * metres and decimal degrees. Prefers WGS84 latitude, longitude and ellipsoidal height to grid coordinates in the
 * system of `Environment`. Does not read the raw records of `FieldBook`.
 */
export const jobXml: SurveyFormat = {
  name: 'jobxml',
  detects: (head) => rootName(headText(head)) === 'JOBFile',
  async read(bytes, { maxBytes }) {
    const text = await openText(bytes, maxBytes)
    const system = coordinateSystem()
    const points = reductions()
    const records = readXml(text.text, {
      closed(element) {
        system.read(element)
        return points.read(element)
      },
    })
    return pointTable(
      'jobxml',
      {
        text,
        records,
        none: 'the file has no points with coordinates in its Reductions: export the job as JobXML from the controller, with its points',
        shape(sample) {
          const isAdjusted = system.hasVerticalAdjustment()
          if (points.decide(sample))
            return {
              columns: [
                'latitude',
                'longitude',
                { field: 'ellipsoidalHeight', unit: 'm' },
                ...(isAdjusted ? [{ field: 'altitude', unit: 'm' } as const] : []),
                'title',
                'description',
              ],
              systems: noSystem(),
            }
          return {
            columns: [
              { field: 'northing', unit: 'm' },
              { field: 'easting', unit: 'm' },
              { field: 'altitude', unit: 'm', as: isAdjusted ? 'altitude' : 'z' },
              'title',
              'description',
            ],
            systems: system.systems(),
          }
        },
      },
      points.notices,
    )
  },
}
