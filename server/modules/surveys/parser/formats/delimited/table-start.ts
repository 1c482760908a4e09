import { crsNameOf } from '../../../../reference-systems/crs-text.ts'
import { isHeaderLine } from '../../layout/columns.ts'
import { looksLikeNumber } from '../../rows/values/numbers.ts'

const MAX_DATA_LINE = 16 * 1024
/** A fraction that nobody writes in a remark. */
const MEASURED = /^[+-]?\d{1,9}[.,]\d{2,12}$/

/** A line above a table or of it: `text` is what may be either. */
export type TopLine = { kind: 'text' | 'comment' | 'blank' | 'other'; text: string }

/** Ways to cut a line whose delimiter is not known yet; blanks last. */
const separators = [/[;\t|]/, /,/, /\s+/]
const BLANKS = 2
const cells = (line: string, separator: RegExp) => line.split(separator).map((cell) => cell.replace(/^\s*"|"\s*$/g, ''))

/** The most cells of a line that are numbers, cut in any usual way. */
export function numbersIn(line: string): number {
  if (line.length > MAX_DATA_LINE) return 0
  return Math.max(...separators.map((separator) => cells(line.trim(), separator).filter(looksLikeNumber).length))
}

/**
 * Which line the table begins at. A line that names coordinates is the header. Without one, the first row is the first
 * line with two numbers, or a line above it that is cut as that one is. Under a header that was given with the file
 * every text is a row, but for a line that says `Coordinate system:`.
 */
export function tableStart(lines: readonly TopLine[], isHeaderGiven: boolean): number {
  const firstText = lines.findIndex(({ kind, text }) => kind === 'text' && !(isHeaderGiven && namesSystem(text)))
  const first = firstText < 0 ? lines.length : firstText
  if (isHeaderGiven) return first
  const data = lines.map(({ kind, text }) => kind === 'text' && numbersIn(text) >= 2)
  const firstData = data.indexOf(true)
  const header = headerAt(lines, data, firstData)
  if (header !== undefined) return header
  return firstData < 0 ? first : firstRow(lines, firstData)
}

const namesSystem = (text: string): boolean => crsNameOf(text)?.labelled === true

/** The header, if there is one: the first of several that are cut alike, and otherwise the one next to the rows. */
function headerAt(lines: readonly TopLine[], data: readonly boolean[], firstData: number): number | undefined {
  const headers = lines.flatMap(({ kind, text }, i) =>
    (kind === 'text' || kind === 'comment') && isHeaderLine(text) ? [i] : [],
  )
  const above = headers.filter((i) => firstData < 0 || data.slice(0, i).filter(Boolean).length < 2)
  const nearest =
    firstData < 0 ? above.find((i) => lines[i]!.kind === 'text') : above.filter((i) => i < firstData).at(-1)
  const found = nearest ?? above[0]
  if (found === undefined) return undefined
  const isSame = ({ kind, text }: TopLine) =>
    text === lines[found]!.text || (kind === 'text' && isAlike({ kind, text }, lines[found]!))
  return above.find((i) => i === found || isSame(lines[i]!))
}

/** Lines above the first with two numbers belong to the table while they are cut as that one: rows with a slip, and at last words that nobody understood. */
function firstRow(lines: readonly TopLine[], firstData: number): number {
  let start = firstData
  for (let i = firstData - 1; i >= 0; i--) {
    const { kind, text } = lines[i]!
    if (kind === 'blank' || kind === 'comment') continue
    if (kind !== 'text' || !isAlike(lines[i]!, lines[firstData]!)) break
    const found = alikeBy(text, lines[firstData]!.text).map((by) => cells(text.trim(), separators[by]!))
    const isWords = found.every((words) => !words.some(looksLikeNumber))
    const isSlip = found.some((words) => words.some((cell) => MEASURED.test(cell.trim())))
    // A remark of as many words as a row has cells is no row; where a sign parts the cells one number is enough.
    if (!isWords && !isSlip && !alikeBy(text, lines[firstData]!.text).some((by) => by !== BLANKS)) break
    start = i
    if (isWords) break
  }
  return start
}

/** The ways to cut two lines that give as many cells of both, more than one by signs and more than two by blanks. */
function alikeBy(one: string, other: string): number[] {
  if (one.length > MAX_DATA_LINE || other.length > MAX_DATA_LINE) return []
  return separators.flatMap((separator, by) => {
    const [above, below] = [cells(one.trim(), separator), cells(other.trim(), separator)]
    return above.length === below.length && above.length > (by === BLANKS ? 2 : 1) ? [by] : []
  })
}

const isAlike = (one: TopLine, other: TopLine): boolean => alikeBy(one.text, other.text).length > 0
