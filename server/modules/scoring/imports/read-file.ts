import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { HttpError, invalid } from '../../../platform/errors.ts'
import { exceedsDepth, formatBytes, MAX_BODY_LEVELS } from '../../../platform/http/bodies/body-limits.ts'
import { type Entry, type Fields, fieldsOf, type ScoreFormat } from './formats/format.ts'
import { SCORE_FORMATS } from './formats/index.ts'
import { MAX_FILE_BYTES, MAX_ROWS } from './schema.ts'

export type FormatName = ScoreFormat['name']
/** `line` is where the row begins in a CSV. */
export type FileRow = Entry & { row: number; line: number | null }
export type ScoreFile = { format: FormatName; rows: FileRow[] }

const SLICE_CHARACTERS = 16 * 1024
const ROWS_AT_A_TIME = 500

const refused = (message: string) => invalid([{ code: 'custom', message, path: ['file'] }])
const tooManyRows = () => new HttpError(413, `A file can have at most ${MAX_ROWS.toLocaleString('en')} rows: split it`)
const unknownForm = (format: FormatName | undefined) =>
  refused(
    format === undefined
      ? 'The file names no score and no player: it needs the columns player_name and score, or those of an export of PlayFab, Nakama or Talo'
      : `The file does not have the members or columns of the format ${format}: correct it, or leave out format`,
  )

/**
 * Reads a file of scores; pauses for other requests between slices. @param format by default the one that fits
 * @throws 400 for a file that cannot be read, 413 for one with more rows
 */
export async function readScoreFile(text: string, format?: FormatName): Promise<ScoreFile> {
  const formats = SCORE_FORMATS.filter(({ name }) => format === undefined || name === format)
  return /^\s*[[{]/.test(text) ? readDocument(text, formats, format) : readTable(text, formats, format)
}

/** The text of a file. @throws 400 if it is empty or not UTF-8, 413 if it is larger than allowed */
export async function readText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let size = 0
  let text = ''
  try {
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > MAX_FILE_BYTES)
        throw new HttpError(413, `A file can have at most ${formatBytes(MAX_FILE_BYTES)}: split it`)
      text += decoder.decode(chunk, { stream: true })
    }
    text += decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw refused('The file is not UTF-8: save it as UTF-8')
    throw error
  }
  if (text.trim() === '') throw refused('The file is empty')
  return text
}

async function readDocument(text: string, formats: ScoreFormat[], format?: FormatName): Promise<ScoreFile> {
  if (exceedsDepth(text, MAX_BODY_LEVELS)) throw refused(`The JSON has more than ${MAX_BODY_LEVELS} levels`)
  await setImmediate()
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw refused('The JSON is malformed')
  }
  await setImmediate()
  for (const { name, document: find } of formats) {
    const found = find(document)
    if (!found) continue
    if (found.entries.length > MAX_ROWS) throw tooManyRows()
    const rows: FileRow[] = []
    for (const one of found.entries) {
      rows.push({ ...found.entry(fieldsOf(one)), row: rows.length + 1, line: null })
      if (rows.length % ROWS_AT_A_TIME === 0) await setImmediate()
    }
    return { format: name, rows }
  }
  throw unknownForm(format)
}

async function readTable(text: string, formats: ScoreFormat[], format?: FormatName): Promise<ScoreFile> {
  const parser = parse({
    delimiter: delimiterOf(text),
    bom: true,
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: 256 * 1024,
  })
  const written = write(text, parser)
  let columns: string[] | undefined
  let entry: ((cells: Fields) => Entry) | undefined
  let name: FormatName | undefined
  const rows: FileRow[] = []
  let line = 1
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (!columns) {
        columns = record.map((column) => column.trim())
        const known = new Set(columns)
        for (const one of formats) {
          entry ??= one.table(known)
          if (entry) name ??= one.name
        }
        if (!entry) throw unknownForm(format)
      } else if (record.some((cell) => cell.trim() !== '')) {
        if (rows.length === MAX_ROWS) throw tooManyRows()
        const cells: Fields = {}
        for (let i = Math.min(columns.length, record.length) - 1; i >= 0; i--) cells[columns[i]!] = record[i]
        rows.push({ ...entry!(cells), row: rows.length + 1, line })
      }
      line = info.lines + 1
    }
  } catch (error) {
    parser.destroy()
    throw readable(error, line)
  } finally {
    await written
  }
  return { format: name!, rows }
}

async function write(text: string, parser: ReturnType<typeof parse>): Promise<void> {
  for (let at = 0; at < text.length && !parser.destroyed; ) {
    // No slice ends inside a surrogate pair.
    const end = at + SLICE_CHARACTERS + Number((text.charCodeAt(at + SLICE_CHARACTERS - 1) & 0xfc00) === 0xd800)
    if (!parser.write(text.slice(at, end)))
      await Promise.race(
        ['drain', 'close'].map((event) => new Promise<void>((done) => parser.once(event, () => done()))),
      )
    at = end
    await setImmediate()
  }
  if (!parser.destroyed) parser.end()
}

/** The delimiter that the header has most of. */
function delimiterOf(text: string): string {
  const header = /^[^\r\n]*/.exec(text.trimStart())![0]
  const count = (sign: string) => header.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

function readable(error: unknown, line: number): unknown {
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string' || !code.startsWith('CSV_')) return error
  const reason =
    code === 'CSV_MAX_RECORD_SIZE'
      ? 'the row is longer than 256 KiB, or a quote in it is never closed'
      : code === 'CSV_QUOTE_NOT_CLOSED'
        ? 'a quote in the row is never closed'
        : 'a quote in the row is not at the start or end of a cell, or not doubled'
  return refused(`The CSV is malformed on line ${line}: ${reason}`)
}
