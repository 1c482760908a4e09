import type { JobDefinition, Jobs } from '../../../platform/database/jobs/jobs.ts'
import { isFull, isUnavailable } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { Objects } from '../../../platform/storage/objects.ts'
import { verifiedStream } from '../../../platform/storage/verified-stream.ts'
import type { Tags } from '../../tags/index.ts'
import { type PhotoFacts, PhotoFault } from '../../tags/reading/photo-facts.ts'
import { inHundredths } from '../corners/quadrilateral.ts'
import type { UploadedFile } from '../schema.ts'
import type { PhotoRow, Within } from '../store.ts'
import type { CheckResult, CheckRun, CheckStore } from './check-store.ts'
import { publishChecked } from './publish-checked.ts'

export const CHECK_JOB = 'gcp-photo'

/** Maximum number of interrupted runs (killed processes) before a photo counts as unreadable. */
const MAX_ATTEMPTS = 5
/** Delay before a retry when the storage was unavailable or full. */
const AWAY_SECONDS = 10
/** Longer than reading a photo can take. */
const EXPIRE_SECONDS = 15 * 60

type Deps = {
  store: CheckStore
  /** A photo with each GCP that shows it. */
  photosOf: (trx: Within, fileId: number) => Promise<PhotoRow[]>
  shown: (row: PhotoRow) => UploadedFile
  objects: Pick<Objects, 'read'>
  readTags: Tags['read']
  jobs: Pick<Jobs, 'enqueue'>
  isShortForRows: () => Promise<boolean>
  log: Log
}

/** Requests the checks of new photos, in the transaction that adds them. */
export function requestChecks({ store, jobs }: Pick<Deps, 'store' | 'jobs'>) {
  return async (trx: Within, photos: { id: number; userId: string | null }[]): Promise<void> => {
    if (photos.length === 0) return
    await store.request(
      trx,
      photos.map(({ id }) => id),
    )
    for (const { id, userId } of photos)
      await jobs.enqueue(trx as Transaction, CHECK_JOB, { fileId: id }, userId === null ? {} : { group: userId })
  }
}

type Transaction = Parameters<Jobs['enqueue']>[0]

/**
 * The job that checks what a photo shows. A killed run leaves no result: the next one starts over. Of several concurrent
 * runs, the one that started last sets the result.
 */
export function checkJob(parts: Deps): JobDefinition<{ fileId: number }> {
  const { store, photosOf, shown, objects, readTags, jobs, isShortForRows, log } = parts

  /** Stores the result, and publishes the photo with each point that shows it. */
  const end = (fileId: number, run: CheckRun, result: CheckResult) =>
    store.transaction(async (trx) => {
      if (!(await store.end(trx, fileId, run, result))) return
      for (const row of await photosOf(trx, fileId)) await publishChecked(trx, shown(row))
    })

  const look = async ({ key, size, sha256 }: CheckRun, signal: AbortSignal): Promise<CheckResult> => {
    const stored = await objects.read(key)
    if (!stored) return { problem: 'The photo is missing from the storage: upload it again' }
    const bytes = verifiedStream(stored, sha256)
    try {
      return resultOf(await readTags({ bytes, size }, signal))
    } catch (error) {
      if (error instanceof PhotoFault) return { problem: error.message }
      throw error
    } finally {
      bytes.destroy()
    }
  }

  /** Does not count a run that was interrupted for a reason outside the photo. */
  const postpone = (fileId: number, run: CheckRun, inSeconds: number | undefined) =>
    store.transaction(async (trx) => {
      await store.uncount(trx, fileId, run)
      const group = run.userId === null ? {} : { group: run.userId }
      if (inSeconds) await jobs.enqueue(trx, CHECK_JOB, { fileId }, { ...group, inSeconds })
    })

  return {
    name: CHECK_JOB,
    waits: isShortForRows,
    expireInSeconds: EXPIRE_SECONDS,
    // A photo takes a processor for seconds, and half a gigabyte.
    concurrency: 1,
    // The check counts its interrupted runs, not the queue.
    retryLimit: 50,
    async run({ fileId }, signal) {
      const run = await store.begin(fileId)
      if (!run) return
      if (run.attempts > MAX_ATTEMPTS)
        return end(fileId, run, { problem: `The check was interrupted ${MAX_ATTEMPTS} times` })
      try {
        await end(fileId, run, await look(run, signal))
      } catch (error) {
        if (isUnavailable(error) || isFull(error)) {
          log.warn({ err: error, file: fileId }, 'the check of a photo waits for the storage')
          return postpone(fileId, run, AWAY_SECONDS)
        }
        if (signal.aborted) await postpone(fileId, run, undefined)
        throw error
      }
    },
  }
}

function resultOf({ width, height, tags, exif, quality }: PhotoFacts): CheckResult {
  const found = tags.map(({ id, corners: [a, b, c, d], centre, hamming, margin }) => ({
    id,
    family: 'tag36h11' as const,
    corners: [inHundredths(a), inHundredths(b), inHundredths(c), inHundredths(d)] as const,
    center: inHundredths(centre),
    hamming,
    margin: Math.round(margin * 10) / 10,
  }))
  return { width, height, exif, quality, tags: found.map((tag) => ({ ...tag, corners: [...tag.corners] })) }
}
