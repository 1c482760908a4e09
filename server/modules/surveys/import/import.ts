import { databaseError } from '../../../platform/database/database-errors.ts'
import type { JobDefinition } from '../../../platform/database/jobs/jobs.ts'
import { conflict, isFull, isUnavailable } from '../../../platform/errors.ts'
import { WAITS_FOR_DISK } from '../../../platform/job-disk-check.ts'
import { SurveyFileError } from '../parser/errors.ts'
import { truncate } from '../parser/truncate.ts'
import { createSurveyReaderPool, type SurveyReaders } from '../process/survey-reader.ts'
import { IMPORT_JOBS, type ImportKind } from '../queues.ts'
import { refusalOfFile } from './import-batches.ts'
import { Ahead, failureLine, type ImportParts, importFile, MAX_MESSAGE, Refused } from './import-file.ts'

/**
 * The job that imports a survey file in batches. A batch and its progress are one transaction: a run after a kill
 * resumes after the last committed row and ends in the same state.
 * @param kind the kind of upload: each has its queue
 */
export function importJob(
  {
    readers = createSurveyReaderPool(),
    waits,
    ...others
  }: Omit<ImportParts, 'readers'> & { readers?: SurveyReaders } & Pick<JobDefinition<object>, 'waits'>,
  kind: ImportKind = 'plain',
): JobDefinition<{ uploadId: string }> {
  const parts = { ...others, readers }
  const { uploads, store } = parts
  return {
    name: IMPORT_JOBS[kind],
    ...(waits && { waits }),
    expireInSeconds: 3600,
    concurrency: kind === 'plain' ? 2 : 1,
    perGroup: 1,
    // Runs resume where the last one was interrupted: retry each minute for a day.
    retryLimit: 1500,
    prepareRetry: async ({ uploadId }) => assertUnsettled(await uploads.get(uploadId)),
    async run({ uploadId }, signal) {
      const upload = await uploads.get(uploadId)
      if (!upload || upload.status === 'COMPLETED' || upload.status === 'FAILED') return
      await uploads.settle(uploadId, 'PROCESSING', null)
      try {
        await importFile(parts, upload, signal)
        await uploads.settle(uploadId, 'COMPLETED', (await failureLine(uploads, uploadId)) ?? null)
      } catch (error) {
        if (isFull(error)) await uploads.settle(uploadId, 'PROCESSING', WAITS_FOR_DISK)
        const refusal = refusalOf(error)
        if (refusal === undefined && (signal.aborted || error instanceof Ahead || isAway(error))) throw error
        if (error instanceof SurveyFileError) await store.addFindings(uploadId, [refusalOfFile(error)])
        await uploads.settle(uploadId, 'FAILED', refusal ?? 'The import stopped on an internal error')
        if (refusal === undefined) throw error
      }
    },
  }
}

/** Refuses to run the job of an import that has ended. @throws 409 */
export function assertUnsettled(upload: { id: string; status: string } | undefined): void {
  if (!upload || upload.status === 'COMPLETED') throw conflict('The import has already completed or been deleted')
  if (upload.status === 'FAILED') throw conflict(`Retry the import instead: POST /api/gcp/upload/${upload.id}/retry`)
}

/** Failures of the database, its disk or the storage: the next run resumes. */
const isAway = (error: unknown): boolean => databaseError(error) !== undefined || isUnavailable(error) || isFull(error)

function refusalOf(error: unknown): string | undefined {
  if (error instanceof Refused) return truncate(error.message, MAX_MESSAGE)
  if (!(error instanceof SurveyFileError)) return undefined
  return truncate(
    `${error.line === null || error.message.startsWith('line ') ? '' : `line ${error.line}: `}${error.message}`,
    MAX_MESSAGE,
  )
}
