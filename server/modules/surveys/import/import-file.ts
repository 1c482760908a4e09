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
  /** Two GCPs this close may not carry the same April tag. */
  tagMetres: number
  /** @throws 507 while the disk of the database is nearly full */
  mustHaveRoom: () => Promise<void>
}

/** Another run settles the same file: this one fails, so that it is tried again in case that one dies. */
export class Ahead extends Error {}

/** The file as a whole was refused; the message says why. */
export class Refused extends Error {}

/** So often in a row the process that reads a file may be killed before any of its rows was settled. */
const MAX_DEATHS = 3
export const MAX_MESSAGE = 500

/**
 * Settles the rows of a file that are not settled yet.
 * @throws SurveyFileError and Refused when it cannot be read; Ahead; any other error when this run does not come to its end
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
      if (outcome === 'ahead') throw new Ahead('Another run of this import is at work')
    }
  }
  return 'settled'
}

/**
 * Does work that needs the process that reads the file, again where it was when that process is killed, be it by an
 * operator or by a machine without memory. @throws Refused when the file makes it end, or it is killed each time before a row is settled
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
      if (why === 'memory')
        throw new Refused('The file needs more memory to be read than one file may take: cut it into several')
      if (why === 'late') throw new Refused('The file took too long to read: cut it into several')
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

const stopping = () => new Error('this process is stopping; another run goes on')

async function surveyOf({ objects, findZone }: ImportParts, upload: StoredUpload): Promise<SurveyFile> {
  const zone = await findZone(upload.zoneId)
  const bytes = bytesOf(objects, upload.objectKey)
  return { bytes, options: readingOptions(upload), boundary: zone?.boundary ?? null }
}

/** What the upload says of how it is to be read, without what it leaves open. */
const readingOptions = ({ crs, header, layer, angles, maxError, heightDatum }: StoredUpload) =>
  ReadingOptions.parse(
    Object.fromEntries(
      Object.entries({ crs, header, layer, angles, maxError, heightDatum }).filter(([, value]) => value !== null),
    ),
  )

/** The bytes of the file, opened when they are first asked for: a run may end before it reads. */
async function* bytesOf(objects: ImportParts['objects'], key: string): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = await objects.read(key)
  if (!bytes) throw new Refused('The file is no longer in storage: upload it again')
  yield* bytes as AsyncIterable<Uint8Array>
}

/** One line about the rows that failed, such as `12 of 340 rows failed; first: row 7 (line 9): latitude 91 is outside -90..90`. */
export async function failureLine(uploads: CsvStore, uploadId: string): Promise<string | undefined> {
  const summary = (await uploads.summary(uploadId))?.summary
  const first = summary && summary.failed > 0 ? await uploads.firstFailure(uploadId) : undefined
  if (!summary || !first) return undefined
  const cause = `row ${first.row} (line ${first.line}): ${first.faults[0]!.message}`
  return truncate(`${summary.failed} of ${summary.rows} rows failed; first: ${cause}`, MAX_MESSAGE)
}
