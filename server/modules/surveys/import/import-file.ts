import { exitCause } from '../../../platform/sandbox/worker-process.ts'
import type { Objects } from '../../../platform/storage/objects.ts'
import { truncate } from '../parser/truncate.ts'
import type { SurveyFile, SurveyReaders } from '../process/survey-reader.ts'
import { ReadingOptions } from '../schema.ts'
import type { CsvStore, StoredUpload } from '../store.ts'
import type { ImportStore, TagJudge } from './import-store.ts'
import { tagJudge } from './import-tags.ts'

export type ImportParts = {
  uploads: CsvStore
  store: ImportStore
  findZone: (id: number) => Promise<{ boundary: string | null } | undefined>
  objects: Pick<Objects, 'read'>
  readers: SurveyReaders
  /** Conflict distance: two GCPs this close may not have the same AprilTag. */
  tagMetres: number
  /** @throws 507 while the disk of the database is nearly full */
  mustHaveRoom: () => Promise<void>
}

/** Another run works on the same file: this run fails, so that the queue retries it in case the other dies. */
export class Ahead extends Error {}

/** The whole file was refused; the message has the reason. */
export class Refused extends Error {}

/** How many times in a row the reader process may be killed before it commits a row. */
const MAX_DEATHS = 3
export const MAX_MESSAGE = 500

/**
 * Imports the rows of a file that are not committed yet.
 * @throws SurveyFileError and Refused if the file cannot be read; Ahead; any other error if this run cannot finish
 */
export async function importFile(parts: ImportParts, upload: StoredUpload, signal: AbortSignal): Promise<void> {
  const { uploads, readers } = parts
  const isFaulty = async () => readers.isFaulty(await surveyOf(parts, upload), signal)
  const refused = upload.onError === 'abort' && !upload.dryRun && (await outliving(parts, upload, signal, isFaulty))
  const run = { ...upload, dryRun: upload.dryRun || refused }
  let tagColumn: string | null = null
  const judge = tagJudge(parts.tagMetres, { remembers: run.dryRun, column: () => tagColumn })
  const settle = () =>
    settleRows(parts, run, judge, signal, (column) => {
      tagColumn = column
    })
  const outcome = await outliving(parts, upload, signal, settle)
  if (!refused || outcome === 'gone') return
  await uploads.noneApplied(upload.id)
  throw new Refused(`Nothing was imported: ${await failureLine(uploads, upload.id)}`)
}

async function settleRows(
  parts: ImportParts,
  upload: StoredUpload,
  judge: TagJudge,
  signal: AbortSignal,
  onTagColumn: (name: string | null) => void,
): Promise<'settled' | 'gone'> {
  const { uploads, store, readers, tagMetres } = parts
  const { id: uploadId, zoneId, dryRun } = upload
  const settled = await store.settledRows(uploadId)
  for await (const step of readers.steps(await surveyOf(parts, upload), settled, signal)) {
    if (signal.aborted) throw stopping()
    await parts.mustHaveRoom()
    if ('detected' in step) {
      onTagColumn(step.detected.columns.aprilTagId ?? null)
      await uploads.saveDetected(uploadId, step.detected)
    } else if ('findings' in step) await store.addFindings(uploadId, step.findings)
    else {
      const outcome = await store.apply({ ...step.batch, uploadId, zoneId, dryRun }, tagMetres, judge)
      if (outcome === 'gone') return outcome
      if (outcome === 'ahead') throw new Ahead('Another run of this import is active')
    }
  }
  return 'settled'
}

/**
 * Runs work in the reader process, and resumes it if that process is killed by an operator or for lack of memory.
 * @throws Refused if the file ends the process, or if it is killed repeatedly before it commits a row
 */
async function outliving<T>(
  { store }: ImportParts,
  { id }: StoredUpload,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  let settled = await store.settledRows(id)
  for (let deaths = 0; ; ) {
    try {
      return await work()
    } catch (error) {
      const why = exitCause(error)
      if (why !== undefined && signal.aborted) throw stopping()
      if (why === 'memory') throw new Refused('The file needs more memory than one file may use: split it')
      if (why === 'late') throw new Refused('The file took too long to read: split it')
      if (why !== 'killed') throw error
      const before = settled
      settled = await store.settledRows(id)
      deaths = settled > before ? 1 : deaths + 1
      if (deaths === MAX_DEATHS)
        throw new Refused(
          `The process that reads the file was killed ${MAX_DEATHS} times after row ${settled}: the machine may lack memory; retry the import when it has more`,
        )
    }
  }
}

const stopping = () => new Error('this process is stopping; another run resumes the import')

async function surveyOf({ objects, findZone, store }: ImportParts, upload: StoredUpload): Promise<SurveyFile> {
  const boundary = (await findZone(upload.zoneId))?.boundary ?? null
  const nearby = boundary === null ? await store.otherPoints(upload) : null
  return { bytes: bytesOf(objects, upload.objectKey), options: readingOptions(upload), boundary, nearby }
}

/** The options of the upload that are set. */
const readingOptions = ({ crs, header, layer, angles, maxError, heightDatum, swapAxes }: StoredUpload) =>
  ReadingOptions.parse(
    Object.fromEntries(
      Object.entries({ crs, header, layer, angles, maxError, heightDatum, swapAxes: String(swapAxes) }).filter(
        ([, value]) => value !== null,
      ),
    ),
  )

/** The bytes of the file, opened on first use: a run may end before it reads. */
async function* bytesOf(objects: ImportParts['objects'], key: string): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = await objects.read(key)
  if (!bytes) throw new Refused('The file is no longer in the storage: upload it again')
  yield* bytes as AsyncIterable<Uint8Array>
}

/**
 * One line about the rows that failed, such as
 * `12 of 340 rows failed; first: row 7 (line 9): latitude 91 is outside -90..90`.
 */
export async function failureLine(uploads: CsvStore, uploadId: string): Promise<string | undefined> {
  const summary = (await uploads.summary(uploadId))?.summary
  const first = summary && summary.failed > 0 ? await uploads.firstFailure(uploadId) : undefined
  if (!summary || !first) return undefined
  const cause = `row ${first.row} (line ${first.line}): ${first.faults[0]!.message}`
  return truncate(`${summary.failed} of ${summary.rows} rows failed; first: ${cause}`, MAX_MESSAGE)
}
