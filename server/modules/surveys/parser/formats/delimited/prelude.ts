import { crsTextOf } from '../../../../reference-systems/crs-text.ts'
import { SurveyFileError, type WarningCode } from '../../errors.ts'
import { isHeaderLine } from '../../layout/columns.ts'
import { looksLikeNumber } from '../../rows/values/numbers.ts'
import type { NamedSystems } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import { cutLine, type Delimiter } from './delimiter.ts'
import { type SystemLines, systemAt } from './system-lines.ts'
import { numbersIn, type TopLine, tableStart } from './table-start.ts'

/** The text above the table; its `length` characters and `lines` lines are skipped. */
export type Prelude = {
  length: number
  lines: number
  delimiter: Delimiter | undefined
  /** Non-comment texts with their lines. */
  remarks: { text: string; line: number }[]
  /** The text directly above the table: the upper half of a header of two lines, if its cells are words of one. */
  upper: string | undefined
} & NamedSystems

type Notice = { code: WarningCode; message: string }

/** Maximum number of lines above a table; a definition counts as one. */
const MAX_LINES = 60
const MAX_LINES_READ = 1000
const MAX_SHOWN = 5

/** Signatures of files with points that are not tables. */
const otherFiles: [start: RegExp, what: string][] = [
  [/^\s*<(?:\?xml|!DOCTYPE|html|landxml)/i, 'XML of an unsupported format, or a web page'],
  [/^\s*(?:\{\s*["}]|\[\s*[{[])/, 'JSON, but not GeoJSON'],
]

/** @throws SurveyFileError UNKNOWN_CRS if the file begins with a code that is joined to other text */
export function refuseGluedCode(sample: string): void {
  const first = /^\s*(EPSG:\d[^\n]{0,255})/i.exec(sample.slice(0, 512))?.[1]
  if (first && crsTextOf(first) === undefined)
    throw new SurveyFileError(
      'UNKNOWN_CRS',
      `line 1 begins with "${truncate(first.split(/[\s,;]/)[0]!, 40)}", which is not the code of a reference system: write EPSG: and the code in a line of its own, and the points below it`,
      1,
    )
}

/** @throws SurveyFileError NOT_A_TABLE for points in a format that is not a table */
export function refuseOtherFiles(sample: string): void {
  const found = otherFiles.find(([start]) => start.test(sample.slice(0, 200)))
  if (found)
    throw new SurveyFileError(
      'NOT_A_TABLE',
      `the file is ${found[1]}: export the points as CSV or as a list of coordinates`,
    )
}

/**
 * Reads the lines above the table: Excel's `sep=`, the reference system, titles and comments. A header may itself begin
 * with `#`; without a header, the table begins at its first row.
 * @param isHeaderGiven whether the request has a header line: every text is a row then
 */
export function readPrelude(sample: string, isHeaderGiven = false): Prelude {
  const blocks = firstBlocks(sample)
  const start = tableStart(blocks, isHeaderGiven)
  const prelude: Prelude = {
    length: 0,
    lines: 0,
    delimiter: undefined,
    crs: undefined,
    crsLine: undefined,
    titles: [],
    remarks: [],
    upper: start > 0 && blocks[start - 1]!.kind === 'text' ? blocks[start - 1]!.text : undefined,
  }
  let isDatum = false
  for (const { kind, text, end, lines, separator, system } of blocks.slice(0, start)) {
    if (separator) prelude.delimiter = separator
    else if (system && (prelude.crs === undefined || isDatum)) {
      Object.assign(prelude, { crs: system.system, crsLine: text })
      isDatum = system.isDatum
    } else if (kind !== 'blank') prelude.titles.push(text)
    if (kind === 'text') prelude.remarks.push({ text, line: prelude.lines + 1 })
    prelude.lines += lines
    prelude.length = end
  }
  return prelude
}

/** The notice for texts above the table with a number: one may be a row with an error. */
export function remarksNotice(remarks: Prelude['remarks'], delimiter: Delimiter): Notice[] {
  const doubtful = remarks.filter(({ text }) =>
    cutLine(text, delimiter).some((cell, _, { length }) => length > 1 && looksLikeNumber(cell)),
  )
  if (doubtful.length === 0) return []
  const shown = doubtful.slice(0, MAX_SHOWN).map(({ text, line }) => `line ${line} ("${truncate(text.trim(), 60)}")`)
  const more = doubtful.length > MAX_SHOWN ? `, and ${doubtful.length - MAX_SHOWN} more` : ''
  const message = `read as remarks above the table, not as rows: ${shown.join(', ')}${more}; if they are rows, move them below the header line, or import with header=`
  return [{ code: 'LINES_ABOVE_TABLE', message }]
}

type Block = TopLine & { end: number; lines: number; separator?: Delimiter | undefined; system?: SystemLines }

/** The first lines, with the lines of a definition joined. */
function firstBlocks(sample: string): Block[] {
  const ends: number[] = []
  for (let at = 0; at < sample.length && ends.length < MAX_LINES_READ; ) {
    const end = sample.indexOf('\n', at)
    at = end < 0 ? sample.length : end + 1
    ends.push(at)
  }
  const all = ends.map((end, i) => sample.slice(ends[i - 1] ?? 0, end).replace(/\n$/, ''))
  const blocks: Block[] = []
  for (let i = 0; i < all.length && blocks.length < MAX_LINES; ) {
    const block = blockAt(all, i)
    blocks.push({ ...block, end: ends[i + block.lines - 1]! })
    i += block.lines
  }
  return blocks
}

function blockAt(all: readonly string[], at: number): Omit<Block, 'end'> {
  const text = all[at]!
  if (text.trim() === '') return { kind: 'blank', text, lines: 1 }
  const separator = separatorOf(text)
  if (separator) return { kind: 'other', text, lines: 1, separator }
  // A header may name the system of its columns, as in `northing (EPSG:31467)`.
  const system = isHeaderLine(text) ? undefined : systemAt(all, at)
  // A row may name its system too; a definition has a bracket or a plus sign.
  if (system && (system.lines > 1 || /[[{+]/.test(text) || numbersIn(text) < 2))
    return { kind: 'other', text: all.slice(at, at + system.lines).join('\n'), lines: system.lines, system }
  return { kind: text.trimStart().startsWith('#') ? 'comment' : 'text', text, lines: 1 }
}

function separatorOf(line: string): Delimiter | undefined {
  return line.length > 20 ? undefined : (/^"?sep=([,;|\t])"?[ ,;]*$/i.exec(line)?.[1] as Delimiter | undefined)
}
