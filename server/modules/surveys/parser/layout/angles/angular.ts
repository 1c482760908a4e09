import { SurveyFileError } from '../../errors.ts'
import { readAngle } from '../../rows/values/angles.ts'
import { type Decimal, decimalOf, looksLikeNumber, readNumber } from '../../rows/values/numbers.ts'
import type { SurveyRecord } from '../../table.ts'
import { countAxes, northingFirst, type Pair } from '../axes.ts'
import type { Columns } from '../columns.ts'
import { column, type Layout, type LayoutContext, placeOfHeader } from '../layout.ts'
import { pairsWithoutOutliers, withoutOutliers } from '../outliers.ts'
import { provenLines } from '../proposals.ts'
import { packedFormOf, readPacked } from './packed.ts'

/** Maximum length of an angle. */
const MAX_CELL = 64
/** Maximum columns before the coordinates: a title and two texts. */
const MAX_BEFORE = 4
/** An angle with separated parts; a letter and digits alone may be a title. */
const parted = /\d ?[°º:′'’]|\d \d/
/** Degrees, or packed degrees, minutes and seconds as Carlson writes them: `N35.11306`. Short ones may be titles. */
const runTogether = /^(?:([NS]|[EW]) ?\d{1,7}[.,]\d{4,12}|\d{1,7}[.,](?:\d{4,12} ?|\d{1,12} )([NS]|[EW]))$/i

const hemisphereOf = (cell: string, decimal: Decimal) =>
  cell.length > MAX_CELL ? undefined : readAngle(cell.trim(), decimal)?.hemisphere
const sideOf = (cell: string, decimal: Decimal) =>
  parted.test(cell.slice(0, MAX_CELL).trim()) ? hemisphereOf(cell, decimal) : undefined
const sideRunTogether = (cell: string): string | undefined => {
  const found = cell.length > MAX_CELL ? null : runTogether.exec(cell.trim())
  return (found?.[1] ?? found?.[2])?.toUpperCase()
}

/**
 * Detects the layout of a file without a header whose angles are recognisable: by N or S and E or W in every row, or by
 * separated degrees, minutes and seconds. The zone or a value above 90 identifies the longitude. Undefined for others.
 * @throws SurveyFileError AMBIGUOUS_ANGLES if minutes and seconds may be packed, AMBIGUOUS_COLUMNS if the axis order is
 * unknown
 */
export function angular(records: readonly SurveyRecord[], context: LayoutContext): Layout | undefined {
  const rows = records.map(({ fields }) => fields).filter((fields) => !fields[0]!.startsWith('#'))
  const decimal = decimalOf(rows.flat())
  const run = pairBy(rows, sideRunTogether)
  const found = pairBy(rows, (cell) => sideOf(cell, decimal)) ?? bySetApart(rows, decimal, context) ?? run
  if (!found) return undefined
  const layout = layoutBy(rows, found, decimal, context)
  if (found !== run || context.angles === 'decimal') return layout
  const values = (at: number) =>
    rows.flatMap((fields) => readNumber((fields[at] ?? '').replace(/[NSEW\s]/gi, ''), decimal) ?? [])
  const form = packedFormOf(values(found.latitude), values(found.longitude))
  if (context.angles) return { ...layout, angles: form }
  // Minutes or seconds of 60 or more in a fifth of the rows are decimal degrees.
  const isPacked = (fields: readonly string[]) =>
    [run.latitude, run.longitude].every((at) => readPacked(fields[at] ?? '', form, decimal) !== undefined)
  if (form !== 'DD.MMSSsss' || withoutOutliers(rows, isPacked).every(isPacked)) throw unsettled(rows, run, context)
  return layout
}

type Angles = { latitude: number; longitude: number }

function layoutBy(rows: readonly string[][], angles: Angles, decimal: Decimal, context: LayoutContext): Layout {
  return {
    columns: columnsBy(rows, angles),
    kind: 'geodetic',
    decimal,
    width: widthOf(rows),
    lastTakesRest: false,
    above: 0,
    header: false,
    perPhoto: false,
    crs: undefined,
    lettered: rows.some((fields) =>
      [angles.latitude, angles.longitude].some((at) => hemisphereOf(fields[at] ?? '', decimal) !== undefined),
    )
      ? { latitude: 'most', longitude: 'most' }
      : {},
    swapped: false,
    heightDatum: context.heightDatum,
    notices: [],
  }
}

const widthOf = (rows: readonly string[][]): number =>
  Math.max(...rows.map((fields) => fields.findLastIndex((field) => field.trim() !== '') + 1))

/** An optional title before the angles, a height after them, and a text after that. */
function columnsBy(rows: readonly string[][], { latitude, longitude }: Angles): Columns {
  const [before, after] = [Math.min(latitude, longitude), Math.max(latitude, longitude) + 1]
  const width = widthOf(rows)
  const isNumeric = after < width && rows.every((fields) => looksLikeNumber(fields[after] ?? ''))
  const rest = isNumeric ? after + 1 : after
  const description = before > 1 ? 1 : rest < width ? rest : undefined
  return {
    ...(before > 0 && { title: column(0) }),
    latitude: column(latitude),
    longitude: column(longitude),
    ...(isNumeric && { z: column(after) }),
    ...(description !== undefined && { description: column(description) }),
  }
}

/** Two adjacent columns of angles with separated parts, without letters. */
function bySetApart(rows: readonly string[][], decimal: Decimal, context: LayoutContext): Angles | undefined {
  const angleAt = (fields: readonly string[], at: number) => {
    const cell = (fields[at] ?? '').slice(0, MAX_CELL).trim()
    return parted.test(cell) ? readAngle(cell, decimal)?.degrees : undefined
  }
  const isAngle = (at: number) => rows.every((fields) => angleAt(fields, at) !== undefined)
  const first = rows[0]?.findIndex((_, at) => at < MAX_BEFORE && isAngle(at) && isAngle(at + 1)) ?? -1
  if (first < 0) return undefined
  const pairs = rows.map((fields): Pair => [angleAt(fields, first)!, angleAt(fields, first + 1)!])
  const north = northingFirst(countAxes(pairsWithoutOutliers(pairs), undefined, context.inZone))
  const [one, other] = [
    { latitude: first, longitude: first + 1 },
    { latitude: first + 1, longitude: first },
  ]
  if (north !== undefined) return north ? one : other
  throw eitherOrder(rows, [one, other], context)
}

/** The header words for angles in two columns. */
function wordsBy(rows: readonly string[][], angles: Angles): string[] {
  const words = Array.from({ length: widthOf(rows) }, (_, i) => `column${i + 1}`)
  for (const [role, [at]] of Object.entries(columnsBy(rows, angles))) words[at!.index] = shortWords[role] ?? role
  return words
}
const shortWords: Record<string, string> = { latitude: 'lat', longitude: 'lon' }

function eitherOrder(rows: readonly string[][], orders: readonly Angles[], context: LayoutContext): SurveyFileError {
  const lines = provenLines(
    orders.map((order) => wordsBy(rows, order)),
    rows.map((fields) => ({ fields: [...fields], line: 0 })),
    context,
  )
  const mend =
    lines.length > 0
      ? `put the line ${lines.join(' or ')} ${placeOfHeader(context)}, or import the file with such a line as header=`
      : 'the points are outside the zone of the import in either order: check that the file belongs to this zone'
  return new SurveyFileError(
    'AMBIGUOUS_COLUMNS',
    `the file has no header line that says which of its angles is the latitude: ${mend}`,
  )
}

function pairBy(rows: readonly string[][], side: (cell: string) => string | undefined) {
  const isIn = (sides: string) => (cell: string) => sides.includes(side(cell) ?? '-')
  // The letters of the first row may be missing.
  const whole = rows.slice(0, 2).find((fields) => fields.some(isIn('NS')) && fields.some(isIn('EW')))
  if (!whole) return undefined
  const [latitude, longitude] = [whole.findIndex(isIn('NS')), whole.findIndex(isIn('EW'))]
  const isPair = (fields: string[]) => isIn('NS')(fields[latitude] ?? '') && isIn('EW')(fields[longitude] ?? '')
  return withoutOutliers(rows, isPair).every(isPair) ? { latitude, longitude } : undefined
}

/** Values with a hemisphere letter, such as `N52.311200`: the possible readings, or both if nothing decides. */
function unsettled(rows: readonly string[][], angles: Angles, context: LayoutContext) {
  const cell = rows.find((fields) => sideRunTogether(fields[angles.latitude] ?? ''))![angles.latitude]!.trim()
  const words = wordsBy(rows, angles)
  const records = rows.map((fields) => ({ fields: [...fields], line: 0 }))
  const [plain] = provenLines([words], records, { ...context, angles: 'decimal' })
  const [together] = provenLines([words], records, { ...context, angles: 'dms-packed' })
  const mends = [
    ...(plain
      ? [`import with angles=decimal, or put the line ${plain} ${placeOfHeader(context)}, if it is degrees`]
      : []),
    ...(together ? ['import with angles=dms-packed if it is degrees, minutes and seconds'] : []),
  ]
  return new SurveyFileError(
    'AMBIGUOUS_ANGLES',
    `the file has no header line, and ${cell} can be degrees, or packed degrees, minutes and seconds: ${mends.length > 0 ? mends.join('; ') : `separate the parts as in 35°11'30.68"N`}`,
  )
}
