import { buffer } from 'node:stream/consumers'
import yazl from 'yazl'

/** A ZIP of files by their names. */
export async function archiveOf(files: Record<string, string | Uint8Array>): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content as Uint8Array), name)
  zip.end()
  return buffer(zip.outputStream)
}

/**
 * A cell: a number or a text, or its raw form: `{ v: '45292', style: 'date' }`, `{ v: '3', formula: 'A1+1' }`,
 * `{ v: '3', code: '0.0" ft"' }` with a number format, `{ v: 'x', type: 'str' }`.
 */
export type Cell =
  | string
  | number
  | null
  | { v: string; style?: keyof typeof styles; code?: string; type?: string; formula?: string }
/** Built-in formats. */
const styles = { date: 14, time: 21 }
const FIRST_CODE = 164

const xml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

function cell(value: Cell, column: number, row: number, codes: readonly string[]): string {
  const at = `r="${String.fromCharCode(65 + column)}${row}"`
  if (value === null) return ''
  if (typeof value === 'number') return `<c ${at}><v>${value}</v></c>`
  if (typeof value === 'string') return `<c ${at} t="inlineStr"><is><t xml:space="preserve">${xml(value)}</t></is></c>`
  const formula = value.formula ? `<f>${xml(value.formula)}</f>` : ''
  const style = value.style
    ? Object.keys(styles).indexOf(value.style) + 1
    : value.code && codes.indexOf(value.code) + 1 + Object.keys(styles).length
  return `<c ${at}${style ? ` s="${style}"` : ''}${value.type ? ` t="${value.type}"` : ''}>${formula}<v>${value.v}</v></c>`
}

/** A workbook of Office Open XML (ECMA-376) as Excel writes it, with named sheets. */
export function workbookOf(sheets: Record<string, Cell[][]>): Promise<Buffer> {
  const names = Object.keys(sheets)
  const cells = Object.values(sheets).flat(2)
  const codes = [...new Set(cells.flatMap((value) => (typeof value === 'object' && value?.code) || []))]
  const ids = [0, ...Object.values(styles), ...codes.map((_, i) => FIRST_CODE + i)]
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
  const relations = (inside: string) =>
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${inside}</Relationships>`
  const override = (part: string, type: string) =>
    `<Override PartName="/xl/${part}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`
  const rows = (sheet: Cell[][]) =>
    sheet
      .map((cells, i) => `<row r="${i + 1}">${cells.map((value, c) => cell(value, c, i + 1, codes)).join('')}</row>`)
      .join('')
  return archiveOf({
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${override('workbook', 'sheet.main')}${override('styles', 'styles')}${names.map((_, i) => override(`worksheets/sheet${i + 1}`, 'worksheet')).join('')}</Types>`,
    '_rels/.rels': relations(relation(1, 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names.map((name, i) => `<sheet name="${xml(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      names.map((_, i) => relation(i + 1, 'worksheet', `worksheets/sheet${i + 1}.xml`)).join('') +
        relation(99, 'styles', 'styles.xml'),
    ),
    'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="${codes.length}">${codes.map((code, i) => `<numFmt numFmtId="${FIRST_CODE + i}" formatCode="${xml(code)}"/>`).join('')}</numFmts><cellStyleXfs count="1"><xf numFmtId="${styles.time}"/></cellStyleXfs><cellXfs count="${ids.length}">${ids.map((id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((sheet, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${rows(sheet)}</sheetData></worksheet>`,
      ]),
    ),
  })
}

/** An OpenDocument spreadsheet (OASIS ODF 1.3): numbers with values, dates, formulas with their values. */
export function spreadsheetOf(name: string, rows: string[]): Promise<Buffer> {
  const spaces = ['office', 'table', 'text']
    .map((space) => `xmlns:${space}="urn:oasis:names:tc:opendocument:xmlns:${space}:1.0"`)
    .join(' ')
  return archiveOf({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `${HEAD}<office:document-content ${spaces} office:version="1.3"><office:body><office:spreadsheet><table:table table:name="${name}">${rows.map((row) => `<table:table-row>${row}</table:table-row>`).join('')}</table:table></office:spreadsheet></office:body></office:document-content>`,
  })
}

/** A cell of such a sheet. */
export const odsText = (text: string) =>
  `<table:table-cell office:value-type="string"><text:p>${xml(text)}</text:p></table:table-cell>`
export const odsNumber = (value: string, shown: string, formula?: string) =>
  `<table:table-cell office:value-type="float" office:value="${value}"${formula ? ` table:formula="of:=${formula}"` : ''}><text:p>${shown}</text:p></table:table-cell>`
