import type { Column, Role } from './columns.ts'
import { unitOf } from './columns.ts'
import { type Crs, type CrsTable, crsTextOf } from './crs.ts'
import { cut } from './cut.ts'
import type { RowFault, RowFaultCode, WarningCode } from './faults.ts'
import type { InZone, Layout } from './layout.ts'
import { type Decimal, readAngle, readNumber } from './numbers.ts'
import { place } from './place.ts'

/** A survey point as the service keeps it: WGS84 degrees, metres, `h` above what `verticalDatum` says. */
export type SurveyPoint = {
  title: string
  latitude: number
  longitude: number
  h: number | null
  /** Height above sea level, where the file gives one beside `h`. */
  altitude: number | null
  verticalDatum: 'ellipsoid' | 'orthometric' | 'unknown'
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
}

export type RowWarning = { code: WarningCode; message: string }
export type PointReading = { point: SurveyPoint; warnings: RowWarning[] } | { title: string | null; faults: RowFault[] }

const MAX_TITLE = 255
const MAX_TEXT = 2000
const MAX_ADDRESS = 2048
const MAX_PHOTOS = 3
const MAX_TAG = 50
const MAX_CRS_NAME = 255

/** Reads rows of one layout. A row gives its point, or everything that is wrong with it at once. */
export function pointReader(layout: Layout, parts: { table: CrsTable | undefined; inZone: InZone | undefined }) {
  const { columns, decimal } = layout
  return (fields: readonly string[]): PointReading => {
    const faults: RowFault[] = []
    const warnings: RowWarning[] = []
    const cells = cellsOf(fields, columns)
    const fault = (role: Role, code: RowFaultCode, message: string) => {
      const at = cells.column(role)
      faults.push({
        column: at?.name ?? role,
        value: at ? cut(fields[at.index] ?? '', 200) : null,
        code,
        message,
      })
    }
    const number = (role: Role): number | null => {
      const cell = cells.text(role)
      if (cell === '' || cell === 'NaN') return null
      const value = readNumber(cell, decimal)
      if (value === undefined) fault(role, 'NOT_A_NUMBER', notANumber(role, cell, decimal))
      return value ?? null
    }
    const length = (role: Role, fallback = 1): number | null => {
      const value = number(role)
      return value === null ? null : metres(role, value * (cells.column(role)!.unit ?? fallback))
    }
    /** A unit, or two errors taken together, can lead beyond the range of numbers. */
    const metres = (role: Role, value: number): number | null => {
      if (Number.isFinite(value)) return value
      fault(role, 'NOT_A_NUMBER', `${role} "${cut(cells.text(role), 60)}" is too large a length in its unit`)
      return null
    }
    const text = (role: Role, max: number): string | null => {
      const cell = cells.text(role)
      if (cell.length > max) fault(role, 'TOO_LONG', `${role} is ${cell.length} characters long, ${max} are allowed`)
      return cell === '' ? null : cell
    }

    const title = text('title', MAX_TITLE)
    if (title === null && !layout.perPhoto) fault('title', 'MISSING_TITLE', 'the row has no title')
    const crs = rowCrs()
    const position = coordinates()
    const heights = readHeights(
      length,
      columns.crs ? verticalUnit(cells.text('crs')) : crs && !crs.geographic ? crs.unit : 1,
    )
    const point: SurveyPoint = {
      title: title ?? '',
      latitude: position?.latitude ?? 0,
      longitude: position?.longitude ?? 0,
      ...heights,
      aprilTagId: tag(),
      description: text('description', MAX_TEXT),
      gcpType: gcpType(),
      gcpData: text('gcpData', MAX_TEXT),
      yaw: number('yaw'),
      pitch: number('pitch'),
      roll: number('roll'),
      photoUrls: photos(),
      ...accuracies(),
    }
    return faults.length > 0 ? { title, faults } : { point, warnings }

    /** The system of this row: its own column's, else the file's. Geodetic columns need none and take only a geographic one. */
    function rowCrs(): Crs | undefined {
      const cell = columns.crs ? cells.text('crs') : ''
      if (cell === '') return layout.crs
      const named = /^\d{4,6}$/.test(cell) ? `EPSG:${cell}` : crsTextOf(cell)
      const system = named && parts.table ? parts.table.find(named) : undefined
      if (layout.kind === 'geodetic') return typeof system === 'object' && system.geographic ? system : layout.crs
      if (typeof system === 'object') return system
      fault(
        'crs',
        'UNKNOWN_CRS',
        system ?? `"${cut(cell, 60)}" is not a reference system that can be read: name it as EPSG:n`,
      )
      return undefined
    }

    function coordinates(): { latitude: number; longitude: number } | undefined {
      const [xRole, yRole]: [Role, Role] =
        layout.kind === 'geodetic' ? ['longitude', 'latitude'] : ['easting', 'northing']
      if (layout.kind === 'grid' && !crs) {
        if (cells.text('crs') === '')
          fault('crs', 'UNKNOWN_CRS', 'the row names no reference system for its grid coordinates')
        return undefined
      }
      const read = layout.kind === 'geodetic' ? angle : (role: Role) => required(role, gridNumber(role))
      const y = read(yRole)
      const x = read(xRole)
      if (x === undefined || y === undefined) return undefined
      const names = { x: cells.column(xRole)!.name, y: cells.column(yRole)!.name }
      const placed = place({ x, y }, { crs, inZone: parts.inZone, names, named: layout.kind === 'geodetic' })
      if ('fault' in placed) {
        faults.push(placed.fault)
        return undefined
      }
      if (placed.outsideZone) warnings.push({ code: 'OUTSIDE_ZONE', message: 'the point lies outside its zone' })
      return placed
    }

    function gridNumber(role: Role): number | null {
      const value = number(role)
      const unit = cells.column(role)!.unit
      return value === null || unit === undefined || crs?.geographic ? value : (value * unit) / (crs?.unit ?? 1)
    }

    function required(role: Role, value: number | null): number | undefined {
      if (value === null && cells.text(role) === '') fault(role, 'NOT_A_NUMBER', `${role} is empty`)
      return value ?? undefined
    }

    function angle(role: Role): number | undefined {
      const cell = cells.text(role)
      const value = readAngle(cell, decimal)
      if (!value) {
        fault(role, 'NOT_A_NUMBER', cell === '' ? `${role} is empty` : notANumber(role, cell, decimal))
        return undefined
      }
      const wrong = value.hemisphere && 'NS'.includes(value.hemisphere) !== (role === 'latitude')
      if (wrong) fault(role, 'AXES_SWAPPED', `${role} "${cell}" is of the other axis: exchange the two columns`)
      return wrong ? undefined : value.degrees
    }

    function tag(): number | null {
      const value = number('aprilTagId')
      if (value === null || (Number.isInteger(value) && value >= 0 && value <= MAX_TAG)) return value
      const why = Number.isInteger(value) ? `is outside 0..${MAX_TAG}` : 'is not a whole number'
      fault('aprilTagId', 'APRIL_TAG_RANGE', `aprilTagId ${value} ${why}`)
      return null
    }

    function gcpType(): SurveyPoint['gcpType'] {
      const cell = cells.text('gcpType').toUpperCase()
      if (cell === '' || cell === 'SINGLE' || cell === 'MULTI') return cell || null
      fault('gcpType', 'BAD_GCP_TYPE', `gcpType "${cut(cell, 60)}" is neither SINGLE nor MULTI`)
      return null
    }

    function photos(): string[] {
      const urls = (columns.photoUrls ?? [])
        .flatMap(({ index }) => (fields[index] ?? '').split(/[|;,\s]+/))
        .filter(Boolean)
      if (urls.length > MAX_PHOTOS)
        fault('photoUrls', 'TOO_MANY_PHOTOS', `${urls.length} photos, ${MAX_PHOTOS} are allowed`)
      const bad = urls.find((url) => url.length > MAX_ADDRESS || !/^https?:\/\/\S/i.test(url) || !URL.canParse(url))
      if (bad !== undefined) fault('photoUrls', 'BAD_URL', `"${cut(bad, 100)}" is not an http or https address`)
      return urls
    }

    function accuracies(): { accuracyH: number | null; accuracyV: number | null } {
      const [both = '', vertical] = cells.text('accuracy').split('/')
      const unit = columns.accuracy?.[0]?.unit ?? 1
      const east = length('accuracyEasting')
      const north = length('accuracyNorthing')
      const fromBoth = readNumber(both, decimal)
      const fromVertical = readNumber(vertical ?? both, decimal)
      return {
        accuracyH:
          length('accuracyH') ??
          (east !== null && north !== null
            ? metres('accuracyEasting', Math.hypot(east, north))
            : fromBoth === undefined
              ? null
              : metres('accuracy', fromBoth * unit)),
        accuracyV: length('accuracyV') ?? (fromVertical === undefined ? null : metres('accuracy', fromVertical * unit)),
      }
    }
  }
}

/** The cells of a row by meaning: of several columns with one meaning, the first that is filled. */
function cellsOf(fields: readonly string[], columns: Layout['columns']) {
  const column = (role: Role): Column | undefined => {
    const all = columns[role]
    return all?.find(({ index }) => (fields[index] ?? '').trim() !== '') ?? all?.[0]
  }
  const text = (role: Role): string => {
    const at = column(role)
    return at ? (fields[at.index] ?? '').trim() : ''
  }
  return { column, text }
}

/** The unit of heights in a combined system's name, such as `… (ftUS) + NAVD88 height (ftUS)`: its last bracket that is a unit. */
function verticalUnit(crsName: string): number {
  if (crsName.length > MAX_CRS_NAME) return 1
  const brackets = [...crsName.matchAll(/\(([^()]*)\)/g)]
    .map((match) => unitOf(match[1]!))
    .filter((unit) => unit !== undefined)
  return brackets.at(-1) ?? 1
}

/** One height given is `h`, whatever it is above; an ellipsoidal one beside another keeps both. */
function readHeights(
  length: (role: Role, fallback?: number) => number | null,
  unit: number,
): Pick<SurveyPoint, 'h' | 'altitude' | 'verticalDatum'> {
  const ellipsoid = length('h', unit)
  const orthometric = length('altitude', unit)
  const unknown = length('z', unit)
  if (ellipsoid !== null) return { h: ellipsoid, altitude: orthometric, verticalDatum: 'ellipsoid' }
  if (orthometric !== null) return { h: orthometric, altitude: null, verticalDatum: 'orthometric' }
  return { h: unknown, altitude: null, verticalDatum: 'unknown' }
}

function notANumber(role: Role, cell: string, decimal: Decimal): string {
  const shown = `${role} "${cut(cell, 60)}"`
  const [other, sign] = decimal === '.' ? [',', 'comma'] : ['.', 'point']
  if (!readNumber(cell.replace(other, decimal), decimal) || !cell.includes(other)) return `${shown} is not a number`
  return `${shown} has a decimal ${sign}, which the other numbers of the file do not use: write ${cell.replace(other, decimal)}`
}
