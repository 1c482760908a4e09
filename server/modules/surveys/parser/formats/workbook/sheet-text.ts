import { setImmediate } from 'node:timers/promises'
import { type SurveyRecord, TIME } from '../../table.ts'
import type { Feature } from '../features/feature.ts'
import type { ShownCell } from './shown-cells.ts'

/**
 * Replaces a line end inside a cell, so that a line of text is a row. Not a valid XML character, so cells cannot have
 * it.
 */
const LINE_END = '\v'
const PIECE = 16 * 1024

/** The units that the cells of a row show, by column. */
type Units = ReadonlyMap<number, string>

/**
 * A sheet as text with tabs between cells, without trailing empty cells and rows.
 * @param shown cells in the order of rows: texts take the place of values @param units gets the units, by line
 */
export async function* textOfSheet(
  rows: Iterable<Feature>,
  width: number,
  shown: Iterator<ShownCell, void>,
  units: Map<number, Units>,
): AsyncGenerator<string, void, undefined> {
  const write = width > 1 ? quoted : (cell: string) => cell
  let piece = ''
  let emptyRows = 0
  let row = -1
  let next = shown.next()
  for (const { values: own } of rows) {
    row++
    const values = own.map(asClock)
    const inUnits = new Map<number, string>()
    for (const [at, value] of values.entries()) if (value !== own[at]) inUnits.set(at, TIME)
    for (; !next.done && next.value.row <= row; next = shown.next()) {
      const cell = next.value
      if (cell.unit !== undefined) inUnits.set(cell.column, cell.unit)
      if (cell.text !== undefined && cell.column < values.length) values[cell.column] = cell.text
    }
    const cells = values.map((value) => write((value ?? '').replace(/\r\n?|\n/g, LINE_END)))
    while (cells.at(-1) === '') cells.pop()
    if (cells.length === 0) {
      emptyRows++
      continue
    }
    if (inUnits.size > 0) units.set(row + 1, inUnits)
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

/** Restores the line ends inside the cells, and adds the units that cells show; takes them out of `units`. */
export async function* withLineEnds(
  records: AsyncIterable<SurveyRecord>,
  units: Map<number, Units>,
): AsyncGenerator<SurveyRecord, void, undefined> {
  for await (const record of records) {
    const shown = units.get(record.line)
    units.delete(record.line)
    const fields = record.fields.map((field) => field.replaceAll(LINE_END, '\n'))
    yield { ...record, fields, ...(shown && { units: shown }) }
  }
}
