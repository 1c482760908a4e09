import { type Column, type Columns, columnsOf, coordinateKind } from './columns.ts'
import { type Crs, type CrsTable, crsTextOf, inArea } from './crs.ts'
import { cut } from './cut.ts'
import type { SurveyRecord } from './delimiter.ts'
import { SurveyFileError } from './faults.ts'
import { type Decimal, decimalOf, looksNumeric, readNumber } from './numbers.ts'

/** Whether a WGS84 point lies in the zone the file is for (with whatever margin the caller allows). */
export type InZone = (latitude: number, longitude: number) => boolean

/** How the rows of one file are to be read. */
export type Layout = {
  columns: Columns
  kind: 'geodetic' | 'grid'
  decimal: Decimal
  /** Fields every row must have; null where rows may differ. */
  width: number | null
  header: boolean
  /** One line per photo of a point rather than one per point (gcp_list.txt of OpenDroneMap). */
  perPhoto: boolean
  crs: Crs | undefined
}

export type LayoutContext = { crsText: string | undefined; table: CrsTable | undefined; inZone: InZone | undefined }

const column = (index: number, name = `column ${index + 1}`): Column[] => [{ index, name, unit: undefined }]

/** Reads the meaning of a file's columns off its first records: by header, else by shape. @throws SurveyFileError */
export function layoutOf(records: readonly SurveyRecord[], context: LayoutContext): Layout {
  const first = records[0]
  if (!first) throw new SurveyFileError('EMPTY_FILE', 'the file has no rows')
  const columns = columnsOf(first.fields)
  if (coordinateKind(columns)) return headed(columns, records, context)
  if (!records.some(({ fields }) => fields.filter(looksNumeric).length >= 2) || looksLikeHeader(first.fields)) {
    throw new SurveyFileError(
      'AMBIGUOUS_COLUMNS',
      `no latitude and longitude, or easting and northing, among the columns ${shownNames(first.fields)}`,
      first.line,
    )
  }
  return headless(records, context)
}

const shownNames = (fields: readonly string[]): string =>
  fields
    .slice(0, 8)
    .map((field) => cut(field, 60))
    .join(', ')

const looksLikeHeader = (fields: readonly string[]): boolean =>
  fields.length > 1 && !fields.some(looksNumeric) && Object.keys(columnsOf(fields)).length > 0

function headed(columns: Columns, records: readonly SurveyRecord[], { crsText, table }: LayoutContext): Layout {
  const rows = records.slice(1).map(({ fields }) => fields)
  const numeric = (['latitude', 'longitude', 'northing', 'easting', 'x', 'y', 'h'] as const).flatMap(
    (role) => columns[role],
  )
  const decimal = decimalOf(rows.flatMap((fields) => numeric.map((c) => (c ? (fields[c.index] ?? '') : ''))))
  const width = trimmedWidth(records[0]!.fields)
  const base = { columns, decimal, width, header: true, perPhoto: false }
  const crs = crsText ? systemOf(crsText, table) : undefined
  const kind = coordinateKind(columns)
  if (kind === 'geodetic') return { ...base, kind, crs: crs?.geographic ? crs : undefined }
  if (kind === 'grid') {
    if (!crs && !columns.crs) throw unknownCrs()
    return { ...base, kind, crs }
  }
  const { x, y } = columns as { x: Column[]; y: Column[] }
  if (crs || columns.crs) return { ...base, kind: 'grid', columns: { ...columns, easting: x, northing: y }, crs }
  const degrees = rows.every(
    (fields) => isDegrees(fields[x[0]!.index], 180, decimal) && isDegrees(fields[y[0]!.index], 90, decimal),
  )
  if (!degrees) throw unknownCrs()
  return { ...base, kind: 'geodetic', columns: { ...columns, longitude: x, latitude: y }, crs: undefined }
}

/** Whether a cell could be degrees; a cell that is no number decides nothing. */
function isDegrees(cell: string | undefined, limit: number, decimal: Decimal): boolean {
  const value = readNumber(cell ?? '', decimal)
  return value === undefined || Math.abs(value) <= limit
}

function trimmedWidth(fields: readonly string[]): number {
  let width = fields.length
  while (width > 0 && fields[width - 1]!.trim() === '') width--
  return width
}

function systemOf(text: string, table: CrsTable | undefined): Crs {
  const crs = table?.find(crsTextOf(text) ?? text) ?? `"${cut(text, 60)}" is not a reference system`
  if (typeof crs === 'string') throw new SurveyFileError('UNKNOWN_CRS', crs)
  return crs
}

const unknownCrs = () =>
  new SurveyFileError(
    'UNKNOWN_CRS',
    'the file holds grid coordinates but names no reference system: put a line such as EPSG:25833 above the header',
  )

/**
 * Files without a header, by shape: `x y z px py photo [title]` of OpenDroneMap under a line that names the system;
 * `title, c1, c2 [, z [, accuracyH, accuracyV]]` of Pix4D; `title, c1, c2, z, text` as controllers export it. Which of
 * c1 and c2 is the northing only the system's area or the zone can say: if they do not, the file is refused.
 */
function headless(records: readonly SurveyRecord[], context: LayoutContext): Layout {
  const rows = records.map(({ fields }) => fields).filter((fields) => !fields[0]!.startsWith('#'))
  const decimal = decimalOf(rows.flat())
  const crs = context.crsText ? systemOf(context.crsText, context.table) : undefined
  const base = { decimal, header: false, crs }
  if (
    crs &&
    rows.every((fields) => fields.length >= 6 && fields.slice(0, 2).every(looksNumeric) && !looksNumeric(fields[5]!))
  ) {
    const columns: Columns = { easting: column(0), northing: column(1), z: column(2), title: column(6) }
    return { ...base, kind: 'grid', columns, width: null, perPhoto: true }
  }
  const width = modalWidth(rows)
  const whole = rows.filter((fields) => fields.length === width)
  const numeric = (index: number) => whole.every((fields) => readNumber(fields[index]!, decimal) !== undefined)
  const shaped = width >= 3 && width <= 6 && numeric(1) && numeric(2) && (width !== 6 || (numeric(4) && numeric(5)))
  const pairs = whole.map(
    (f) => [readNumber(f[1] ?? '', decimal) ?? Number.NaN, readNumber(f[2] ?? '', decimal) ?? Number.NaN] as const,
  )
  const degrees = !crs && pairs.every(([a, b]) => Math.max(Math.abs(a), Math.abs(b)) <= 180)
  if (!shaped || (degrees && (allWhole(pairs) || (width === 5 && numeric(4))))) throw ambiguous()
  if (!crs && !degrees) throw unknownCrs()
  const northFirst = settleOrder(pairs, crs, context.inZone)
  const [north, east] = northFirst ? [1, 2] : [2, 1]
  const columns: Columns = { title: column(0), ...(width > 3 && { z: column(3) }) }
  if (width === 5) columns.description = column(4)
  if (width === 6) Object.assign(columns, { accuracyH: column(4), accuracyV: column(5) })
  return degrees
    ? {
        ...base,
        kind: 'geodetic',
        columns: { ...columns, latitude: column(north), longitude: column(east) },
        width,
        perPhoto: false,
      }
    : {
        ...base,
        kind: 'grid',
        columns: { ...columns, northing: column(north), easting: column(east) },
        width,
        perPhoto: false,
      }
}

/** Degrees without a single fraction are more likely decimal commas cut apart than surveyed points. */
const allWhole = (pairs: readonly (readonly [number, number])[]) =>
  pairs.every(([a, b]) => Number.isInteger(a) && Number.isInteger(b))

function modalWidth(rows: readonly string[][]): number {
  const counts = new Map<number, number>()
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

/** Whether the first of two coordinates is the northing: one reading fits all rows, or the other none. @throws otherwise. */
function settleOrder(
  pairs: readonly (readonly [number, number])[],
  crs: Crs | undefined,
  inZone: InZone | undefined,
): boolean {
  const fits = (east: number, north: number): boolean => {
    const [longitude, latitude] = crs ? crs.toWgs84(east, north) : [east, north]
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return false
    if (crs?.area && !inArea(crs.area, longitude, latitude)) return false
    return !inZone || inZone(latitude, longitude)
  }
  const northFirst = pairs.filter(([a, b]) => fits(b, a)).length
  const eastFirst = pairs.filter(([a, b]) => fits(a, b)).length
  const all = [northFirst, eastFirst].filter((count) => count === pairs.length).length
  const some = [northFirst, eastFirst].filter((count) => count > 0).length
  if (all !== 1 && some !== 1) throw ambiguous()
  return northFirst > eastFirst
}

const ambiguous = () =>
  new SurveyFileError(
    'AMBIGUOUS_COLUMNS',
    'the file has no header and its columns can be read in more than one way: add a header line such as title,lat,lon,h',
  )
