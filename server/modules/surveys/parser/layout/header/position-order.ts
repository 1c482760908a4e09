import type { WarningCode } from '../../errors.ts'
import { truncate } from '../../truncate.ts'
import type { Columns } from '../columns.ts'
import { cellOf } from '../sample.ts'

/** Headers that say which number comes first. */
const NAMES_ORDER = /^\W*(?:lat|lon|lng|long|x|y)\s*[/,;_ -]?\s*(?:lat|lon|lng|x|y)/i
/** Two numbers without a letter of the hemisphere. */
const PLAIN = /^[([]?\s*[+-]?\d{1,2}(?:[.,]\d+)?\s*[,;/ ]\s*[+-]?\d{1,2}(?:[.,]\d+)?\s*(?:[,;/ ][^a-z]*)?$/i

/**
 * The notice for pairs such as `52.5, 13.4` that could be read in either order, and were read as latitude, longitude.
 */
export function orderNotice(
  { position }: Columns,
  rows: readonly string[][],
): { code: WarningCode; message: string }[] {
  const name = position?.[0]?.name ?? ''
  const isOpen = rows.some((fields) => PLAIN.test(cellOf(fields, position).trim().slice(0, 80)))
  if (NAMES_ORDER.test(name) || !isOpen) return []
  const message = `the pairs under "${truncate(name, 60)}" were read as latitude, longitude: if they are longitude, latitude, write lon/lat as its header`
  return [{ code: 'COLUMNS_ASSUMED', message }]
}
