import { SurveyFileError } from '../errors.ts'
import { decimalOf, readGrouped } from '../rows/values/numbers.ts'
import type { SurveyRecord } from '../table.ts'
import { truncate } from '../truncate.ts'

/** MGRS, `33UUU9177620072`, and the National Grids of Great Britain and Ireland, `TQ 30123 80456`. */
const REFERENCE = /^(?:\d{1,2} ?[C-HJ-NP-X] ?)?[A-HJ-Z]{2} ?(\d{3,5}) ?(\d{3,5})$/

const isReference = (cell: string): boolean => {
  const [, east, north] = REFERENCE.exec(cell.trim().slice(0, 40)) ?? []
  return east !== undefined && (east + north).length % 2 === 0
}

/** Whether two neighbouring cells are coordinates, not a height and an accuracy: titles may look like references. */
function hasCoordinates(fields: readonly string[]): boolean {
  const decimal = decimalOf(fields)
  const isCoordinate = (cell: string) =>
    Math.abs(readGrouped(cell, decimal) ?? 0) >= 100 || /^\s*[+-]?\d{1,3}[.,]\d{4,}\s*$/.test(cell.slice(0, 40))
  return fields.some((cell, i) => i > 0 && isCoordinate(cell) && isCoordinate(fields[i - 1]!))
}

/** @throws SurveyFileError AMBIGUOUS_COLUMNS for a table whose coordinates are references to squares of a grid */
export function refuseGridReferences(records: readonly SurveyRecord[]): void {
  const rows = records.map(({ fields }) => (hasCoordinates(fields) ? undefined : fields.find(isReference)))
  const found = rows.filter((cell) => cell !== undefined)
  if (found.length === 0 || found.length * 2 < records.length - 1) return
  throw new SurveyFileError(
    'AMBIGUOUS_COLUMNS',
    `grid references such as "${truncate(found[0]!.trim(), 40)}" name squares of a grid and are not read: export latitude and longitude, or easting and northing with their reference system`,
  )
}
