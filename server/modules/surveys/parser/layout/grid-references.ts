import { SurveyFileError } from '../errors.ts'
import { decimalOf, readGrouped } from '../rows/values/numbers.ts'
import type { SurveyRecord } from '../table.ts'
import { truncate } from '../truncate.ts'
import type { Columns } from './columns.ts'

/** MGRS, `33UUU9177620072`, and the National Grids of Great Britain and Ireland, `TQ 30123 80456`. */
const REFERENCE = /^(?:\d{1,2} ?[C-HJ-NP-X] ?)?[A-HJ-Z]{2} ?(\d{3,5}) ?(\d{3,5})$/

const isReference = (cell: string): boolean => {
  const [, east, north] = REFERENCE.exec(cell.trim().slice(0, 40)) ?? []
  return east !== undefined && (east + north).length % 2 === 0
}

/** A square of the National Grid of Great Britain, at the end of a cell. */
const SQUARE = /(?:^|[,;\t|])[HNOST][A-HJ-Z]$/

/** A reference that was split at its spaces: `TQ`, `30123`, `80456`, after a title. */
function splitReference(fields: readonly string[]): string | undefined {
  const at = fields.findIndex((cell, i) => {
    const [square, east = '', north = ''] = [cell.trim().slice(-40), ...fields.slice(i + 1, i + 3)]
    const isSquare = SQUARE.test(square) && (i > 0 || square.length > 2)
    return isSquare && /^\d{3,5}$/.test(east) && /^\d{3,5}/.exec(north)?.[0].length === east.length
  })
  return at < 0 ? undefined : `${fields[at]!.trim().slice(-2)} ${fields[at + 1]} ${fields[at + 2]}`
}

/** Whether two neighbouring cells are coordinates, not a height and an accuracy: titles may look like references. */
export function hasCoordinates(fields: readonly string[]): boolean {
  const decimal = decimalOf(fields)
  const isCoordinate = (cell: string) =>
    Math.abs(readGrouped(cell, decimal) ?? 0) >= 100 || /^\s*[+-]?\d{1,3}[.,]\d{4,}\s*$/.test(cell.slice(0, 40))
  return fields.some((cell, i) => i > 0 && isCoordinate(cell) && isCoordinate(fields[i - 1]!))
}

/** @throws SurveyFileError AMBIGUOUS_COLUMNS for a table whose coordinates are references to squares of a grid */
export function refuseGridReferences(records: readonly SurveyRecord[]): void {
  const splits = records.map(({ fields }) => splitReference(fields))
  const rows = records.map(
    ({ fields }, i) => splits[i] ?? (hasCoordinates(fields) ? undefined : fields.find(isReference)),
  )
  const found = rows.filter((cell) => cell !== undefined)
  if (found.length === 0 || found.length * 2 < records.length - 1) return
  const code = splits.some((cell) => cell !== undefined)
    ? `; if "${found[0]!.slice(0, 2)}" is a code and no square, name the columns in a header line, such as title, code, easting, northing, z`
    : ''
  throw gridReferences(found[0]!, code)
}

const gridReferences = (cell: string, mend = '') =>
  new SurveyFileError(
    'AMBIGUOUS_COLUMNS',
    `grid references such as "${truncate(cell.trim(), 40)}" name squares of a grid and are not read: export latitude and longitude, or easting and northing with their reference system${mend}`,
  )

/** Headers of squares of a national grid; codes may have the same letters. */
const SQUARE_NAME = /square|\b(?:grid|tile|letters?|prefix|map|sheet|100 ?km)\b|grid ?ref/i

/**
 * @throws SurveyFileError AMBIGUOUS_COLUMNS for eastings and northings of five digits beside their square of 100 km: in
 * the national grid they would be hundreds of kilometres off
 */
export function refuseNamedSquares(
  columns: Columns,
  [header, ...rows]: readonly SurveyRecord[],
  crs: string | undefined,
): void {
  const [east, north] = [columns.easting?.[0]?.index, columns.northing?.[0]?.index]
  if (east === undefined || north === undefined || columns.latitude) return
  if (crs !== undefined && !/(?<!\d)(?:27700|29903|2157)(?!\d)|OSGB|British|Irish|IRENET/i.test(crs)) return
  const square = header!.fields.findIndex((name) => SQUARE_NAME.test(name.slice(0, 60)))
  if (square < 0 || square === east || square === north) return
  const inSquare = ({ fields }: SurveyRecord) =>
    /^(?:[HNOST])?[A-HJ-Z]$/i.test((fields[square] ?? '').trim()) &&
    [east, north].every((at) => /^\d{1,5}(?:\.\d*)?$/.test((fields[at] ?? '').trim()))
  const found = rows.find(inSquare)
  if (!found) return
  throw gridReferences(
    [square, east, north].map((at) => found.fields[at]!.trim()).join(' '),
    `; if "${truncate(header!.fields[square]!.trim(), 60)}" is no square, give another word for it in header=, such as header=title,description,easting,northing,z`,
  )
}
