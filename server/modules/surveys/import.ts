import { databaseFault } from '../../platform/database/database-faults.ts'
import type { JobDefinition } from '../../platform/database/jobs.ts'
import { collectOldGarbage } from '../../platform/garbage.ts'
import type { Objects } from '../../platform/storage/objects.ts'
import type { Boundary } from '../zones/schema.ts'
import { nearZone } from '../zones/zone-shape.ts'
import { importSteps, preparedAhead, refusalOfFile } from './import-batches.ts'
import type { ImportStore } from './import-store.ts'
import { tagJudge } from './import-tags.ts'
import { cut } from './reading/cut.ts'
import { SurveyFileError } from './reading/faults.ts'
import { readSurvey, type SurveyItem } from './reading/survey.ts'
import type { CsvStore, StoredUpload } from './store.ts'

export const IMPORT_JOB = 'gcp-csv-import'

/** How far from its zone a point may lie without a warning: boundaries are drawn by hand. */
const ZONE_MARGIN_METRES = 5000
const MAX_MESSAGE = 500

type Parts = {
  uploads: CsvStore
  store: ImportStore
  findZone: (id: number) => Promise<{ boundary: Boundary | null } | undefined>
  objects: Pick<Objects, 'read'>
  /** Two GCPs this close may not carry the same April tag. */
  tagMetres: number
}

/** Another run settles the same file: this one fails, so that it is tried again in case that one dies. */
class Ahead extends Error {}

/** The file as a whole was refused; the message says why. */
class Refused extends Error {}

/**
 * The job that imports a file of survey points: streams it from storage and settles it in batches. A batch and the
 * progress it makes are one transaction, so that a killed run, started again, goes on after the last settled row and
 * ends in the same state.
 */
export function importJob(parts: Parts): JobDefinition<{ uploadId: string }> {
  const { uploads } = parts
  return {
    name: IMPORT_JOB,
    expireInSeconds: 3600,
    concurrency: 2,
    perGroup: 1,
    // Each run goes on where the one before was killed.
    retryLimit: 50,
    async run({ uploadId }, signal) {
      const upload = await uploads.get(uploadId)
      if (!upload || upload.status === 'COMPLETED' || upload.status === 'FAILED') return
      await uploads.settle(uploadId, 'PROCESSING', null)
      try {
        await importFile(parts, upload, signal)
        await uploads.settle(uploadId, 'COMPLETED', (await failureLine(uploads, uploadId)) ?? null)
      } catch (error) {
        const refusal = refusalOf(error)
        if (refusal === undefined && (signal.aborted || error instanceof Ahead || databaseFault(error))) throw error
        if (error instanceof SurveyFileError) await parts.store.addFindings(uploadId, [refusalOfFile(error)])
        await uploads.settle(uploadId, 'FAILED', refusal ?? 'The import stopped on an internal error')
        if (refusal === undefined) throw error
      }
    },
  }
}

function refusalOf(error: unknown): string | undefined {
  if (error instanceof Refused) return cut(error.message, MAX_MESSAGE)
  if (!(error instanceof SurveyFileError)) return undefined
  return cut(`${error.line === null ? '' : `line ${error.line}: `}${error.message}`, MAX_MESSAGE)
}

async function importFile(parts: Parts, upload: StoredUpload, signal: AbortSignal): Promise<void> {
  const { uploads, store } = parts
  const refused = upload.onError === 'abort' && !upload.dryRun && (await hasFaults(await survey(parts, upload)))
  const run = { ...upload, dryRun: upload.dryRun || refused }
  let tagColumn: string | null = null
  const judge = tagJudge(parts.tagMetres, { remembers: run.dryRun, column: () => tagColumn })
  const settled = await store.settledRows(upload.id)
  const collect = collectOldGarbage()
  for await (const step of preparedAhead(importSteps(await survey(parts, upload), run, settled))) {
    if (signal.aborted) throw new Error('this process is stopping; another run goes on')
    if ('detected' in step) {
      tagColumn = step.detected.columns.aprilTagId ?? null
      await uploads.saveDetected(upload.id, step.detected)
    } else if ('findings' in step) await store.addFindings(upload.id, step.findings)
    else {
      const outcome = await store.apply(step.batch, parts.tagMetres, judge)
      if (outcome === 'gone') return
      collect()
      if (outcome === 'ahead') throw new Ahead('Another run of this import is at work')
    }
  }
  if (!refused) return
  await uploads.noneApplied(upload.id)
  throw new Refused(`Nothing was imported: ${await failureLine(uploads, upload.id)}`)
}

async function survey({ objects, findZone }: Parts, upload: StoredUpload): Promise<AsyncGenerator<SurveyItem>> {
  const bytes = await objects.read(upload.objectKey)
  if (!bytes) throw new Refused('The file is no longer in storage: upload it again')
  const zone = await findZone(upload.zoneId)
  return readSurvey(bytes, {
    ...(upload.crs !== null && { crs: upload.crs }),
    ...(zone?.boundary && { inZone: nearZone(zone.boundary, ZONE_MARGIN_METRES) }),
  })
}

async function hasFaults(items: AsyncIterable<SurveyItem>): Promise<boolean> {
  for await (const item of items) if (item.kind === 'faulty') return true
  return false
}

/** One line about the rows that failed, such as `12 of 340 rows failed; first: row 7 (line 9): latitude 91 is outside -90..90`. */
async function failureLine(uploads: CsvStore, uploadId: string): Promise<string | undefined> {
  const summary = (await uploads.summary(uploadId))?.summary
  const first = summary && summary.failed > 0 ? await uploads.firstFailure(uploadId) : undefined
  if (!summary || !first) return undefined
  const cause = `row ${first.row} (line ${first.line}): ${first.faults[0]!.message}`
  return cut(`${summary.failed} of ${summary.rows} rows failed; first: ${cause}`, MAX_MESSAGE)
}
