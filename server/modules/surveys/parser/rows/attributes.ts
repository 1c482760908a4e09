import type { Column, Columns } from '../layout/columns.ts'
import { truncate } from '../truncate.ts'
import type { SurveyPoint } from './point.ts'
import type { Row } from './row.ts'
import { type Decimal, readNumber } from './values/numbers.ts'

const MAX_ADDRESS = 2048
const MAX_PHOTOS = 3
const MAX_TAG = 50
/** Maximum number of URLs in a cell that are counted. */
const MAX_COUNTED = 100

export function readTag(row: Row): number | null {
  const value = row.number('aprilTagId')
  if (value === null || (Number.isInteger(value) && value >= 0 && value <= MAX_TAG)) return value
  const why = Number.isInteger(value) ? `is outside 0..${MAX_TAG}` : 'is not a whole number'
  row.fault('aprilTagId', 'APRIL_TAG_RANGE', `aprilTagId ${value} ${why}`)
  return null
}

export function readGcpType(row: Row): SurveyPoint['gcpType'] {
  const cell = row.cell('gcpType').toUpperCase()
  if (cell === '' || cell === 'SINGLE' || cell === 'MULTI') return cell || null
  row.fault('gcpType', 'BAD_GCP_TYPE', `gcpType "${truncate(cell, 60)}" is neither SINGLE nor MULTI`)
  return null
}

/** URLs from all photo columns, several in a cell separated by `|`, `;`, `,` or spaces. */
export function readPhotos(row: Row, columns: readonly Column[] | undefined): string[] {
  const urls = (columns ?? [])
    .flatMap(({ index }) => (row.fields[index] ?? '').split(/[|;,\s]+/, MAX_COUNTED + 1))
    .filter(Boolean)
  if (urls.length > MAX_PHOTOS)
    row.fault('photoUrls', 'TOO_MANY_PHOTOS', `${countOf(urls)} photos, ${MAX_PHOTOS} are allowed`)
  const bad = urls.find((url) => url.length > MAX_ADDRESS || !/^https?:\/\/\S/i.test(url) || !URL.canParse(url))
  if (bad !== undefined)
    row.fault(
      'photoUrls',
      'BAD_URL',
      `"${truncate(bad, 100)}" is not an http or https address: write the address of the photo, or give the column another name if it has names of files`,
    )
  return urls
}

const countOf = ({ length }: string[]): string => (length > MAX_COUNTED ? `more than ${MAX_COUNTED}` : `${length}`)

/** Accuracies in metres: of two axes combined, or horizontal and vertical in one cell, `0.01/0.02`. */
export function readAccuracies(
  row: Row,
  columns: Columns,
  decimal: Decimal,
): Pick<SurveyPoint, 'accuracyH' | 'accuracyV'> {
  const [both = '', vertical] = row.cell('accuracy').split('/')
  const unit = columns.accuracy?.[0]?.unit ?? 1
  const east = row.length('accuracyEasting')
  const north = row.length('accuracyNorthing')
  const fromBoth = readNumber(both, decimal)
  const fromVertical = readNumber(vertical ?? both, decimal)
  const ofAxes = east !== null && north !== null ? row.metres('accuracyEasting', Math.hypot(east, north)) : undefined
  const ofBoth = fromBoth === undefined ? null : row.metres('accuracy', fromBoth * unit)
  return {
    accuracyH: row.length('accuracyH') ?? (ofAxes === undefined ? ofBoth : ofAxes),
    accuracyV:
      row.length('accuracyV') ?? (fromVertical === undefined ? null : row.metres('accuracy', fromVertical * unit)),
  }
}

/** What a column says of a deleted point, and beside a word such as `deleted` only that it is so. */
const DELETED =
  /^(?:deleted|gel(?:ö|oe)scht|supprim(?:é|e)e?|eliminad[oa]|borrad[oa]|eliminat[oa]|exclu[ií]d[oa]|verwijderd|usuni(?:ę|e)ty|slettet|raderad|poistettu|smaz[aá]no|удал[её]н[ао]?)$/i
const YES = /^(?:true|yes|y|t|1|x|on|wahr|ja|j|vrai|oui|o|s[ií]|sim|tak|kyllä|ano|да|истина)$/i

/** Refuses a row whose point is deleted in the job that it comes from. */
export function checkDeleted(row: Row): void {
  const cell = row.cell('deleted')
  const isSo = DELETED.test(cell) || (YES.test(cell) && !row.column('deleted')?.word?.endsWith('status'))
  if (isSo) row.fault('deleted', 'DELETED_POINT', 'the point is deleted in the job')
}
