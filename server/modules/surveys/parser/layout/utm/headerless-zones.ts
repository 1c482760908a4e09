import { SurveyFileError } from '../../errors.ts'
import { nothing } from '../../rows/row.ts'
import { decimalOf, readGrouped, readLength } from '../../rows/values/numbers.ts'
import type { SurveyRecord } from '../../table.ts'
import { columnsOf } from '../columns.ts'
import { headerLayout } from '../header-layout.ts'
import { column, type Layout, type LayoutContext } from '../layout.ts'
import { withoutOutliers } from '../outliers.ts'
import { PARTS_OF_SQUARE } from './reference-cells.ts'
import { refuseCodes, type ZoneColumns } from './zones-or-codes.ts'

const WHOLE = /^(?:0?[1-9]|[1-5]\d|60) ?[C-HJ-NP-X]$/i
const NUMBER = /^(?:0?[1-9]|[1-5]\d|60)$/
const BAND = /^[C-HJ-NP-X]$/i
const MAX_BEFORE = 4
const MEND = 'import with header=title,description,easting,northing,z and crs='

/**
 * Detects the layout of a file without a header whose rows name their zone of UTM with its letter, beside easting and
 * northing: `A,33U,391776,5820072`, `391776 5820072 33N`. Undefined for others: a number alone may be anything.
 */
export function headerlessZones(records: readonly SurveyRecord[], context: LayoutContext): Layout | undefined {
  const rows = records.map(({ fields }) => fields).filter((fields) => !fields[0]!.startsWith('#'))
  const found = context.isTable && rows.length > 0 ? zonesIn(rows) : undefined
  if (!found) return undefined
  if (context.references === undefined && !areNear(rows, found, context)) return undefined
  const words = wordsOf(found, rows, context.references?.parts === PARTS_OF_SQUARE)
  const mayBeCodes = context.references === undefined && context.crsText === undefined
  if (mayBeCodes) refuseCodes(rows, found, words, context)
  const layout = headerLayout(columnsOf(words), [{ fields: words, line: 0 }, ...records], context)
  const datum = layout.crs ? '' : ', on WGS 84 because the file names no other datum'
  const meanings =
    context.references === undefined
      ? words.map((word, at) => `column ${at + 1} was read as ${word}`).join(', ')
      : `column ${context.references.at + 1} was read as positions in zones of UTM`
  const code = rows[0]![found.zone]!.trim().slice(0, 8)
  const mend = context.references === undefined ? `; if ${code} is a code, ${MEND}` : ''
  const message = `the file has no header line: ${meanings}${datum}${mend}`
  const columns = Object.entries(layout.columns).map(([role, list]) => [
    role,
    list.flatMap(({ index }) => column(index)),
  ])
  return {
    ...layout,
    columns: Object.fromEntries(columns),
    header: false,
    above: 0,
    notices: [...layout.notices.filter(({ code }) => code !== 'COLUMNS_ASSUMED'), { code: 'COLUMNS_ASSUMED', message }],
  }
}

/** Whether the file names no system, or one of UTM and only its own zone and those beside it: `10N` may be a code. */
function areNear(
  rows: readonly string[][],
  { zone }: ZoneColumns,
  { crsText, unreadCrs, table }: LayoutContext,
): boolean {
  if (crsText === undefined) return unreadCrs === undefined
  const crs = table.find(crsText)
  const own = typeof crs === 'object' ? Number.parseInt(crs.utmZone ?? '', 10) : Number.NaN
  const away = rows.map((fields) => Math.abs(Number.parseInt(fields[zone] ?? '', 10) - own))
  return away.every((zones) => Math.min(zones, 60 - zones) <= 1)
}

function zonesIn(rows: readonly string[][]): ZoneColumns | undefined {
  const is = (at: number, pattern: RegExp) => {
    const fits = (fields: string[]) => pattern.test(fields[at]?.trim().slice(0, 8) ?? '')
    return withoutOutliers(rows, fits).every(fits)
  }
  for (let zone = 0; zone <= MAX_BEFORE; zone++) {
    const isWhole = is(zone, WHOLE)
    const band = !isWhole && is(zone, NUMBER) && is(zone + 1, BAND) ? zone + 1 : undefined
    if (!isWhole && band === undefined) continue
    const pair = pairAt(rows, (band ?? zone) + 1) ?? pairAt(rows, zone - 2)
    if (pair && !(zone === 0 && areTitles(rows))) return { zone, band, ...pair }
  }
  return undefined
}

/** Whether the cells of the first column differ from row to row, as `10C`, `11C` and `12C` do. */
function areTitles(rows: readonly string[][]): boolean {
  const different = new Set(rows.map((fields) => fields[0]!.trim())).size
  return different > 1 && different * 2 > rows.length
}

/** Easting and northing in two columns, in metres of UTM. An easting has six figures; if both have, it is the first. */
function pairAt(rows: readonly string[][], first: number) {
  if (first < 0) return undefined
  const decimal = decimalOf(rows.flatMap((fields) => fields.slice(first, first + 2)))
  const inRange = (at: number, from: number, to: number) => (fields: string[]) => {
    const value = readGrouped(fields[at] ?? '', decimal)
    return value !== undefined && value >= from && value <= to
  }
  const orders = [
    { easting: first, northing: first + 1 },
    { easting: first + 1, northing: first },
  ]
  return orders.find(({ easting, northing }) => {
    const [isEasting, isNorthing] = [inRange(easting, 1e5, 9e5), inRange(northing, 0, 1e7)]
    const fits = (fields: string[]) => isEasting(fields) && isNorthing(fields)
    return withoutOutliers(rows, fits).every(fits)
  })
}

/**
 * The words of a header: a title before the position, a height after it.
 * @throws SurveyFileError AMBIGUOUS_COLUMNS for further columns, which may hide the heights
 */
function wordsOf(
  { zone, band, easting, northing }: ZoneColumns,
  rows: readonly string[][],
  isSquare: boolean,
): string[] {
  const width = Math.max(...rows.map((fields) => fields.findLastIndex((field) => field.trim() !== '') + 1))
  const words = Array.from({ length: width }, () => '')
  const decimal = decimalOf(rows.flat())
  const isFilled = (at: number) => rows.some((fields) => (fields[at] ?? '').trim() !== '')
  const isHeight = (fields: string[], at: number) =>
    nothing.test((fields[at] ?? '').trim()) || readLength(fields[at]!, decimal) !== undefined
  words[zone] = 'UTM zone'
  if (band !== undefined) words[band] = 'Band'
  words[easting] = 'easting'
  words[northing] = 'northing'
  if (isSquare) words[northing + 1] = 'accuracyH'
  const after = words.findLastIndex((word) => word !== '') + 1
  const usual = withoutOutliers(rows, (fields) => isHeight(fields, after))
  if (after < width && usual.every((fields) => isHeight(fields, after))) words[after] = 'z'
  const title = words[0] === '' ? 0 : words[after] === 'z' ? after + 1 : after
  if (title < width && words[title] === '') words[title] = 'title'
  const free = words.findIndex((word, at) => word === '' && isFilled(at))
  if (free >= 0)
    throw new SurveyFileError(
      'AMBIGUOUS_COLUMNS',
      `the file has no header line, and column ${free + 1} beside zones of UTM has no plain meaning: import with a line that names all columns, such as header=title,zone,easting,northing,h; if ${rows[0]![zone]!.trim().slice(0, 8)} is a code, ${MEND}`,
    )
  return words.map((word, at) => word || `column${at + 1}`)
}
