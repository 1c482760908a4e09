import { setImmediate } from 'node:timers/promises'
import type { SurveyRecord } from '../../table.ts'
import type { Feature } from '../features/feature.ts'

/**
 * Replaces a line end inside a cell, so that a line of text is a row. Not a valid XML character, so cells cannot have
 * it.
 */
const LINE_END = '\v'
const PIECE = 16 * 1024

/**
 * A sheet as text with tabs between cells, without trailing empty cells and rows.
 * @param shown texts in place of values, by row and column
 */
export async function* textOfSheet(
  rows: Iterable<Feature>,
  width: number,
  shown: ReadonlyMap<number, ReadonlyMap<number, string>>,
): AsyncGenerator<string, void, undefined> {
  const write = width > 1 ? quoted : (cell: string) => cell
  let piece = ''
  let emptyRows = 0
  let row = -1
  for (const { values: own } of rows) {
    const texts = shown.get(++row)
    const values = own.map((value, column) => texts?.get(column) ?? asClock(value))
    const cells = values.map((value) => write((value ?? '').replace(/\r\n?|\n/g, LINE_END)))
    while (cells.at(-1) === '') cells.pop()
    if (cells.length === 0) {
      emptyRows++
      continue
    }
    piece += `${'\n'.repeat(emptyRows)}${cells.join('\t')}\n`
    emptyRows = 0
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
    await setImmediate()
  }
  if (piece !== '') yield piece
}

/** A time of OpenDocument, as its sheet shows it: `PT52H31M12.5S` is `52:31:12.5`. Other texts are returned unchanged. */
const asClock = (value: string | undefined): string | undefined =>
  value?.startsWith('PT') ? value.replace(/^PT(\d{1,4})H(\d{1,2})M(\d{1,2}(?:[.,]\d{1,12})?)S$/, '$1:$2:$3') : value

const quoted = (cell: string): string => (/["\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Restores the line ends inside the cells. */
export async function* withLineEnds(
  records: AsyncIterable<SurveyRecord>,
): AsyncGenerator<SurveyRecord, void, undefined> {
  for await (const record of records)
    yield { ...record, fields: record.fields.map((field) => field.replaceAll(LINE_END, '\n')) }
}
