import type { Crs } from '../../../reference-systems/crs.ts'
import { SurveyFileError } from '../errors.ts'
import { truncate } from '../truncate.ts'
import { fittingSystems, type Pair } from './axes.ts'
import type { LayoutContext } from './layout.ts'

const MAX_SHOWN = 3

/**
 * The error of a file with grid coordinates without a system, or with one in degrees; includes the systems that would fit
 * the zone.
 */
export function missingCrs(
  pairs: readonly Pair[],
  { unreadCrs, table, inZone, hasLines }: LayoutContext,
  inDegrees?: Crs,
): SurveyFileError {
  const small = pairs.length > 0 && pairs.flat().every((value) => Math.abs(value) <= 180)
  const why = inDegrees
    ? `the file has grid coordinates but names ${inDegrees.name}, which is in degrees`
    : unreadCrs
      ? `the file names its reference system "${truncate(unreadCrs, 60)}", which the EPSG register does not have`
      : small
        ? 'the coordinates could be metres or degrees, and the file names no reference system'
        : 'the file has grid coordinates but names no reference system'
  const fitting = inZone ? fittingSystems(pairs.slice(0, 10), table.find, inZone) : []
  const [system = 'EPSG:25833'] = fitting
  // Only the zone identifies a system: otherwise the code is an example.
  const hint =
    fitting.length > 0
      ? ` (in ${fitting.slice(0, MAX_SHOWN).join(' or ')} the points would be in their zone)`
      : ', with the code of its own system instead'
  const line = `put a line such as ${system} above the header${hint}${inDegrees ? ' in its place' : `, or import with crs=${system}`}`
  const mend = hasLines ? line : `import with crs=${system}${hint}`
  return new SurveyFileError(
    'UNKNOWN_CRS',
    `${why}: ${mend}${small ? '; if they are degrees, call the columns lat and lon in a header line' : ''}`,
  )
}
