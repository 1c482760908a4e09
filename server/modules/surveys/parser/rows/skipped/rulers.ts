import { type Delimiter, isSpaces } from '../../formats/delimited/delimiter.ts'
import type { SurveyRecord } from '../../table.ts'

/** A line such as `----  --------` or `|---|---|`. */
const isRuler = (fields: readonly string[]): boolean =>
  fields.some((field) => /[-=_]{3}/.test(field)) && fields.every((field) => /^[-=_+:|\s]*$/.test(field))

/** In other files, `---,---,---` may be a point that was not measured. */
const isWhole = (fields: readonly string[], delimiter: Delimiter): boolean =>
  fields.length === 1 || isSpaces(delimiter) || delimiter === '|'

/**
 * Leaves out rulers directly below a header, directly above a repeated one, and the one at the end. Elsewhere such a
 * line is a row, so that none is dropped without a line in the report.
 * @param isHeader whether a record repeats the header
 */
export async function* withoutRulers(
  records: AsyncIterable<SurveyRecord>,
  delimiter: Delimiter,
  isHeader: (fields: string[]) => boolean,
): AsyncGenerator<SurveyRecord, void, undefined> {
  let held: SurveyRecord | undefined
  let isBelowHeader = true
  for await (const record of records) {
    const { fields, fault, isRepeat } = record
    const isHead = isHeader(fields)
    if (held && !isHead) yield held
    held = undefined
    if (!fault && !isRepeat && isRuler(fields)) {
      if (isBelowHeader) continue
      if (isWhole(fields, delimiter)) held = record
      else yield record
      continue
    }
    isBelowHeader = isHead || (isBelowHeader && fields[0]!.startsWith('#'))
    yield record
  }
}
