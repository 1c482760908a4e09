import { cutHeader } from '../formats/delimited/delimiter.ts'
import { looksLikeNumber } from '../rows/values/numbers.ts'
import type { SurveyRecord } from '../table.ts'
import { truncate } from '../truncate.ts'
import { columnsOf, coordinateKinds } from './columns.ts'
import type { Layout } from './layout.ts'
import { pairRoles } from './sample.ts'

/** Whether a record has words only, as headers do: a row of coordinates has two numbers, possibly in one cell. */
export const isHeaderLike = ({ fields }: SurveyRecord): boolean =>
  coordinateKinds(columnsOf(fields)).length > 0 || (fields.join(' ').match(/\d+(?:[.,]\d+)?/g) ?? []).length < 2

/** `first` begins with the header; `own` is the file's own one, which is not a row wherever it occurs. */
export type UnderHeader = { first: SurveyRecord[]; own: SurveyRecord | undefined; notices: Layout['notices'] }

const MAX_SHOWN = 8

/**
 * The first records of a file under the header line of the request, split by its own delimiter: it replaces the file's
 * header or is added on top. A record that names coordinates is a header; other words are taken for one only if no
 * other record is similar, with a notice.
 */
export function applyHeaderOverride(records: SurveyRecord[], header: string | undefined): UnderHeader {
  const [top, ...rest] = records
  if (header === undefined || !top) return { first: records, own: undefined, notices: [] }
  const fields = cutHeader(header)
  const known = records.find(isHeader)
  const replaced = top === known || isUnknownHeader(top, fields, rest)
  const shown = truncate(top.fields.slice(0, MAX_SHOWN).join(', '), 200)
  const message = `line ${top.line} (${shown}) was read as the header that header= replaces, not as a row`
  return {
    first: [{ fields, line: top.line }, ...(replaced ? rest : records)],
    own: replaced ? top : known,
    notices: replaced && top !== known ? [{ code: 'HEADER_REPLACED', message }] : [],
  }
}

const isHeader = ({ fields, fault }: SurveyRecord): boolean =>
  !fault && fields.filter(looksLikeNumber).length < 2 && coordinateKinds(columnsOf(fields)).length > 0

/**
 * Different words of three letters or more in every cell, above rows with numbers in the coordinate columns of the
 * given header.
 */
function isUnknownHeader({ fields, fault }: SurveyRecord, header: readonly string[], rest: SurveyRecord[]): boolean {
  if (fault || fields.length !== header.length || fields.length < 2) return false
  const words = fields.map((field) => field.trim().toLowerCase().slice(0, 100))
  if (new Set(words).size < words.length) return false
  if (!words.every((word) => /\p{L}{3}/u.test(word) && !/^\P{L}*\d/u.test(word))) return false
  const columns = columnsOf(header)
  const places = coordinateKinds(columns).flatMap((kind) => pairRoles[kind].map((role) => columns[role]![0]!.index))
  const rows = rest.filter((record) => !record.fault && !record.fields[0]!.startsWith('#'))
  return rows.length > 0 && rows.every((row) => places.every((at) => /\d/.test(row.fields[at] ?? '')))
}
