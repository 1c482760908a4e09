import { databaseError } from '../../platform/database/database-errors.ts'
import type { JobDefinition, Jobs } from '../../platform/database/jobs/jobs.ts'
import { HttpError, isFull } from '../../platform/errors.ts'
import type { GuardedFetch } from '../../platform/outbound/guarded-fetch.ts'
import { FetchRefused } from '../../platform/outbound/https-request.ts'
import { ObjectExists, type Objects } from '../../platform/storage/objects.ts'
import type { UploadBudget } from '../uploads/limits/upload-budget.ts'
import { assertUnsettled } from './import/import.ts'
import { FETCH_JOBS, IMPORT_JOBS, type ImportKind, kindOf } from './queues.ts'
import type { CsvStore, StoredUpload } from './store.ts'

type Deps = {
  uploads: Pick<CsvStore, 'get' | 'settle' | 'fetched'>
  objects: Pick<Objects, 'put' | 'size' | 'remove'>
  outside: Pick<GuardedFetch, 'read'>
  /** Downloads count as uploads. */
  room: Pick<UploadBudget, 'open' | 'receive' | 'close'>
  /** Maximum bytes of a file, set by `outside`. */
  maxBytes: number
  /** Whether the disk has no space for that many bytes. */
  waits: () => Promise<boolean>
  jobs: Pick<Jobs, 'enqueue' | 'wake'>
}

/**
 * The job that downloads a survey file from another host. It stores the file under the key of its record and imports it
 * from there: neither a resumed nor a retried import asks the host again.
 * @param kind the kind of upload: each has its queue
 */
export function fetchJob(
  { uploads, objects, outside, room, maxBytes, waits, jobs }: Deps,
  kind: ImportKind = 'plain',
): JobDefinition<{ uploadId: string }> {
  const store = async ({ fileUrl, objectKey }: StoredUpload, signal: AbortSignal) => {
    if ((await objects.size(objectKey)) !== undefined) return
    const arrival = await room.open(maxBytes)
    const counted = async function* () {
      for await (const piece of outside.read(fileUrl, signal)) {
        room.receive(arrival, piece.length)
        yield piece
      }
    }
    try {
      await objects.put(counted(), { key: objectKey })
    } catch (error) {
      if (!(error instanceof ObjectExists)) throw error
    } finally {
      await room.close(arrival)
    }
  }

  return {
    name: FETCH_JOBS[kind],
    waits,
    expireInSeconds: 900,
    concurrency: 4,
    perGroup: 2,
    // As for the import: a run that was killed is repeated.
    retryLimit: 50,
    again: async ({ uploadId }) => assertUnsettled(await uploads.get(uploadId)),
    async run({ uploadId }, signal) {
      const upload = await uploads.get(uploadId)
      if (upload?.status !== 'PENDING') return
      try {
        await store(upload, signal)
      } catch (error) {
        if (isFull(error) && (await waits())) throw error
        const refusal = refusalOf(error)
        if (refusal === undefined && (signal.aborted || databaseError(error))) throw error
        // A record that no job works on must not stay open: its file could not be sent again.
        await uploads.settle(uploadId, 'FAILED', refusal ?? 'The file was not fetched: the service could not keep it')
        if (refusal === undefined) throw error
        return
      }
      const job = IMPORT_JOBS[kindOf(upload)]
      const isWanted = await uploads.fetched(uploadId, (transaction) =>
        jobs.enqueue(transaction, job, { uploadId }, { group: upload.userId ?? uploadId }),
      )
      if (isWanted) jobs.wake(job)
      else await objects.remove(upload.objectKey)
    },
  }
}

function refusalOf(error: unknown): string | undefined {
  if (error instanceof FetchRefused) return `The file was not fetched: ${error.message}`
  return error instanceof HttpError ? `The file was not fetched: ${error.message}` : undefined
}
