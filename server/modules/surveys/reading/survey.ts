import { foldName } from '../../../platform/names.ts'
import { columnsOf, isHeaderLine, type Role } from './columns.ts'
import { crsTextOf, loadCrsTable } from './crs.ts'
import { cut } from './cut.ts'
import { type Delimiter, readRecords, type SurveyRecord, sniffDelimiter } from './delimiter.ts'
import { decode, type Encoding } from './encoding.ts'
import { type RowFault, SurveyFileError, type WarningCode } from './faults.ts'
import { type InZone, type Layout, layoutOf } from './layout.ts'
import type { Decimal } from './numbers.ts'
import { pointReader, type SurveyPoint } from './point.ts'

export type SurveyOptions = {
  /** The reference system of the coordinates when the file names none, as `EPSG:n`. */
  crs?: string
  /** Whether a point lies in the zone the file is for: settles axis order, and what lies outside is warned of. */
  inZone?: InZone
  maxBytes?: number
  maxRows?: number
  /** Lines of the file, empty ones too. */
  maxLines?: number
  maxColumns?: number
}

export type Detected = {
  delimiter: Delimiter
  encoding: Encoding
  decimal: Decimal
  crs: string | null
  header: boolean
  /** What each column was taken for, by the header's own words or `column n`. */
  columns: Partial<Record<Role, string>>
}

/**
 * What reading gives, in the file's order. `row` counts data rows from 1, `line` is the line the row begins on. A
 * `repeat` is a further photo of a point already given, a `notice` concerns the whole file (gcp_list.txt); an encoding that turns out wrong late in the
 * file comes as a warning at the end.
 */
export type SurveyItem =
  | { kind: 'detected'; detected: Detected }
  | { kind: 'point'; row: number; line: number; point: SurveyPoint }
  | { kind: 'repeat'; row: number; line: number; title: string }
  | { kind: 'faulty'; row: number; line: number; title: string | null; faults: RowFault[] }
  | { kind: 'warning'; row: number; line: number; code: WarningCode; message: string }
  | { kind: 'notice'; code: WarningCode; message: string }

const SAMPLE_CHARACTERS = 64 * 1024
const SAMPLE_RECORDS = 50
const MEBIBYTE = 1024 * 1024

/**
 * Reads a file of survey points as tools and people write them: CSV with any usual delimiter, decimal sign, encoding
 * and header language, exports of survey controllers, lists made for photogrammetry. Coordinates come out in WGS84.
 * A row that cannot be read is given with its faults and does not stop the others. Holds a sample of 64 KiB and the
 * titles seen; the rest streams.
 * @throws SurveyFileError when the file as a whole cannot be read, also in mid-file (a quote never closed, a limit).
 */
export async function* readSurvey(
  bytes: AsyncIterable<Uint8Array>,
  options: SurveyOptions = {},
): AsyncGenerator<SurveyItem, void, undefined> {
  const { maxBytes = 50 * MEBIBYTE, maxRows = 200_000, maxLines = 400_000, maxColumns = 64 } = options
  const decoded = await decode(bytes, maxBytes)
  const sample = await takeSample(decoded.text)
  const prelude = readPrelude(sample)
  const delimiter =
    prelude.delimiter ?? sniffDelimiter(sample.slice(prelude.length, sample.lastIndexOf('\n') + 1 || undefined))
  const body = startingWith(sample.slice(prelude.length), decoded.text)
  const records = readRecords(body, delimiter, { firstLine: prelude.lines + 1, maxLines })
  const { first, rest } = await takeRecords(narrow(records, maxColumns))
  const crsText = prelude.crs ?? options.crs
  const namesSystems = columnsOf(first[0]?.fields ?? []).crs !== undefined
  const table = crsText || namesSystems ? await loadCrsTable() : undefined
  const layout = layoutOf(first, { crsText, table, inZone: options.inZone })
  yield { kind: 'detected', detected: describe(layout, delimiter, decoded.encoding) }
  if (layout.perPhoto) yield notice('IMAGE_POSITIONS_NOT_KEPT', 'the positions of the points in photos are not kept')

  const read = pointReader(layout, { table, inZone: options.inZone })
  const admit = admission(layout)
  let row = 0
  let heightTold = false
  for await (const { fields, line } of startingWith(layout.header ? first.slice(1) : first, rest)) {
    if (isComment(fields, layout)) continue
    row++
    if (row > maxRows) throw new SurveyFileError('TOO_MANY_ROWS', `the file has more than ${maxRows} rows`, line)
    const ragged = raggedFault(fields, layout)
    if (ragged) {
      yield { kind: 'faulty', row, line, title: null, faults: [ragged] }
      continue
    }
    const reading = read(fields)
    if ('faults' in reading) {
      yield { kind: 'faulty', row, line, title: reading.title, faults: reading.faults }
      continue
    }
    const verdict = admit(reading.point, row)
    if (verdict === 'repeat') yield { kind: 'repeat', row, line, title: reading.point.title }
    else if (verdict) yield { kind: 'faulty', row, line, title: reading.point.title, faults: [verdict] }
    else {
      for (const { code, message } of reading.warnings) yield { kind: 'warning', row, line, code, message }
      if (!heightTold && reading.point.h !== null && reading.point.verticalDatum !== 'ellipsoid') {
        heightTold = true
        yield notice(
          'HEIGHT_DATUM_UNKNOWN',
          'heights are kept as given: the file does not say that they are above the ellipsoid',
        )
      }
      yield { kind: 'point', row, line, point: reading.point }
    }
  }
  if (decoded.encoding === 'windows-1252') {
    yield notice('ENCODING_FALLBACK', 'the file is not UTF-8 and was read as windows-1252: check accented letters')
  }
}

const notice = (code: WarningCode, message: string): SurveyItem => ({ kind: 'notice', code, message })

async function takeSample(text: AsyncIterator<string>): Promise<string> {
  let sample = ''
  while (sample.length < SAMPLE_CHARACTERS) {
    const next = await text.next()
    if (next.done) break
    sample += next.value
  }
  return sample
}

/** The records as long as each keeps to the limit of columns; a comment is not cut into columns. */
async function* narrow(
  records: AsyncIterable<SurveyRecord>,
  maxColumns: number,
): AsyncGenerator<SurveyRecord, void, undefined> {
  for await (const record of records) {
    const { fields, line } = record
    if (fields.length > maxColumns && !fields[0]!.startsWith('#'))
      throw new SurveyFileError('TOO_MANY_COLUMNS', `line ${line} has more than ${maxColumns} columns`, line)
    yield record
  }
}

/** The first records, to see what the file is; a fault among them is thrown after them, by `rest`, or now if there are none. */
async function takeRecords(
  records: AsyncGenerator<SurveyRecord>,
): Promise<{ first: SurveyRecord[]; rest: AsyncIterable<SurveyRecord> }> {
  const first: SurveyRecord[] = []
  try {
    while (first.length < SAMPLE_RECORDS) {
      const next = await records.next()
      if (next.done) break
      first.push(next.value)
    }
  } catch (error) {
    if (first.length === 0) throw error
    return { first, rest: failing(error) }
  }
  return { first, rest: records }
}

async function* failing(error: unknown): AsyncGenerator<never, void, undefined> {
  yield* []
  throw error
}

async function* startingWith<T>(
  head: string | readonly T[],
  rest: AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  if (typeof head !== 'string') yield* head
  else if (head !== '') yield head as T
  yield* rest
}

type Prelude = { length: number; lines: number; delimiter: Delimiter | undefined; crs: string | undefined }

/** What stands above the table: Excel's `sep=`, the reference system, comments. A header may itself begin with `#`. */
function readPrelude(sample: string): Prelude {
  const prelude: Prelude = { length: 0, lines: 0, delimiter: undefined, crs: undefined }
  while (prelude.length < sample.length) {
    const end = sample.indexOf('\n', prelude.length)
    const line = sample.slice(prelude.length, end < 0 ? undefined : end).trim()
    const separator = /^"?sep=([,;|\t])"?$/i.exec(sample.slice(prelude.length, end < 0 ? undefined : end))?.[1]
    const crs = prelude.crs === undefined ? crsTextOf(line) : undefined
    if (separator) prelude.delimiter = separator as Delimiter
    else if (crs) prelude.crs = crs
    else if (line !== '' && !(line.startsWith('#') && !isHeaderLine(line))) break
    prelude.lines++
    prelude.length = end < 0 ? sample.length : end + 1
  }
  return prelude
}

function describe(layout: Layout, delimiter: Delimiter, encoding: Encoding): Detected {
  const named = Object.entries(layout.columns).map(([role, columns]) => [role, columns[0]!.name])
  return {
    delimiter,
    encoding,
    decimal: layout.decimal,
    crs: layout.crs?.name ?? null,
    header: layout.header,
    columns: Object.fromEntries(named),
  }
}

const isComment = (fields: readonly string[], layout: Layout): boolean =>
  fields[0]!.startsWith('#') && (layout.width === null || fields.length !== layout.width)

function raggedFault(fields: readonly string[], { width }: Layout): RowFault | undefined {
  if (width === null || fields.length === width) return undefined
  if (fields.length > width && fields.slice(width).every((field) => field.trim() === '' || field.trim() === '*'))
    return undefined
  const message = `the row has ${fields.length} ${fields.length === 1 ? 'field' : 'fields'} where ${width} are expected`
  return { column: null, value: null, code: 'RAGGED_ROW', message }
}

/**
 * Titles are unique in a file. In a list with one line per photo the same title or, without titles, the same place is
 * the same point again; untitled ones are named by their order.
 */
function admission(layout: Layout): (point: SurveyPoint, row: number) => RowFault | 'repeat' | undefined {
  const seen = new Map<string, number>()
  return (point, row) => {
    const untitled = point.title === ''
    const key = untitled ? `${point.latitude} ${point.longitude} ${point.h}` : foldName(point.title)
    const earlier = seen.get(key)
    if (earlier === undefined) {
      seen.set(key, row)
      if (untitled) point.title = `GCP ${seen.size}`
      return undefined
    }
    if (layout.perPhoto) return 'repeat'
    const message = `title "${cut(point.title, 60)}" is already used in row ${earlier}`
    return { column: layout.columns.title?.[0]?.name ?? 'title', value: point.title, code: 'DUPLICATE_TITLE', message }
  }
}
