import { peekSample } from '../../sampling.ts'
import type { FormatOptions, SurveyTable } from '../../table.ts'
import { tableOfText } from '../delimited/delimited.ts'
import { readFeatures } from '../gdal/flatgeobuf.ts'
import { withGdal } from '../gdal/layer-table.ts'
import { namesOf, selectLayer } from '../gdal/select-layer.ts'
import type { Entry } from '../zip/archive.ts'
import { hiddenRows } from './hidden-rows.ts'
import { hiddenSheets } from './hidden-sheets.ts'
import { textOfSheet, withLineEnds } from './sheet-text.ts'
import { shownCells } from './shown-cells.ts'

const kinds = {
  xlsx: { driver: 'XLSX', title: 'an Excel workbook' },
  ods: { driver: 'ODS', title: 'an OpenDocument spreadsheet' },
}

/**
 * Office Open XML (ECMA-376) and OpenDocument spreadsheets: a sheet is read as if it were saved as CSV, but with every
 * digit of its numbers. Dates are year/month/day, formulas their stored values. Hidden sheets are read only by name,
 * hidden rows like the others.
 */
export async function readWorkbook(
  kind: keyof typeof kinds,
  bytes: Uint8Array,
  entries: readonly Entry[],
  options: FormatOptions,
): Promise<SurveyTable> {
  const { driver, title } = kinds[kind]
  const path = `/in/file.${kind}`
  const { sheets, sheet, unread, written } = await withGdal(title, (gdal) => {
    gdal.write(path, bytes)
    return gdal.withFile(path, { drivers: [driver] }, (file) => {
      const sheets = file.layers()
      const hidden = hiddenSheets(kind, entries)
      const sheet = selectLayer(sheets, options.layer, 'sheet', hidden)
      const unread = sheets.filter(({ name, count }) => count > 0 && hidden.has(name) && options.layer === undefined)
      file.translate('/out/sheet.fgb', ['-f', 'FlatGeobuf', '-lco', 'SPATIAL_INDEX=NO', '-nln', 'sheet', sheet.name])
      return { sheets, sheet, unread, written: gdal.take('/out/sheet.fgb') }
    })
  })
  const hidden = hiddenRows(kind, entries, sheet.name)
  const { columns, features } = readFeatures(written)
  const shown = kind === 'xlsx' ? shownCells(entries, sheet.name) : [][Symbol.iterator]()
  const units = new Map<number, ReadonlyMap<number, string>>()
  const text = textOfSheet(features(), columns.length, shown, units)
  const sample = await peekSample(text)
  // In a sheet of one column, each cell may be a line of CSV.
  const { records, systems, remarks } = tableOfText(sample, text, options, columns.length > 1 ? '\t' : undefined)
  return {
    source: {
      format: kind,
      delimiter: null,
      encoding: null,
      layer: sheet.name,
      layers: sheets.map(({ name }) => name),
    },
    systems,
    records: withLineEnds(records, units),
    notices: () => [...remarks, ...hiddenNotice(unread), ...rowsNotice(hidden)],
  }
}

const hiddenNotice = (unread: readonly { name: string }[]): ReturnType<NonNullable<SurveyTable['notices']>> =>
  unread.length === 0
    ? []
    : [
        {
          code: 'LAYERS_NOT_READ',
          message: `hidden sheets were not read: ${namesOf(unread)}; if one has the points, import the file again with layer=${unread[0]!.name.slice(0, 60)}`,
        },
      ]

const rowsNotice = (hidden: number): ReturnType<NonNullable<SurveyTable['notices']>> =>
  hidden === 0
    ? []
    : [
        {
          code: 'HIDDEN_ROWS_READ',
          message: `${hidden} hidden ${hidden === 1 ? 'row of the sheet was' : 'rows of the sheet were'} read like the others: to import only those shown, delete the hidden ones, or copy the shown ones to a new sheet`,
        },
      ]
