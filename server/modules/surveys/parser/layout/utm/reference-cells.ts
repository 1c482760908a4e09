import { looksLikeNumber } from '../../rows/values/numbers.ts'
import type { SurveyRecord } from '../../table.ts'
import { columnsOf, coordinateKinds } from '../columns.ts'

const MAX_CELL = 80
/** Zone and band, easting, northing: `33U 391776 5820072`, `33 U 391776.15mE 5820072.96mN`, `UTM 33N 391776, 5820072`. */
const REFERENCE =
  /^(?:UTM ?)?(?:zone ?)?(0?[1-9]|[1-5]\d|60) ?([C-HJ-NP-X])[, ] ?(\d{6}(?:[.,]\d{1,9})?) ?(?:m? ?E)?[, ] ?(\d{1,8}(?:[.,]\d{1,9})?) ?(?:m? ?N)?$/i

const partsOf = (cell: string): string[] | undefined => {
  if (cell.length > MAX_CELL) return undefined
  const [, zone, band, easting, northing] = REFERENCE.exec(cell.trim().replace(/\s+/g, ' ')) ?? []
  return northing === undefined ? undefined : [`${zone}${band}`, easting!, northing]
}

/** Whether a cell is a position in a zone of UTM. */
export const isUtmReference = (cell: string): boolean => partsOf(cell) !== undefined

const WORDS = ['UTM zone', 'Easting', 'Northing']

/** What splits the cells of a column, by its index in the file. */
export type UtmSplitter = { at: number; cut: (fields: string[]) => string[] }

/**
 * Finds the column whose cells are positions in a zone of UTM, and returns what splits it into three: zone, easting,
 * northing. Records that have them apart, such as a header line of the request, stay as they are. Undefined if the
 * header names coordinates in other columns.
 */
export function utmSplitter(records: readonly SurveyRecord[]): UtmSplitter | undefined {
  const rows = records.filter(({ fields, fault }) => !fault && !fields[0]!.startsWith('#')).map(({ fields }) => fields)
  const found = rows.flatMap((fields) => fields.flatMap((cell, at) => (isUtmReference(cell) ? [at] : [])))
  const [at] = found
  if (at === undefined || found.some((other) => other !== at) || found.length * 2 < rows.length) return undefined
  const width = rows.find((fields) => isUtmReference(fields[at] ?? ''))!.length
  const first = rows[0]!
  const top = first.join('\n')
  const hasHeader = !isUtmReference(first[at] ?? '') && !first.some(looksLikeNumber)
  const isNamed = coordinateKinds(columnsOf(first)).some((kind) => kind !== 'position')
  if (hasHeader && first.length <= width && isNamed) return undefined
  const cut = (fields: string[]) => {
    const cell = fields[at] ?? ''
    const isHeader = hasHeader && fields.join('\n') === top
    if (fields.length <= at || (isHeader && fields.length > width)) return fields
    return fields.toSpliced(at, 1, ...(partsOf(cell) ?? (isHeader ? WORDS : [cell, '', ''])))
  }
  return { at, cut }
}
