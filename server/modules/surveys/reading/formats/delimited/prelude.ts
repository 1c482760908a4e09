import { crsTextOf } from '../../../../reference-systems/crs-text.ts'
import { cut } from '../../cut.ts'
import { SurveyFileError } from '../../faults.ts'
import { isHeaderLine } from '../../layout/columns.ts'
import { looksLikeNumber } from '../../rows/numbers.ts'
import type { NamedSystems } from '../../table.ts'
import type { Delimiter } from './delimiter.ts'

/** What stands above the table of a file, of which `length` characters and `lines` lines are to be left out. */
export type Prelude = {
  length: number
  lines: number
  delimiter: Delimiter | undefined
} & NamedSystems

/** A datum alone, which a projection may follow. */
const DATUM = 'EPSG:4326'

/** So many lines may stand above a table. */
const MAX_LINES = 60
const MAX_DATA_LINE = 16 * 1024

type Line = { text: string; end: number }

/** Files of points that are no tables, by how they begin. */
const otherFiles: [start: RegExp, what: string][] = [
  [/^\s*<(?:\?xml|!DOCTYPE|html|landxml)/i, 'XML of a kind that is not read, or a web page'],
  [/^\s*(?:\{\s*["}]|\[\s*[{[])/, 'JSON that is no GeoJSON'],
  [/^\s*\*?1[01]\d{4}[+-][\dA-Za-z]{8}/, 'Leica GSI'],
]

/** @throws SurveyFileError UNKNOWN_CRS for a code at the beginning of the file that something else is glued to. */
export function refuseGluedCode(sample: string): void {
  const first = /^\s*(EPSG:\d[^\n]{0,255})/i.exec(sample.slice(0, 512))?.[1]
  if (first && crsTextOf(first) === undefined)
    throw new SurveyFileError(
      'UNKNOWN_CRS',
      `line 1 begins with "${cut(first.split(/[\s,;]/)[0]!, 40)}", which is no code of a reference system: write EPSG: and the code in a line of its own, and the points below it`,
      1,
    )
}

/** @throws SurveyFileError NOT_A_TABLE for points in a format that is no table. */
export function refuseOtherFiles(sample: string): void {
  const found = otherFiles.find(([start]) => start.test(sample.slice(0, 200)))
  if (found)
    throw new SurveyFileError(
      'NOT_A_TABLE',
      `the file is ${found[1]}: export the points as CSV or as a list of coordinates`,
    )
}

/**
 * What stands above the table: Excel's `sep=`, the reference system, titles, remarks and comments. A header may itself
 * begin with `#`; without one, the table begins at the first line with two numbers.
 */
export function readPrelude(sample: string): Prelude {
  const lines = firstLines(sample)
  const start = tableStart(lines.map(({ text }) => text))
  const prelude: Prelude = { length: 0, lines: 0, delimiter: undefined, crs: undefined, crsLine: undefined, titles: [] }
  for (const { text, end } of lines.slice(0, start)) {
    const separator = separatorOf(text)
    const crs = crsTextOf(text.trim())
    if (separator) prelude.delimiter = separator
    else if (crs && (prelude.crs === undefined || prelude.crs === DATUM)) Object.assign(prelude, { crs, crsLine: text })
    else if (text.trim() !== '') prelude.titles.push(text)
    prelude.lines++
    prelude.length = end
  }
  return prelude
}

function firstLines(sample: string): Line[] {
  const lines: Line[] = []
  for (let at = 0; at < sample.length && lines.length < MAX_LINES; ) {
    const end = sample.indexOf('\n', at)
    const next = end < 0 ? sample.length : end + 1
    lines.push({ text: sample.slice(at, end < 0 ? undefined : end), end: next })
    at = next
  }
  return lines
}

/** Which of the lines the table begins at: its header, else its first row, else the first line that is something. */
function tableStart(lines: string[]): number {
  // A header may name the system of its columns, as in `northing (EPSG:31467)`.
  const plain = lines.map(
    (line) => separatorOf(line) === undefined && (crsTextOf(line.trim()) === undefined || isHeaderLine(line)),
  )
  const data = lines.map((line, i) => plain[i]! && numbersIn(line) >= 2)
  const firstData = data.indexOf(true)
  const headers = lines.flatMap((line, i) => (plain[i] && isHeaderLine(line) ? [i] : []))
  // A line that speaks of the columns may stand above the header: the one next to the rows counts.
  const above = headers.filter((i) => firstData < 0 || data.slice(0, i).filter(Boolean).length < 2)
  const header =
    firstData < 0 ? above.find((i) => !lines[i]!.startsWith('#')) : above.filter((i) => i < firstData).at(-1)
  const only = header ?? above[0]
  if (only !== undefined) return only
  if (firstData < 0) {
    const first = lines.findIndex((line, i) => plain[i] && line.trim() !== '' && !line.trim().startsWith('#'))
    return first < 0 ? lines.length : first
  }
  // Words right above the first row, as many as it has fields, are a header nobody understood: it is for the caller to see.
  let last = firstData - 1
  while (last >= 0 && lines[last]!.trim() === '') last--
  const words = last >= 0 && plain[last] && sameCut(lines[last]!, lines[firstData]!)
  return words ? last : firstData
}

const cells = (line: string, separator: RegExp) => line.split(separator).map((cell) => cell.replace(/^\s*"|"\s*$/g, ''))
const separators = [/[;\t|]/, /,/, /\s+/]

/** The most cells of a line that are numbers, cut in any usual way; a comment has none. */
function numbersIn(line: string): number {
  if (line.length > MAX_DATA_LINE || line.trimStart().startsWith('#')) return 0
  return Math.max(...separators.map((separator) => cells(line.trim(), separator).filter(looksLikeNumber).length))
}

const sameCut = (words: string, row: string): boolean =>
  words.length <= MAX_DATA_LINE &&
  separators.some((separator, i) => {
    const [above, below] = [cells(words.trim(), separator), cells(row.trim(), separator)]
    return above.length === below.length && above.length > (i === 2 ? 2 : 1) && !above.some(looksLikeNumber)
  })

function separatorOf(line: string): Delimiter | undefined {
  return line.length > 20 ? undefined : (/^"?sep=([,;|\t])"?[ ,;]*$/i.exec(line)?.[1] as Delimiter | undefined)
}
