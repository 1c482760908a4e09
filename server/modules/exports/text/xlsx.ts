import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Export } from '../schema.ts'
import { withChecks } from './photo-checks.ts'
import { type Cell, tableColumns } from './table-columns.ts'
import { isWritable, xml } from './xml.ts'

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts of a workbook besides its sheet. */
const parts: Record<string, string> = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SPREADSHEET}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="points" sheetId="1" r:id="rId1"/></sheets></workbook>`,
}

/** Maximum characters of a cell (Excel specifications and limits). */
const MAX_CELL = 32_767

/**
 * Points as an Excel workbook (ECMA-376, transitional): one sheet with the columns of the CSV. Numbers keep every digit,
 * texts are never formulas. A text longer than a cell is left out, and an import keeps the stored one.
 */
export async function* xlsxOf(source: Export): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(HEAD + content), name)
  const sheet = Readable.from(sheetOf(source), { objectMode: false })
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml')
  zip.end()
  const output = zip.outputStream as Readable
  sheet.on('error', (error) => output.destroy(error))
  try {
    yield* output
  } finally {
    sheet.destroy()
  }
}

async function* sheetOf(source: Export): AsyncGenerator<string> {
  const columns = tableColumns(source.system)
  const letters = columns.map((_, index) => String.fromCharCode(65 + index))
  let row = 1
  const written = (cells: Cell[]) =>
    `<row r="${row}">${cells.map((cell, index) => cellOf(`${letters[index]}${row}`, cell)).join('')}</row>\n`
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>\n${written(columns.map(({ name }) => name))}`
  for await (const gcps of withChecks(source)) {
    let text = ''
    for (const gcp of gcps) {
      row++
      text += written(columns.map(({ cell }) => cell(gcp)))
    }
    yield text
  }
  yield '</sheetData></worksheet>\n'
}

function cellOf(place: string, cell: Cell): string {
  if (cell === null || cell === '') return ''
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  const text = carried(cell)
  if (text.length > MAX_CELL) return ''
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${xml(text)}</t></is></c>`
}

/** Text that XML cannot hold, or that Excel would read as an escaped character, is written as JSON, as in tables. */
function carried(text: string): string {
  if (isWritable(text) && !/_x[0-9a-f]{4}_/i.test(text)) return text
  const plain = text.startsWith('json:"') ? text.slice('json:'.length) : JSON.stringify(text)
  return `json:${plain.replace(/[\u007f-\uffff]/g, escaped).replace(/_(?=x)/gi, '\\u005f')}`
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
