import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_SURVEY_BYTES, ReadingOptions, type Report } from '../../modules/surveys/schema.ts'
import { counted, type Group, JSON_OUTPUT, PROGRESS, printResult } from '../command.ts'
import { type App, readOptions, UsageError, withApp } from '../context.ts'
import { createProgress } from '../progress.ts'

/** Options for what the file does not define, named as in `ReadingOptions`. */
const READING = {
  crs: { type: 'string' },
  header: { type: 'string' },
  layer: { type: 'string' },
  angles: { type: 'string' },
  'height-datum': { type: 'string' },
  'max-error': { type: 'string' },
  'swap-axes': { type: 'boolean' },
} as const

const LOOK_MS = 250
/** Maximum number of printed findings; the report has all of them. */
const SHOWN = 20

/** Imports a file like a registered upload; this process or another worker runs the job. */
async function run(args: string[]) {
  const { values, positionals } = readOptions(args, {
    zone: { type: 'string' },
    user: { type: 'string' },
    ...READING,
    'dry-run': { type: 'boolean' },
    abort: { type: 'boolean' },
    ...PROGRESS,
    ...JSON_OUTPUT,
  })
  const [file, ...more] = positionals
  if (!file || more.length > 0) throw new UsageError('Name the file')
  const zoneId = Number(values.zone)
  if (!values.zone || !Number.isSafeInteger(zoneId) || zoneId < 1) throw new UsageError('Name the zone: --zone ID')
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new Error(`"${file}" ${found ? 'is not a file' : 'cannot be read'}`)
  const { size } = found
  if (size > MAX_SURVEY_BYTES)
    throw new Error(`"${file}" has ${size} bytes; a survey file can have at most ${MAX_SURVEY_BYTES}`)
  const reading = ReadingOptions.safeParse({
    ...values,
    heightDatum: values['height-datum'],
    maxError: values['max-error'],
    swapAxes: values['swap-axes'] ? 'true' : undefined,
  })
  if (!reading.success) {
    const { path, message } = reading.error.issues[0]!
    throw new UsageError(`${asFlag(String(path[0]))}: ${message}`)
  }
  const progress = createProgress(values)

  await withApp(async (app) => {
    const user = values.user ? await userOf(app, values.user) : undefined
    await app.jobs.start({ work: true })
    try {
      const upload = await app.operator.imports.register({
        bytes: createReadStream(file),
        fileName: basename(file),
        zoneId,
        userId: user?.id,
        options: { dryRun: values['dry-run'] ?? false, onError: values.abort ? 'abort' : 'skip', ...reading.data },
      })
      const done = await followed(app, upload.id, (line) => progress.show(line))
      progress.end()
      const report = (await json(Readable.from(await app.operator.imports.report(upload.id)))) as Report
      const dry = values['dry-run'] ? ' (a dry run: nothing was written)' : ''
      const head = `${done.status}: ${counted(done.processedRows ?? 0, 'row')} of ${done.rowCount ?? 0}${dry}${done.errorMessage ? `. ${asOption(done.errorMessage)}` : ''}`
      const lines = report.rows
        .slice(0, SHOWN)
        .map(
          ({ row, line, errors }) =>
            `  ${row === null ? 'the file' : `row ${row} (line ${line})`}: ${errors.map(({ message }) => asOption(message)).join('; ')}`,
        )
      printResult(values, { ...done, report }, [head, ...lines].join('\n'))
      if (done.status === 'FAILED') process.exitCode = 1
      else if (done.errorMessage) process.exitCode = 3
    } finally {
      progress.end()
      await app.jobs.stop()
      await app.endReaders()
    }
  })
}

/** The record of an import is the same for all readers, and names the parameter of a request. */
const asOption = (sentence: string) =>
  sentence.replace(/\b(crs|header|layer|angles|heightDatum|maxError)=/g, (_, name: string) => `${asFlag(name)} `)

const asFlag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

async function followed(app: App, id: string, show: (line: string) => void) {
  for (;;) {
    const upload = await app.operator.imports.get(id)
    if (upload.status === 'COMPLETED' || upload.status === 'FAILED') return upload
    show(`${upload.status.toLowerCase()}: ${upload.processedRows ?? 0} of ${upload.rowCount ?? '?'} rows`)
    await sleep(LOOK_MS)
  }
}

async function userOf(app: App, name: string) {
  const found = await app.operator.findUser(name)
  if (!found) throw new Error(`There is no user "${name}": name a login, a local user, or a user's id`)
  return found
}

export const IMPORTING: Group = {
  title: 'Survey import',
  commands: [
    {
      words: 'import-gcps',
      usage:
        'FILE --zone ID [--user NAME] [--crs CODE] [--layer NAME] [--header LINE] [--angles KIND] [--height-datum NAME] [--max-error METRES] [--swap-axes] [--dry-run] [--abort] [--progress] [--json]',
      summary: 'import a file of survey points into a zone',
      about:
        'Like POST /api/gcp/upload, with the same columns, encodings and reference systems (docs/surveys.md), and a record in\nthe service. Rows are matched by title, so importing again changes nothing. Bad rows do not stop the others.',
      options: [
        ['FILE', 'a survey file in a format of docs/surveys.md, at most 50 MiB'],
        ['--zone ID', 'the zone'],
        ['--user NAME', 'the owner of the points: by default the owner of the zone'],
        ['--crs CODE', 'the reference system of a file that names none, e.g. EPSG:25833'],
        ['--layer NAME', 'the layer or sheet, of a file that has several'],
        ['--header LINE', 'a header line, which replaces that of the file'],
        ['--angles KIND', 'decimal, or dms-packed for packed degrees, minutes and seconds'],
        ['--height-datum NAME', 'the height reference: ellipsoid, EGM96, EPSG:7837, unknown'],
        ['--max-error METRES', 'the largest error that the transformation to WGS84 may have'],
        ['--swap-axes', 'exchange the coordinates of rows that are only valid in the other order'],
        ['--dry-run', 'read and check everything, write only the report'],
        ['--abort', 'import nothing if a row is bad'],
      ],
      examples: [
        ['cairn import-gcps points.csv --zone 12 --dry-run', 'shows the result in advance'],
        ['cairn import-gcps points.txt --zone 12 --crs EPSG:25833 --progress', 'projected coordinates, in a script'],
      ],
      exits: [[3, 'imported, except for the rows that are listed']],
      run,
    },
  ],
}
