import { parse } from 'csv-parse'
import { parse as parseAll } from 'csv-parse/sync'
import { SurveyFileError } from '../../errors.ts'
import { columnsOf, coordinateKinds } from '../../layout/columns.ts'
import { pairRoles } from '../../layout/sample.ts'
import { isUtmReference } from '../../layout/utm/reference-cells.ts'
import { readAngle } from '../../rows/values/angles.ts'
import { looksLikeNumber } from '../../rows/values/numbers.ts'
import type { SurveyRecord } from '../../table.ts'
import { paced, withoutStacks } from './slices.ts'

/**
 * `whitespace` is any run of spaces and tabs, as in coordinate lists for photogrammetry; two spaces are a run of two or
 * more, as between the columns of a report whose words and titles have single ones.
 */
export type Delimiter = ',' | ';' | '\t' | '|' | '，' | '  ' | 'whitespace'

/** Whether columns are parted by spaces, of whatever number. */
export const isSpaces = (delimiter: Delimiter | null | undefined): boolean =>
  delimiter === '  ' || delimiter === 'whitespace'

const candidates: Delimiter[] = ['\t', ';', '|', ',', '，', '  ', 'whitespace']
const SNIFFED_RECORDS = 50
/** Zone, band, easting and northing, or their units, in one cell. */
const NUMBERS_IN_REFERENCE = 4
/** Limits the text inside an unclosed quote. */
const MAX_RECORD_CHARACTERS = 256 * 1024

const relaxed = (delimiter: string) => ({
  delimiter,
  record_delimiter: '\n',
  relax_column_count: true,
  relax_quotes: true,
  max_record_size: MAX_RECORD_CHARACTERS,
  // A quote after a delimiter and a space opens a field too; a tab is a delimiter itself.
  ltrim: delimiter !== '\t',
})

const splitWhitespace = (line: string): string[] =>
  [...line.matchAll(/"((?:[^"]|"")*)"(?=\s|$)|\S+/g)].map((m) =>
    m[1] === undefined ? m[0] : m[1].replaceAll('""', '"'),
  )

const splitWide = (line: string): string[] => line.trim().split(/ {2,}/)

/** The function that splits lines at spaces; undefined for other delimiters. */
const splitterOf = (delimiter: Delimiter) =>
  delimiter === 'whitespace' ? splitWhitespace : delimiter === '  ' ? splitWide : undefined

const areEven = (records: readonly string[][]): boolean =>
  records.every(({ length }) => length > 2 && length === records[0]!.length)

/** The number of meanings among the columns of a header. */
const meaningsIn = (header: readonly string[]): number => Object.keys(columnsOf(header)).length

/**
 * Whether all lines are the cells of a table with a header, some of which have single spaces. Not if only the texts at
 * the ends of rows have them, or if the single spaces of aligned columns part more columns with a meaning.
 */
function isWide(records: readonly string[][]): boolean {
  const [header] = records
  if (!header || !areEven(records) || records.some((cells) => cells.some((cell) => cell.includes('"')))) return false
  const columns = columnsOf(header)
  if (coordinateKinds(columns).length === 0) return false
  const end = header.length - 1
  const isTextLast = columns.description?.some(({ index }) => index === end) && !header[end]!.includes(' ')
  if (!records.some((cells) => cells.some((cell, at) => cell.includes(' ') && !(isTextLast && at === end))))
    return false
  const narrow = records.map((cells) => splitWhitespace(cells.join(' ')))
  return !areEven(narrow) || meaningsIn(narrow[0]!) <= meaningsIn(header)
}

const isRuler = (fields: readonly string[]): boolean => /^[-=_+ ]{3,}$/.test(fields.join(' '))

function sampleRecords(sample: string, delimiter: Delimiter): string[][] {
  const split = splitterOf(delimiter)
  if (split) return sample.split('\n', SNIFFED_RECORDS).map(split)
  try {
    return withoutStacks(() => parseAll(sample, { ...relaxed(delimiter), to: SNIFFED_RECORDS }))
  } catch {
    return []
  }
}

/** The number of numbers and angles in cells. */
const numbersAmong = (cells: readonly string[]): number =>
  cells.filter((cell) => looksLikeNumber(cell) || readAngle(cell, '.') !== undefined).length +
  NUMBERS_IN_REFERENCE * cells.filter(isUtmReference).length

/** Whether cells parted by spaces, or the parts of one at commas and semicolons, have two numbers: `A,1.5,2.5,"x, y"` is a row. */
const hasNumbers = (cells: readonly string[]): boolean =>
  [cells, ...cells.map((cell) => cell.split(/[,;]/))].some((parts) => parts.filter(looksLikeNumber).length >= 2)

/** Degrees, minutes and seconds between spaces, as no column of other numbers has them. */
const SEXAGESIMAL = /^[+−-]?\d{1,3} [0-5]?\d [0-5]?\d(?:\.\d+)?$/

/** Whether a cell is an angle of several parts: `N 33 27 30.12`, `-33 52 11.8`. */
const isAngle = (cell: string): boolean =>
  SEXAGESIMAL.test(cell.trim()) || (/\d\D+\d/.test(cell) && readAngle(cell, '.')?.hemisphere !== undefined)

/**
 * Detects the delimiter: among those that split at least half of the first 50 records into the same number of fields
 * (more than one), the one with a header of coordinates, then with the most numbers and angles, then with the most
 * fields. Respects quotes, and ignores spaces if tabs, semicolons or bars split the line.
 */
export function sniffDelimiter(sample: string): Delimiter {
  let best: { delimiter: Delimiter; numbers: number; score: number; even: boolean; angular: boolean } | undefined
  for (const delimiter of candidates) {
    const records = sampleRecords(sample, delimiter).filter(
      (fields) => fields.some((field) => field.trim() !== '') && !isRuler(fields),
    )
    if (delimiter === '  ' && !isWide(records)) continue
    const widths = new Map<number, number>()
    for (const { length } of records) if (length > 1) widths.set(length, (widths.get(length) ?? 0) + 1)
    const [width, count] = [...widths].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [0, 0]
    if (count * 2 < records.length || count === 0) continue
    if (delimiter === 'whitespace' && best?.even && (best.delimiter !== ',' || best.angular)) continue
    // Each tab of a row is a delimiter: more fields without more numbers are texts with spaces.
    if (delimiter === 'whitespace' && best?.delimiter === '\t' && best.numbers >= numbersAmong(records.flat())) continue
    const numbers = numbersAmong(records.flat())
    // `33 U 391776.00 m E 5820072.00 m N` has the letters of the axes between its numbers.
    const isRow = delimiter === 'whitespace' && hasNumbers(records[0]!)
    const header = !isRow && coordinateKinds(columnsOf(records[0]!)).length > 0 ? 1e9 : 0
    const score = header + numbers * 1000 + count * 10 + width
    const even = count === records.length && width > 2
    // The first may be a header.
    const angular = records.length > 1 && records.slice(1).every((cells) => cells.filter(isAngle).length > 1)
    if (!best || score > best.score) best = { delimiter, numbers, score, even, angular }
  }
  return best?.delimiter ?? ','
}

/** Splits one line into fields. */
export const cutLine = (line: string, delimiter: Delimiter): string[] => sampleRecords(line, delimiter)[0] ?? []

/** Splits a header line from the request by its own delimiter, which may differ from the file's. */
export const cutHeader = (header: string): string[] => cutLine(header, sniffDelimiter(header))

/**
 * The delimiter of a file with a header line from the request: that of the line or the file's own, whichever gives more
 * rows as wide as the header with numbers for coordinates.
 */
export function delimiterUnder(header: string, sample: string): Delimiter {
  const fields = cutHeader(header)
  const columns = columnsOf(fields)
  const places = coordinateKinds(columns).flatMap((kind) => pairRoles[kind].map((role) => columns[role]![0]!.index))
  const isFigure = (cell: string | undefined) =>
    cell !== undefined && (looksLikeNumber(cell) || readAngle(cell, '.') !== undefined)
  const score = (delimiter: Delimiter) => {
    const wide = sampleRecords(sample, delimiter).filter(
      (cells) => cells.length >= fields.length && cells.slice(fields.length).every((cell) => cell.trim() === ''),
    )
    return wide.length + wide.filter((cells) => places.every((at) => isFigure(cells[at]))).length
  }
  const [given, own] = [sniffDelimiter(header), sniffDelimiter(sample)]
  return given !== own && score(given) > 0 && score(given) >= score(own) ? given : own
}

/**
 * Yields the records of a text; quoted fields may hold delimiters and line ends. Empty lines are skipped but counted.
 * @throws SurveyFileError UNCLOSED_QUOTE or LINE_TOO_LONG with the line of the record, TOO_MANY_ROWS past `maxLines`,
 * after all records before it.
 */
export async function* readRecords(
  text: AsyncIterable<string>,
  delimiter: Delimiter,
  { firstLine, maxLines }: { firstLine: number; maxLines: number },
): AsyncGenerator<SurveyRecord, void, undefined> {
  let line = firstLine
  const slices = paced(text, firstLine, maxLines)
  const split = splitterOf(delimiter)
  const all = split ? readLines(slices, split) : separated(slices, delimiter)
  try {
    for await (const fields of all) {
      const start = line
      line++
      for (const field of fields) for (let at = field.indexOf('\n'); at >= 0; at = field.indexOf('\n', at + 1)) line++
      if (fields.some((field) => field.trim() !== '')) yield { fields, line: start }
    }
  } catch (error) {
    const code = (error as { code?: string }).code
    if (error instanceof LongLine || code === 'CSV_MAX_RECORD_SIZE') {
      const message = `line ${line} is longer than 256 KiB (or a quote on it is never closed)`
      throw new SurveyFileError('LINE_TOO_LONG', message, line)
    }
    if (code !== 'CSV_QUOTE_NOT_CLOSED') throw error
    throw new SurveyFileError('UNCLOSED_QUOTE', `a quote opened on line ${line} or soon after is never closed`, line)
  }
}

class LongLine extends Error {}

/** Yields every complete record before it throws an error in the text after it. */
async function* separated(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<string[], void, undefined> {
  const parser = parse(relaxed(delimiter))
  let failure: Error | undefined
  parser.on('error', (error) => {
    failure = error
  })
  // The parser limits the size of a record, not its number of fields.
  let held = 0
  for await (const piece of text) {
    const records = withoutStacks(() => {
      parser.write(piece)
      const whole: string[][] = []
      for (let fields = parser.read(); fields !== null; fields = parser.read()) whole.push(fields)
      return whole
    })
    yield* records
    if (failure) throw failure
    held = records.length > 0 ? 0 : held + piece.length
    if (held > MAX_RECORD_CHARACTERS) throw new LongLine()
  }
  parser.end()
  yield* parser
}

async function* readLines(
  text: AsyncIterable<string>,
  split: (line: string) => string[],
): AsyncGenerator<string[], void, undefined> {
  let held = ''
  for await (const piece of text) {
    const lines = (held + piece).split('\n')
    held = lines.pop()!
    for (const line of lines) yield split(line)
    if (held.length > MAX_RECORD_CHARACTERS) throw new LongLine()
  }
  if (held !== '') yield split(held)
}
