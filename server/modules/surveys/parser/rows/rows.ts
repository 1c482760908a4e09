import { foldName } from '../../../../platform/names.ts'
import type { RowError } from '../errors.ts'
import type { Role } from '../layout/columns.ts'
import type { Layout } from '../layout/layout.ts'
import { truncate } from '../truncate.ts'
import type { SurveyPoint } from './point.ts'
import { rowDedup } from './skipped/row-dedup.ts'
import { readAngle } from './values/angles.ts'
import { looksLikeNumber } from './values/numbers.ts'

const coordinateRoles: Record<Layout['kind'], Role[]> = {
  geodetic: ['latitude', 'longitude'],
  grid: ['easting', 'northing'],
  geocentric: ['x', 'y', 'z'],
  position: ['position'],
}

/** Whether a record repeats the header, which some programs write above each part of a file. */
export const isRepeatedHeader = (fields: readonly string[], headers: readonly (readonly string[])[]): boolean =>
  headers.some((header) => fields.length === header.length && fields.every((field, i) => field === header[i]))

/** Whether a record is a comment: `# …`, or `#` before text without coordinates. */
export function isComment(fields: readonly string[], layout: Layout): boolean {
  if (!fields[0]!.startsWith('#')) return false
  if (layout.width === null || /^#+\s/.test(fields[0]!) || fields.length !== layout.width) return true
  return !coordinateRoles[layout.kind].every((role) => {
    const cell = fields[layout.columns[role]?.[0]?.index ?? -1] ?? ''
    return role === 'position'
      ? cell.trim() !== ''
      : looksLikeNumber(cell) || readAngle(cell, layout.decimal) !== undefined
  })
}

/** The fields of a row; joins a text at its end that was split at spaces. Under a header, a number there is no text. */
export function fieldsOf(fields: string[], layout: Layout): string[] {
  const { width, lastTakesRest, header } = layout
  if (layout.isSheet) return withDecimal(fields, layout)
  if (!lastTakesRest || width === null || fields.length <= width) return fields
  if (header && looksLikeNumber(fields[width - 1]!)) return fields
  return [...fields.slice(0, width - 1), fields.slice(width - 1).join(' ')]
}

/** A number with one sign that cannot part thousands, as `34,5` and `391776,155` beside numbers of a sheet. */
const EITHER = /^\s*[+-]?(?:\d{4,}[.,]\d+|\d+[.,](?:\d{1,2}|\d{4,}))\s*$/

/** Coordinates and heights that are texts of a sheet, with the decimal sign of the others. */
function withDecimal(fields: readonly string[], { columns, decimal }: Layout): string[] {
  const read = [...fields]
  for (const role of numberRoles) {
    for (const { index } of columns[role] ?? []) {
      const cell = read[index]
      if (cell !== undefined && EITHER.test(cell)) read[index] = cell.replace(/[.,]/, decimal)
    }
  }
  return read
}

const numberRoles: Role[] = ['latitude', 'longitude', 'easting', 'northing', 'x', 'y', 'h', 'altitude', 'z']
/** Columns that a row must have; others may be missing at its end. */
const neededRoles: Role[] = ['title', 'position', ...numberRoles]

/** The index of the last column that a row must have. */
export const lastNeeded = (columns: Layout['columns']): number =>
  Math.max(...neededRoles.flatMap((role) => columns[role]?.map(({ index }) => index) ?? []))

/** A row of another width than its header has lost or gained a delimiter; empty fields at its end are ignored. */
export function raggedFault(fields: readonly string[], layout: Layout): RowError | undefined {
  const { width, columns, headed = 0, numbersAtEnd = 'none' } = layout
  if (width === null || fields.length === width) return undefined
  if (fields.length > width && fields.slice(Math.max(width, headed)).every((field) => /^\s*\*?\s*$/.test(field)))
    return undefined
  const isShort = fields.length < width && fields.length > lastNeeded(columns)
  // Few codes are numbers: then one without decimals is in doubt.
  const mayShift = numbersAtEnd === 'most' || (numbersAtEnd === 'some' && /^\d+$/.test(fields.at(-1)!.trim()))
  if (isShort && !mayShift) return undefined
  const count = `the row has ${fields.length} ${fields.length === 1 ? 'field' : 'fields'}, but ${width} are expected`
  if (isShort) {
    const message = `${count}, and between spaces nothing says which cell is empty: export with tabs, commas or semicolons, or write - into empty cells`
    return { column: null, value: null, code: 'RAGGED_ROW', message }
  }
  const message =
    fields.length > width
      ? `${count}: put a text that holds the delimiter in quotes, and where commas part the fields write decimals with a point`
      : `${count}: give each header a value, empty if necessary`
  return { column: null, value: null, code: 'RAGGED_ROW', message }
}

/**
 * Titles are unique in a file. In a list with one line per photo, the same title or, without titles, the same position
 * is the same point again; points without a title are named by their order.
 */
export function admission(layout: Layout): (point: SurveyPoint, row: number) => RowError | 'repeat' | undefined {
  const seen = rowDedup()
  return (point, row) => {
    const untitled = point.title === ''
    if (untitled && !layout.perPhoto) {
      point.title = `GCP ${row}`
      return undefined
    }
    const key = untitled ? `${point.latitude} ${point.longitude} ${point.h}` : foldName(point.title)
    const earlier = seen.earlier(key, row)
    if (earlier === undefined) {
      if (untitled) point.title = `GCP ${seen.size}`
      return undefined
    }
    if (layout.perPhoto) return 'repeat'
    const message = `title "${truncate(point.title, 60)}" is already used in row ${earlier}`
    return { column: layout.columns.title?.[0]?.name ?? 'title', value: point.title, code: 'DUPLICATE_TITLE', message }
  }
}
