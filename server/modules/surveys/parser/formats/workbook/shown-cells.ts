import { TIME } from '../../table.ts'
import { xmlText } from '../text/xml-text.ts'
import type { Entry } from '../zip/archive.ts'
import { cellFormats } from './cell-formats.ts'
import { sheetPart, unreadable, walkPart } from './parts.ts'

/** A cell that is more than its number: by its format, or because it is TRUE or FALSE; or less than GDAL makes of it. Row and column from 0. */
export type ShownCell = { row: number; column: number } & { text?: string; unit?: string }

/** Longer times are no angles: their number is one. */
const MAX_DAYS = 16
const MICROSECONDS = 86_400e6

/**
 * The cells of a sheet that show TRUE or FALSE, a time, which Excel makes of `52:31:12` and stores in days, or a unit,
 * as `0.00" ft"` does, in the order of their rows. Formats apply only to numbers: other values are returned as they are stored. Reads
 * the sheet as far as it is asked for.
 * @param sheet the name of the sheet in an XLSX workbook
 * @throws SurveyFileError UNREADABLE_FILE if the sheet cannot be read, or its rows are not in order
 */
export function* shownCells(entries: readonly Entry[], sheet: string): Generator<ShownCell, void> {
  const formats = cellFormats(entries)
  const part = sheetPart(entries, sheet)
  if (formats.size === 0 && !hasBooleans(part)) return
  let found: ShownCell[] = []
  let [row, column, style, type, value] = [-1, -1, -1, 'n', '']
  let [isData, isValue] = [false, false]
  const visit = {
    open(name: string, { r, s = '0', t = 'n' }: Record<string, string>) {
      isValue = isData && name === 'v'
      if (name === 'sheetData') isData = true
      else if (isData && name === 'row') {
        const next = r === undefined ? row + 1 : Number(r) - 1
        if (!(next > row)) throw unreadable(`${part.name}, whose rows are not in order,`)
        ;[row, column] = [next, -1]
      } else if (isData && name === 'c') {
        column = r === undefined ? column + 1 : columnOf(r)
        ;[style, type, value] = [Number(s), t, '']
      }
    },
    text(text: string) {
      if (isValue) value += text
    },
    close(name: string) {
      isValue = false
      if (name === 'sheetData') isData = false
      // GDAL makes numbers of them.
      if (isData && name === 'c' && type === 'b' && value !== '')
        return void found.push({ row, column, text: value === '1' ? 'TRUE' : 'FALSE' })
      const format = isData && name === 'c' ? formats.get(style) : undefined
      if (!format || value === '' || type === 's' || type === 'inlineStr') return
      if (typeof format === 'object') {
        if (type === 'n') found.push({ row, column, unit: format.unit })
        return
      }
      const days = format === 'number' || type !== 'n' ? Number.NaN : Math.abs(Number(value))
      if (!(days < MAX_DAYS)) found.push({ row, column, text: value })
      // A time of day does not show its days: its number may be one in another format.
      else
        found.push({ row, column, text: format === 'clock' && days >= 1 ? value : asTime(Number(value)), unit: TIME })
    },
  }
  for (const _ of walkPart(part, visit)) {
    yield* found
    found = []
  }
}

/** Whether the text of a sheet may have cells that are TRUE or FALSE. Most have none, and need not be parsed again. */
function hasBooleans(part: Entry): boolean {
  let end = ''
  for (const piece of xmlText(part.unpack())) {
    const text = end + piece
    if (/\st=["']b["']/.test(text)) return true
    end = text.slice(-5)
  }
  return false
}

/** The column of a reference such as `AB12`, from 0. */
const columnOf = (reference: string): number =>
  [.../^[A-Z]{0,3}/.exec(reference)![0]].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

function asTime(days: number): string {
  const total = Math.round(Math.abs(days) * MICROSECONDS)
  const [seconds, minutes] = [(total % 60e6) / 1e6, Math.floor(total / 60e6)]
  const two = (figure: number) => String(figure).padStart(2, '0')
  const parts = [two(Math.floor(minutes / 60)), two(minutes % 60), (seconds < 10 ? '0' : '') + seconds.toFixed(6)]
  return (days < 0 ? '-' : '') + parts.join(':').replace(/\.?0+$/, '')
}
