import { crsNameOf } from '../../../../reference-systems/crs-text.ts'
import { columnsOf, coordinateKinds, isHeaderLine } from '../../layout/columns.ts'
import { readAngle } from '../../rows/values/angles.ts'
import { looksLikeNumber } from '../../rows/values/numbers.ts'

const MAX_DATA_LINE = 16 * 1024
/** A fraction that does not occur in remarks. */
const MEASURED = /^[+-]?\d{1,9}[.,]\d{2,12}$/

/** Angles with a letter or a degree sign, and a fraction or separate parts: `E12` is a title. */
const ANGLE = /^(?=.*[NSEWO°º˚])(?=.*\d(?: ?[°º˚]|[.,:'′’ -]\d)).{3,64}$/i
const isFigure = (cell: string): boolean =>
  looksLikeNumber(cell) || (ANGLE.test(cell.trim()) && readAngle(cell, '.') !== undefined)

/** A line above a table or in it: `text` may be either. */
export type TopLine = { kind: 'text' | 'comment' | 'blank' | 'other'; text: string }

/** Delimiters to try before the delimiter is known; whitespace last. */
const separators = [/[;\t|]/, /[,，]/, /\s+/]
const BLANKS = 2
const cells = (line: string, separator: RegExp) => line.split(separator).map((cell) => cell.replace(/^\s*"|"\s*$/g, ''))

/** The largest number of numeric cells of a line, with any common delimiter. */
export function numbersIn(line: string): number {
  if (line.length > MAX_DATA_LINE) return 0
  return Math.max(...separators.map((separator) => cells(line.trim(), separator).filter(looksLikeNumber).length))
}

/** Whether a line has two numbers or angles; angles separated by blanks alone may be in a remark. */
const isData = (line: string): boolean =>
  numbersIn(line) >= 2 ||
  (line.length <= MAX_DATA_LINE &&
    separators.some((by, i) => i !== BLANKS && cells(line.trim(), by).filter(isFigure).length >= 2))

/**
 * Finds the line where the table begins. A line that names coordinates is the header. Without one, the first row is the
 * first line with two numbers or angles, or a line above it that splits alike. With a header line from the request every text is
 * a row, except a line `Coordinate system:`.
 */
export function tableStart(lines: readonly TopLine[], isHeaderGiven: boolean): number {
  const firstText = lines.findIndex(({ kind, text }) => kind === 'text' && !(isHeaderGiven && namesSystem(text)))
  const first = firstText < 0 ? lines.length : firstText
  if (isHeaderGiven) return first
  const data = lines.map(({ kind, text }) => kind === 'text' && isData(text))
  const firstData = data.indexOf(true)
  const header = headerAt(lines, data, firstData)
  if (header !== undefined) return header
  return firstData < 0 ? first : firstRow(lines, firstData)
}

const namesSystem = (text: string): boolean => crsNameOf(text)?.labelled === true && numbersIn(text) < 2

/** The header line, if any: the first of several that split alike, otherwise the one next to the rows. */
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
    text === lines[found]!.text ||
    (kind === 'text' && isAlike({ kind, text }, lines[found]!) && (namesPair(text) || !namesPair(lines[found]!.text)))
  return above.find((i) => i === found || isSame(lines[i]!))
}

/** Whether a line names two coordinates; `Position` above them is the upper half of a header of two lines. */
const namesPair = (line: string): boolean =>
  separators.some((separator) =>
    coordinateKinds(columnsOf(cells(line.trim(), separator))).some((kind) => kind !== 'position'),
  )

/**
 * Lines above the first with two numbers belong to the table while they split alike: rows with errors, or an unknown
 * header.
 */
function firstRow(lines: readonly TopLine[], firstData: number): number {
  let start = firstData
  for (let i = firstData - 1; i >= 0; i--) {
    const { kind, text } = lines[i]!
    if (kind === 'blank' || kind === 'comment') continue
    if (kind !== 'text' || !isAlike(lines[i]!, lines[firstData]!)) break
    const found = alikeBy(text, lines[firstData]!.text).map((by) => cells(text.trim(), separators[by]!))
    const isWords = found.every((words) => !words.some(isFigure))
    const isSlip = found.some((words) =>
      words.some((cell) => MEASURED.test(cell.trim()) || (isFigure(cell) && !looksLikeNumber(cell))),
    )
    // A remark with as many words as a row has cells is not a row; with a delimiter, one number suffices.
    if (!isWords && !isSlip && !alikeBy(text, lines[firstData]!.text).some((by) => by !== BLANKS)) break
    start = i
    if (isWords) break
  }
  return start
}

/** Delimiters that split both lines into the same number of cells: more than one, or more than two for whitespace. */
function alikeBy(one: string, other: string): number[] {
  if (one.length > MAX_DATA_LINE || other.length > MAX_DATA_LINE) return []
  return separators.flatMap((separator, by) => {
    const [above, below] = [cells(one.trim(), separator), cells(other.trim(), separator)]
    return above.length === below.length && above.length > (by === BLANKS ? 2 : 1) ? [by] : []
  })
}

const isAlike = (one: TopLine, other: TopLine): boolean => alikeBy(one.text, other.text).length > 0
