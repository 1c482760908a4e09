import { SurveyFileError } from '../faults.ts'
import { readAngle } from '../rows/angles.ts'
import { decimalOf, looksLikeNumber } from '../rows/numbers.ts'
import type { SurveyRecord } from '../table.ts'
import type { Columns } from './columns.ts'
import { column, headerLine, type Layout, type LayoutContext } from './layout.ts'

/** No angle takes more. */
const MAX_CELL = 64
/** An angle with its parts set apart; a letter and figures alone may be a title. */
const parted = /\d ?[°º:′'’]|\d \d/
/** What may be degrees, or degrees, minutes and seconds run together as Carlson writes them: `N35.11306`. */
const runTogether = /^(?:([NS]|[EW]) ?\d{1,3}[.,]\d{4,12}|\d{1,3}[.,]\d{4,12} ?([NS]|[EW]))$/i

const sideOf = (cell: string, decimal: '.' | ','): string | undefined => {
  if (cell.length > MAX_CELL) return undefined
  const text = cell.trim()
  return parted.test(text) ? readAngle(text, decimal)?.hemisphere : undefined
}
const sideRunTogether = (cell: string): string | undefined => {
  const found = cell.length > MAX_CELL ? null : runTogether.exec(cell.trim())
  return (found?.[1] ?? found?.[2])?.toUpperCase()
}

/**
 * The layout of a file without a header whose angles say themselves which they are, by N or S and E or W in every row;
 * undefined for others. @throws SurveyFileError AMBIGUOUS_COLUMNS where minutes and seconds may be run together
 */
export function angular(records: readonly SurveyRecord[], context: LayoutContext): Layout | undefined {
  const rows = records.map(({ fields }) => fields).filter((fields) => !fields[0]!.startsWith('#'))
  const decimal = decimalOf(rows.flat())
  const found = pairBy(rows, (cell) => sideOf(cell, decimal))
  if (!found) {
    const run = pairBy(rows, sideRunTogether)
    if (run) throw unsettled(rows[0]!, run, context)
    return undefined
  }
  const { latitude, longitude } = found
  const after = Math.max(latitude, longitude) + 1
  const before = Math.min(latitude, longitude)
  const width = Math.max(...rows.map((fields) => fields.findLastIndex((field) => field.trim() !== '') + 1))
  const numeric = (at: number) => at < width && rows.every((fields) => looksLikeNumber(fields[at] ?? ''))
  const z = numeric(after) ? after : undefined
  const rest = z === undefined ? after : after + 1
  const columns: Columns = {
    ...(before > 0 && { title: column(0) }),
    latitude: column(latitude),
    longitude: column(longitude),
    ...(z !== undefined && { z: column(z) }),
    ...(rest < width && { description: column(rest) }),
  }
  return {
    columns,
    kind: 'geodetic',
    decimal,
    width,
    lastTakesRest: false,
    above: 0,
    header: false,
    perPhoto: false,
    crs: undefined,
    swapped: false,
    heightDatum: context.heightDatum,
    notices: [],
  }
}

function pairBy(rows: readonly string[][], side: (cell: string) => string | undefined) {
  const isIn = (sides: string) => (cell: string) => sides.includes(side(cell) ?? '-')
  const latitude = rows[0]?.findIndex(isIn('NS')) ?? -1
  const longitude = rows[0]?.findIndex(isIn('EW')) ?? -1
  if (latitude < 0 || longitude < 0) return undefined
  const all = rows.every((fields) => isIn('NS')(fields[latitude] ?? '') && isIn('EW')(fields[longitude] ?? ''))
  return all ? { latitude, longitude } : undefined
}

function unsettled(
  fields: readonly string[],
  { latitude, longitude }: { latitude: number; longitude: number },
  { delimiter }: LayoutContext,
) {
  const words = fields.map((_, i) => (i === 0 ? 'title' : `column${i + 1}`))
  words[latitude] = 'lat'
  words[longitude] = 'lon'
  return new SurveyFileError(
    'AMBIGUOUS_COLUMNS',
    `the file has no header line, and ${fields[latitude]!.trim()} can be degrees, or degrees, minutes and seconds run together: put the line ${headerLine(words, delimiter)} on top if it is degrees, else set the parts apart as in 35°11'30.68"N`,
  )
}
