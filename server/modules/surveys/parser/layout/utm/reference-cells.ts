import { looksLikeNumber } from '../../rows/values/numbers.ts'
import type { SurveyRecord } from '../../table.ts'
import { columnsOf, coordinateKinds } from '../columns.ts'
import { hasCoordinates } from '../grid-references.ts'
import { mgrsReference, withWholeReferences } from './mgrs.ts'

const MAX_CELL = 80
/** Zone and band, easting, northing: `33U 391776 5820072`, `33 U 391776.15mE 5820072.96mN`, `UTM 33N 391776, 5820072`. */
const REFERENCE =
  /^(?:UTM ?)?(?:zone ?)?(0?[1-9]|[1-5]\d|60) ?([C-HJ-NP-X])[, ] ?(\d{6}(?:[.,]\d{1,9})?) ?(?:m? ?E)?[, ] ?(\d{1,8}(?:[.,]\d{1,9})?) ?(?:m? ?N)?$/i

const partsOf = (cell: string): string[] | undefined => {
  if (cell.length > MAX_CELL) return undefined
  const text = cell.trim().replace(/\s+/g, ' ')
  const [, zone, band, easting, northing] = REFERENCE.exec(text) ?? []
  if (northing !== undefined) return [`${zone}${band}`, easting!, northing]
  const square = mgrsReference(text)
  return square && [square.zone, String(square.easting), String(square.northing), square.error.toFixed(3)]
}

/** Whether a cell is a position in a zone of UTM. */
export const isUtmReference = (cell: string): boolean => partsOf(cell) !== undefined

/** The words of the parts; only squares have the last. */
const WORDS = ['UTM zone', 'Easting', 'Northing', 'Horizontal precision (m)']
/** The parts of a square. */
export const PARTS_OF_SQUARE = WORDS.length
const NAMES_SQUARES = /^\W{0,9}(?:mgrs|usng|grid[ _-]?ref)/i

/** What splits the cells of a column, by its index in the file, into as many parts. */
export type UtmSplitter = { at: number; parts: number; cut: (fields: string[]) => string[] }

/**
 * Finds the column whose cells are positions in a zone of UTM or squares of MGRS, and returns what splits it into zone,
 * easting, northing and, of a square in a file without accuracies, its precision. Records that have them apart, such as
 * a header line of the request, stay as they are. Undefined if the header names coordinates in other columns.
 * @param areSpaces whether records were split at spaces: parts of a square are joined
 */
export function utmSplitter(records: readonly SurveyRecord[], areSpaces: boolean): UtmSplitter | undefined {
  const whole = areSpaces ? withWholeReferences : (fields: string[]) => fields
  const rows = records
    .filter(({ fields, fault }) => !fault && !fields[0]!.startsWith('#'))
    .map(({ fields }) => whole(fields))
  const found = rows.flatMap((fields) => fields.flatMap((cell, at) => (isUtmReference(cell) ? [at] : [])))
  const [at] = found
  if (at === undefined || found.some((other) => other !== at) || found.length * 2 < rows.length) return undefined
  const sample = rows.find((fields) => isUtmReference(fields[at] ?? ''))!
  const isSquare = partsOf(sample[at]!)!.length === WORDS.length
  const first = rows[0]!
  // Beside coordinates, a title may look like a square.
  if (isSquare && !NAMES_SQUARES.test(first[at] ?? '') && hasCoordinates(sample)) return undefined
  const width = sample.length
  const { accuracy, accuracyH, accuracyEasting } = columnsOf(first)
  const parts = isSquare && !accuracy && !accuracyH && !accuracyEasting ? WORDS.length : WORDS.length - 1
  const top = first.join('\n')
  const hasHeader = !isUtmReference(first[at] ?? '') && !first.some(looksLikeNumber)
  const isNamed = coordinateKinds(columnsOf(first)).some((kind) => kind !== 'position')
  if (hasHeader && first.length <= width && isNamed) return undefined
  const cut = (written: string[]) => {
    const fields = whole(written)
    const cell = fields[at] ?? ''
    const isHeader = hasHeader && fields.join('\n') === top
    if (fields.length <= at || (isHeader && fields.length > width)) return fields
    const own = isHeader ? WORDS : (partsOf(cell) ?? [cell])
    return fields.toSpliced(at, 1, ...WORDS.slice(0, parts).map((_, i) => own[i] ?? ''))
  }
  return { at, parts, cut }
}
