import type { SurveyTable } from '../../table.ts'
import { type Found, faultOf } from '../records/point-table.ts'
import { isIn, type XmlElement } from '../records/xml.ts'

const coordinateGroups = ['WGS84', 'Grid']

/** Reads the points of `Reductions`, each when its element closes, and counts deleted records of the field book. */
export function reductions() {
  let parts: Record<string, string> = {}
  let deletedRecords = 0
  let isGeodetic = false

  return {
    /** Whether the first points have WGS84 coordinates; then a point without them fails. */
    decide(sample: readonly Found[]): boolean {
      isGeodetic = sample.some(({ cells }) => cells.latitude !== undefined)
      if (isGeodetic) for (const found of sample) if (!found.cells.latitude) found.fault ??= gridOnly()
      return isGeodetic
    },

    read(element: XmlElement): Found | undefined {
      const { name, text, parent } = element
      if (name === 'Point' && isIn(element, 'Reductions')) {
        const point = parts
        parts = {}
        return pointOf(point, element.line, isGeodetic)
      }
      if (isIn(element, 'Point', 'Reductions')) parts[name] ??= text.trim()
      else if (parent && coordinateGroups.includes(parent.name) && isIn(parent, 'Point', 'Reductions'))
        parts[`${parent.name}/${name}`] = text.trim()
      else if (name === 'Deleted' && text.trim() === 'true' && isIn(element, 'PointRecord', 'FieldBook'))
        deletedRecords++
      return undefined
    },

    notices: (): ReturnType<NonNullable<SurveyTable['notices']>> =>
      deletedRecords === 0
        ? []
        : [
            {
              code: 'RECORDS_LEFT_OUT',
              message: `${deletedRecords} deleted ${deletedRecords === 1 ? 'point record of the field book was' : 'point records of the field book were'} not read`,
            },
          ],
  }
}

function pointOf(parts: Record<string, string>, line: number, isGeodetic: boolean): Found {
  const title = parts.Name ?? ''
  const failed = (code: 'DELETED_POINT' | 'NO_COORDINATES', message: string): Found => ({
    line,
    title,
    cells: {},
    fault: faultOf(code, message),
  })
  if (parts.Deleted === 'true') return failed('DELETED_POINT', 'the point is deleted in the job')
  const [latitude, longitude] = [parts['WGS84/Latitude'], parts['WGS84/Longitude']]
  const [northing, easting] = [parts['Grid/North'], parts['Grid/East']]
  const hasGeodetic = Boolean(latitude && longitude)
  if (!hasGeodetic && !(northing && easting)) return failed('NO_COORDINATES', 'the point has no coordinates')
  if (!hasGeodetic && isGeodetic) return { line, title, cells: {}, fault: gridOnly() }
  const description = [...new Set([parts.Code, parts.Description1, parts.Description2].filter(Boolean))].join(' ')
  return {
    line,
    title,
    cells: {
      ...(hasGeodetic && {
        latitude: latitude!,
        longitude: longitude!,
        ellipsoidalHeight: known(parts['WGS84/Height']),
      }),
      ...(northing && { northing }),
      ...(easting && { easting }),
      altitude: known(parts['Grid/Elevation']),
      description,
    },
  }
}

/** The controller writes an unknown height as `?` or empty. */
const known = (height: string | undefined): string => (height === '?' ? '' : (height ?? ''))

const gridOnly = () =>
  faultOf(
    'NO_COORDINATES',
    'the point has grid coordinates only, but other points of the file have WGS84: export it with both, or by itself as CSV',
  )
