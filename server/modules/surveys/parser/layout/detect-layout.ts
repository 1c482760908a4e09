import { SurveyFileError } from '../errors.ts'
import { isSpaces } from '../formats/delimited/delimiter.ts'
import { lastNeeded } from '../rows/rows.ts'
import { looksLikeNumber } from '../rows/values/numbers.ts'
import type { SurveyRecord } from '../table.ts'
import { truncate } from '../truncate.ts'
import { angular } from './angles/angular.ts'
import { columnsOf, coordinateKinds } from './columns.ts'
import { refuseGridReferences, refuseNamedSquares } from './grid-references.ts'
import { headerLayout } from './header-layout.ts'
import { headerlessLayout, possibleWords } from './headerless-layout.ts'
import type { Layout, LayoutContext } from './layout.ts'
import { provenLines } from './proposals.ts'
import { headerlessZones } from './utm/headerless-zones.ts'
import { areBands } from './utm/zone-columns.ts'

/**
 * Detects the meaning of a file's columns from its first records: by header, otherwise by shape.
 * @throws SurveyFileError
 */
export function detectLayout(records: readonly SurveyRecord[], context: LayoutContext): Layout {
  const layout = detected(records, context)
  const rows = records.slice(layout.above)
  return {
    ...layout,
    areBands: areBands(rows, layout.columns),
    isSheet: context.isSheet,
    numbersAtEnd: isSpaces(context.delimiter) ? numbersAtEnd(rows, layout) : 'none',
  }
}

/** How many rows have numbers behind the columns that a row must have. */
function numbersAtEnd(rows: readonly SurveyRecord[], { width, columns }: Layout): Layout['numbersAtEnd'] {
  const whole = rows.filter(({ fields }) => fields.length === width)
  const last = lastNeeded(columns)
  const count = whole.filter(({ fields }) => fields.slice(last + 1).some(looksLikeNumber)).length
  return count * 2 > whole.length ? 'most' : count > 0 ? 'some' : 'none'
}

function detected(records: readonly SurveyRecord[], context: LayoutContext): Layout {
  const first = records[0]
  if (!first) throw new SurveyFileError('EMPTY_FILE', 'the file has no rows')
  const columns = columnsOf(first.fields)
  if (coordinateKinds(columns).length > 0) {
    if (context.isTable) refuseNamedSquares(columns, records, context.crsText)
    return headerLayout(columns, records, context)
  }
  if (isNameless(first.fields) && records.length > 1) return byShape(records, context)
  const byForm = headerlessZones(records, context) ?? angular(records, context)
  if (byForm) return byForm
  refuseGridReferences(records)
  const numbered = records.some(({ fields }) => fields.filter(looksLikeNumber).length >= 2)
  if (!numbered || looksLikeHeader(records)) throw unknownHeader(records, context)
  return headerlessLayout(records, context)
}

/** Names that programs write for unnamed columns: `field_1`, `Column2`, `Unnamed: 3`. */
const NAMELESS =
  /^(?:(?:field|column|col|attribute|attr|var|spalte|feld|colonne|champ|columna|campo|coluna|kolumna|f|c|v)[ _.-]?\d{1,3}|unnamed:? ?\d{0,3})$/i

const isNameless = (fields: readonly string[]): boolean =>
  fields.length > 1 && fields.every((field) => field.trim() === '' || NAMELESS.test(field.trim().slice(0, 40)))

/** A file whose header has no known word is read as one without a header, and keeps its column names. */
function byShape([header, ...rows]: readonly SurveyRecord[], context: LayoutContext): Layout {
  const nameless = { ...context, isNameless: true }
  const layout = headerlessZones(rows, nameless) ?? angular(rows, nameless) ?? headerlessLayout(rows, nameless)
  const columns = Object.fromEntries(
    Object.entries(layout.columns).map(([role, list]) => [
      role,
      list.map((at) => ({ ...at, name: header!.fields[at.index]?.trim() || at.name })),
    ]),
  )
  const message = `the header line (${shownNames(header!.fields)}) says nothing of what the columns are: they were read by the shape of the rows, as ${Object.entries(
    columns,
  )
    .map(([role, [at]]) => `${role} in ${at!.name}`)
    .join(', ')}`
  return {
    ...layout,
    columns,
    header: true,
    above: layout.above + 1,
    notices: [...layout.notices, { code: 'COLUMNS_ASSUMED', message }],
  }
}

/** Proposes header lines that were tried on the rows, with words of the file where possible. */
function unknownHeader([header, ...rows]: readonly SurveyRecord[], context: LayoutContext): SurveyFileError {
  const { fields, line } = header!
  const candidates = possibleWords(rows).map((words) =>
    words.map((word, i) => (/^column\d+$/.test(word) && fields[i]?.trim() ? truncate(fields[i]!.trim(), 60) : word)),
  )
  const lines = provenLines(candidates, rows, context).slice(0, 2)
  const mend =
    lines.length > 0
      ? `name them in that line, as in ${lines.join(' or ')}, or import with such a line as header=`
      : 'name them in that line with such words as title, lat, lon, h, or title, easting, northing, h'
  return new SurveyFileError(
    'AMBIGUOUS_COLUMNS',
    `no latitude and longitude, or easting and northing, among the columns ${shownNames(fields)}: ${mend}`,
    line,
  )
}

const shownNames = (fields: readonly string[]): string =>
  fields
    .slice(0, 8)
    .map((field) => truncate(field, 60))
    .join(', ')

/** Words only, above rows with as many fields. */
function looksLikeHeader([first, second]: readonly SurveyRecord[]): boolean {
  if (first!.fields.some(looksLikeNumber) || first!.fields.length < 2) return false
  return Object.keys(columnsOf(first!.fields)).length > 0 || first!.fields.length === second?.fields.length
}
