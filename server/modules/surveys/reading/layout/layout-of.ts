import { cut } from '../cut.ts'
import { SurveyFileError } from '../faults.ts'
import type { Delimiter } from '../formats/delimited/delimiter.ts'
import { looksLikeNumber } from '../rows/numbers.ts'
import type { SurveyRecord } from '../table.ts'
import { angular } from './angles/angular.ts'
import { columnsOf, coordinateKinds } from './columns.ts'
import { headed } from './headed.ts'
import { headless } from './headless.ts'
import { headerLine, type Layout, type LayoutContext } from './layout.ts'

/** Reads the meaning of a file's columns off its first records: by header, else by shape. @throws SurveyFileError */
export function layoutOf(records: readonly SurveyRecord[], context: LayoutContext): Layout {
  const first = records[0]
  if (!first) throw new SurveyFileError('EMPTY_FILE', 'the file has no rows')
  const columns = columnsOf(first.fields)
  if (coordinateKinds(columns).length > 0) return headed(columns, records, context)
  const byAngles = angular(records, context)
  if (byAngles) return byAngles
  const numbered = records.some(({ fields }) => fields.filter(looksLikeNumber).length >= 2)
  if (!numbered || looksLikeHeader(records)) throw unknownHeader(first, context.delimiter)
  return headless(records, context)
}

const unknownHeader = ({ fields, line }: SurveyRecord, delimiter: Delimiter) =>
  new SurveyFileError(
    'AMBIGUOUS_COLUMNS',
    `no latitude and longitude, or easting and northing, among the columns ${shownNames(fields)}: name them in that line, as in ${headerLine(['title', 'lat', 'lon', 'h'], delimiter)} or ${headerLine(['title', 'easting', 'northing', 'h'], delimiter)}`,
    line,
  )

const shownNames = (fields: readonly string[]): string =>
  fields
    .slice(0, 8)
    .map((field) => cut(field, 60))
    .join(', ')

/** Words only, above rows of as many fields. */
function looksLikeHeader([first, second]: readonly SurveyRecord[]): boolean {
  if (first!.fields.some(looksLikeNumber) || first!.fields.length < 2) return false
  return Object.keys(columnsOf(first!.fields)).length > 0 || first!.fields.length === second?.fields.length
}
