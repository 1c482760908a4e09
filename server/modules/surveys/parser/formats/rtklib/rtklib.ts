import { SurveyFileError } from '../../errors.ts'
import type { SurveyFormat } from '../../table.ts'
import { linesOf } from '../records/lines.ts'
import { type FieldColumn, noSystem, pointTable } from '../records/point-table.ts'
import { headText, openText } from '../text/open-text.ts'
import { solutionReader } from './solutions.ts'

const header = /^%[^\n]{0,80}?(?:GPST|UTC|JST)[^\n]{0,80}?(?:latitude|x-ecef|e-baseline)\W/m

/**
 * Positions of RTKLIB, `.pos` (RTKLIB manual 2.4.2, appendix B.1): a line an epoch, named by its time as calendar or
 * week and time of week. Heights are ellipsoidal unless the header says geodetic. Refuses baselines (e/n/u).
 */
export const rtklib: SurveyFormat = {
  name: 'rtklib',
  detects: (head) => headText(head).startsWith('%') && header.test(headText(head)),
  async read(bytes, { maxBytes, maxLines }) {
    const text = await openText(bytes, maxBytes)
    const solutions = solutionReader()
    return pointTable('rtklib', {
      text,
      records: solutions.read(linesOf(text.text, maxLines)),
      none: 'the file has no positions below its header: the receiver had no solution',
      shape() {
        const { kind, isGeodeticHeight, datum } = solutions.head()
        if (kind === 'baseline') throw baseline()
        const accuracies: FieldColumn[] = ['accuracyNorthing', 'accuracyEasting', 'accuracyV']
        const systems = noSystem()
        if (kind === 'ecef')
          return { columns: ['x', 'y', 'z', 'title', 'description'], systems: { ...systems, crs: 'EPSG:4978' } }
        return {
          columns: [
            'latitude',
            'longitude',
            { field: 'ellipsoidalHeight', unit: 'm', as: isGeodeticHeight ? 'altitude' : 'ellipsoidalHeight' },
            'title',
            'description',
            ...accuracies,
          ],
          systems: datum && !/^WGS-?84$/i.test(datum) ? { ...systems, titles: [`Datum: ${datum}`] } : systems,
        }
      },
    })
  },
}

const baseline = () =>
  new SurveyFileError(
    'NOT_A_TABLE',
    'the file has baselines (e/n/u) from a base station instead of positions: set the solution format of RTKLIB to Lat/Lon/Height',
  )
