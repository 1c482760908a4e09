import { Readable } from 'node:stream'
import type { Pool } from 'pg'
import { ZipFile } from 'yazl'
import { HttpError } from '../../platform/errors.ts'
import type { Objects } from '../../platform/storage/objects.ts'
import type { OwnUrls } from '../../platform/storage/own-urls.ts'
import { EXPORT_PARTS, type ExportPart } from './export-parts.ts'

const PAGE = 500

type Json = Record<string, unknown>

/**
 * Exports all data held on a user as a ZIP: the JSON files of EXPORT_PARTS, the uploaded files, and a README. It is
 * generated while it is read, rows by pages and files in pieces, so its size does not matter.
 */
export function userExport({ pool, objects, ownUrls }: { pool: Pool; objects: Objects; ownUrls: OwnUrls }) {
  /** Reads the rows of a part in pages. Rows added meanwhile may be missing. */
  async function* pages({ table, columns, rows, key, without = [] }: ExportPart, userId: string) {
    let after: unknown[] | undefined
    for (;;) {
      const mine = columns.map((column) => `t.${column} = $1`).join(' or ')
      const further = after ? `and (${key.map((name) => `t.${name}`)}) > (${key.map((_name, i) => `$${i + 3}`)})` : ''
      const found = await pool.query<{ row: Json; at: string[] }>(
        `select to_jsonb(t) - $2::text[] as row, array[${key.map((name) => `t.${name}::text`)}] as at
           from ${rows ? `(${rows})` : table} t where (${mine}) ${further} order by ${key.map((name) => `t.${name}`)} limit ${PAGE}`,
        [userId, without, ...(after ?? [])],
      )
      if (found.rows.length > 0) yield found.rows.map(({ row }) => row)
      if (found.rows.length < PAGE) return
      after = found.rows.at(-1)!.at
    }
  }

  async function* asJson(part: ExportPart, userId: string) {
    let before = '[\n'
    for await (const rows of pages(part, userId)) {
      yield before + rows.map((row) => JSON.stringify(ownUrls.writtenIn(named(row)))).join(',\n')
      before = ',\n'
    }
    yield before === '[\n' ? '[]\n' : '\n]\n'
  }

  const addFiles = async (zip: ZipFile, userId: string, watch: (stream: Readable) => Readable) => {
    const part = { file: '', says: '', table: 'files', columns: ['user_id'], key: ['id'] }
    for await (const rows of pages(part, userId)) {
      for (const { id, key, file_name, created_at } of rows) {
        const size = await objects.size(String(key))
        if (size === undefined) continue
        const options = { size, compress: false, mtime: new Date(String(created_at)) }
        zip.addReadStreamLazy(`files/${id}/${file_name}`, options, (give) => {
          objects.read(String(key)).then(
            (stream) =>
              give(stream ? null : new Error('A file is missing from the storage'), watch(stream ?? Readable.from([]))),
            (error) => give(error, Readable.from([])),
          )
        })
      }
    }
  }

  const underWay = new Set<string>()

  /**
   * @param begin awaited before anything is read @returns the bytes of the ZIP; the stream breaks off if a part cannot
   * be read, so that an incomplete ZIP is never valid @throws 429 while the user's previous export is being read: each
   * takes a good part of a second
   */
  return async (userId: string, begin: () => Promise<void>): Promise<Readable> => {
    if (underWay.has(userId))
      throw new HttpError(429, 'Your previous export is still being sent: finish or cancel its download first', {
        'retry-after': '10',
      })
    underWay.add(userId)
    await begin().catch((error: unknown) => {
      underWay.delete(userId)
      throw error
    })
    const zip = new ZipFile()
    const output = zip.outputStream as Readable
    output.on('close', () => underWay.delete(userId))
    let reading: Readable | undefined
    const watch = (stream: Readable) => {
      reading = stream
      return stream.on('error', (error) => output.destroy(error))
    }
    // Release everything if the reader stops.
    output.on('close', () => reading?.destroy())
    zip.on('error', (error: Error) => output.destroy(error))

    zip.addBuffer(Buffer.from(readme()), 'README.txt')
    for (const part of EXPORT_PARTS)
      zip.addReadStreamLazy(part.file, (give) => give(null, watch(Readable.from(asJson(part, userId)))))
    addFiles(zip, userId, watch).then(
      () => zip.end(),
      (error) => output.destroy(error),
    )
    return output
  }
}

function readme(): string {
  const lines = EXPORT_PARTS.map(({ file, says }) => `${file.padEnd(18)} ${says}`)
  return `All data that this service holds about you.

${lines.join('\n')}
${'files/'.padEnd(18)} the files you uploaded, each in a folder named by its id

The JSON files are lists of records in UTF-8; times are in UTC.
`
}

/** Renames columns to the interface's names and writes times as it does. */
function named(row: Json): Json {
  const entries = Object.entries(row).map(([name, value]) => [
    name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
    typeof value === 'string' && /^\d{4,6}-\d\d-\d\dT[\d:.]+\+00:00$/.test(value) ? moment(value) : value,
  ])
  return Object.fromEntries(entries)
}

const moment = (text: string) => `${text.slice(0, 19)}.${(/\.(\d+)/.exec(text)?.[1] ?? '').slice(0, 3).padEnd(3, '0')}Z`
