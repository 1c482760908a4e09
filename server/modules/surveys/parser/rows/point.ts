import type { Crs, CrsTable, Operation } from '../../../reference-systems/crs.ts'
import type { RowError, WarningCode } from '../errors.ts'
import type { Role } from '../layout/columns.ts'
import type { InZone, Layout } from '../layout/layout.ts'
import { truncate } from '../truncate.ts'
import { checkDeleted, readAccuracies, readGcpType, readPhotos, readTag } from './attributes.ts'
import { exportedPhotos, isExport, MAX_EXPORTED_DATA, readText } from './cairn-export.ts'
import { FAR_APART_METRES, type GridCheck, gridCheckFigures, metresFromGrid } from './grid-check.ts'
import { heightReader } from './heights/heights.ts'
import { type Position, positionReader } from './position.ts'
import { type Row, rowOf } from './row.ts'
import { isSummaryTitle } from './skipped/summary-rows.ts'

/** A survey point as stored: WGS84 degrees, metres, `h` above the ellipsoid. */
export type SurveyPoint = {
  title: string
  latitude: number
  longitude: number
  h: number | null
  /** The measured height with the reference `heightDatum`; null if that is `h`. */
  altitude: number | null
  /**
   * The name of a `HeightDatum`: the reference of the measured height. Null without a height, and if an export does not
   * name it.
   */
  heightDatum: string | null
  /** The model that converted a height above the sea to the ellipsoid. */
  heightTransformation: HeightTransformation | null
  aprilTagId: number | null
  description: string | null
  gcpType: 'SINGLE' | 'MULTI' | null
  gcpData: string | null
  yaw: number | null
  pitch: number | null
  roll: number | null
  photoUrls: string[]
  accuracyH: number | null
  accuracyV: number | null
  /** The operation to WGS84; null for coordinates on WGS84. */
  transformation: PointTransformation | null
}

/** The system of a point's coordinates, the operation to WGS84, and its accuracy in metres if known. */
export type PointTransformation = { crs: string; operation: string; accuracy: number | null }

/** The geoid model, and its accuracy in metres. */
export type HeightTransformation = { operation: string; accuracy: number | null }

export type RowWarning = { code: WarningCode; message: string }
/**
 * `coarse` is the error of the way to WGS84 if notable, `coarseHeight` that of the way to the ellipsoid; `absent` the cell
 * that stands for a missing height.
 */
export type PointReading =
  | {
      point: SurveyPoint
      warnings: RowWarning[]
      coarse?: string | undefined
      coarseHeight?: string | undefined
      absent?: string | undefined
    }
  | { title: string | null; faults: RowError[] }

const MAX_TITLE = 255
const MAX_TEXT = 2000
const MAX_OPERATION = 500

type Deps = {
  table: CrsTable
  inZone: InZone | undefined
  heightDatum: string | undefined
  maxError: number | undefined
  unitAbove?: number | undefined
  isFreeTable: boolean
  swapAxes: boolean
}

/** Reads rows of one layout: returns the point, or all errors of the row. */
export function pointReader(layout: Layout, parts: Deps) {
  const { columns, decimal } = layout
  const exported = isExport(columns)
  const heightsOf = heightReader(layout, { ...parts, heights: parts.table.heights })
  const { crsOf, positionOf } = positionReader(layout, exported ? { ...parts, inZone: undefined } : parts)
  const isOutside = ({ latitude, longitude, outsideZone }: Position) =>
    outsideZone || (exported && parts.inZone?.(latitude, longitude) === false)
  /** The warning for a row whose grid coordinates contradict its latitude and longitude. */
  const apartFrom = (beside: GridCheck, row: Row, position: Position): string | undefined => {
    const named = columns.crs ? parts.table.find(row.cell('crs')) : beside.crs
    const crs = typeof named === 'object' && named.kind === 'projected' ? named : beside.crs
    const figures = crs && gridCheckFigures(row.fields, beside, decimal, crs.unit)
    const metres = figures && metresFromGrid(position, figures, crs)
    if (metres === undefined || metres <= FAR_APART_METRES) return undefined
    const names = `${beside.easting[0]!.name} and ${beside.northing[0]!.name}`
    return `${names} are ${Math.round(metres)} m away in ${crs!.name}: the point has the position of latitude and longitude; check which of them is right`
  }
  return (fields: readonly string[], units?: ReadonlyMap<number, string>): PointReading => {
    const row = rowOf(fields, columns, decimal, units)
    const text = (role: Role, max: number) => row.text(role, max, exported ? readText : undefined)
    const title = exported ? text('title', MAX_TITLE) : titleOf(text('title', MAX_TITLE))
    if (title === null && columns.title && !layout.perPhoto) row.fault('title', 'MISSING_TITLE', 'the row has no title')
    checkDeleted(row)
    const crs = crsOf(row)
    const position = positionOf(row, crs)
    const { coarse: coarseHeight, absent, ...heights } = heightsOf(row, crs, position)
    const point: SurveyPoint = {
      title: title ?? '',
      latitude: position?.latitude ?? 0,
      longitude: position?.longitude ?? 0,
      ...heights,
      aprilTagId: readTag(row),
      description: text('description', MAX_TEXT),
      gcpType: readGcpType(row),
      gcpData: text('gcpData', exported ? MAX_EXPORTED_DATA : MAX_TEXT),
      yaw: row.number('yaw'),
      pitch: row.number('pitch'),
      roll: row.number('roll'),
      photoUrls: layout.perPhoto ? [] : exported ? exportedPhotos(row) : readPhotos(row, columns.photoUrls),
      ...readAccuracies(row, columns, decimal),
      transformation: transformed(crs, position?.operation),
    }
    if (row.faults.length > 0) return { title, faults: row.faults }
    const warnings: RowWarning[] = [...row.warnings]
    if (position && isOutside(position)) warnings.push({ code: 'OUTSIDE_ZONE', message: outsideMessage(position) })
    if (!exported && isSummaryTitle(point.title))
      warnings.push({ code: 'SUMMARY_ROW', message: summaryMessage(point.title) })
    if (position?.swap) warnings.push({ code: 'AXES_SWAPPED', message: position.swap })
    const apart = layout.beside && position ? apartFrom(layout.beside, row, position) : undefined
    if (apart) warnings.push({ code: 'GRID_DISAGREES', message: apart })
    if (point.h === null && [point.yaw, point.pitch, point.roll].some((angle) => angle !== null))
      warnings.push({ code: 'ORIENTATION_WITHOUT_HEIGHT', message: ORIENTATION_WITHOUT_HEIGHT })
    const coarse = position?.operation && crs?.coarseness(position.operation, position.longitude, position.latitude)
    return { point, warnings, coarse, coarseHeight, absent }
  }
}

const transformed = (crs: Crs | undefined, operation: Operation | undefined): PointTransformation | null =>
  crs && operation
    ? { crs: crs.name, operation: truncate(operation.name, MAX_OPERATION), accuracy: operation.accuracy }
    : null

const ORIENTATION_WITHOUT_HEIGHT =
  'yaw, pitch and roll are stored with a height above the ellipsoid, and the row has none: they are left out unless the point already has one'

const summaryMessage = (title: string): string =>
  `"${title}" is what programs call a row with the total or average of others: delete the row, and the point, if it is one`

const outsideMessage = ({ latitude, longitude }: Position): string =>
  `the point is at latitude ${latitude.toFixed(5)}, longitude ${longitude.toFixed(5)}, outside its zone: check the reference system if that is not its place`

/** Spreadsheets keep leading zeros as `="001"`. */
const titleOf = (title: string | null): string | null => /^="([^"]+)"$/.exec(title ?? '')?.[1] ?? title
