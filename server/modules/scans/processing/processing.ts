import type { JobDefinition, Jobs } from '../../../platform/database/jobs/jobs.ts'
import { conflict, isFull, isUnavailable } from '../../../platform/errors.ts'
import type { JobDiskCheck } from '../../../platform/job-disk-check.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { Objects } from '../../../platform/storage/objects.ts'
import { GLB } from '../../../platform/storage/types/file-types.ts'
import { verifiedStream } from '../../../platform/storage/verified-stream.ts'
import { type Event, publishEvent } from '../../webhooks/outbox.ts'
import type { Moment, Surroundings } from '../enrichment/enrichment.ts'
import { WEATHER_JOB } from '../enrichment/weather-job.ts'
import type { ScanPresenters } from '../presenters.ts'
import type { ScanRow, ScanStore, Within } from '../store.ts'
import { type Inspection, ScanFault } from './inspection.ts'
import { contentsOf, keptNotes, placeOf, sentence } from './metadata.ts'
import type { ProcessingStore, Run } from './processing-store.ts'
import type { ScanInspector } from './scan-inspector.ts'

export const SCAN_JOB = 'scan'

/** Maximum number of interrupted runs (killed process, full disk) before a scan fails. */
const MAX_ATTEMPTS = 5
/** Delay before a retry when the storage was unavailable or full. */
const AWAY_SECONDS = 10
/** Longer than reading a file can take. */
const EXPIRE_SECONDS = 60 * 60

type Deps = {
  scans: Pick<ScanStore, 'get' | 'transaction'>
  store: ProcessingStore
  objects: Pick<Objects, 'put' | 'read' | 'remove'>
  /** Deletes new objects if the work fails to record them. @param keys may grow during the work */
  recorded: <T>(keys: string[], work: () => Promise<T>) => Promise<T>
  inspector: Pick<ScanInspector, 'inspect'>
  surroundings: Surroundings
  answers: Pick<ScanPresenters, 'event'>
  /** Requests the USDZ of a GLB, unless it exists. */
  requestUsdz: (sha256: string, options: { sender: string }) => Promise<void>
  jobs: Pick<Jobs, 'enqueue' | 'wake'>
  jobDiskCheck: Pick<JobDiskCheck, 'isShortForFiles' | 'assertSpaceForFiles'>
  log: Log
}

/** The job that processes scans. A killed run leaves no result: the next one starts over. Of several concurrent runs, the one that started last sets the result. */
export function scanJob(parts: Deps): JobDefinition<{ scanId: string }> {
  const { scans, store, objects, recorded, inspector, surroundings, answers, requestUsdz, jobs, jobDiskCheck, log } =
    parts
  const within = (trx: Within) => trx as Parameters<Jobs['enqueue']>[0]

  /** Sets the final state of a scan if this run is still current, and publishes it. @returns whether it did */
  const end = (id: string, run: Run, type: Event['type'], write: (trx: Within) => Promise<void>) =>
    scans.transaction(async (trx) => {
      if (!(await store.hold(trx, id, run))) return false
      await write(trx)
      const row = (await scans.get(id, trx))!
      await publishEvent(trx, { type, appId: row.appId, userId: row.userId, subject: id, data: answers.event(row) })
      return true
    })

  const fail = async (id: string, run: Run, fault: { code: string; message: string }) => {
    log.info({ scan: id, code: fault.code }, 'a scan failed')
    const { code } = fault
    await end(id, run, 'scan.failed', (trx) => store.fail(trx, id, { code, error: sentence(fault.message) }))
  }

  /** Stores the metadata and the preview; deletes the preview if the run is no longer current. */
  const keep = async (scan: ScanRow, run: Run, inspection: Inspection, signal: AbortSignal) => {
    const expected = placeOf(scan, inspection)
    const { weather, note } = await surroundings.weather(expected, signal)
    const { preview } = inspection
    await jobDiskCheck.assertSpaceForFiles()
    const keys: string[] = []
    const isKept = await recorded(keys, async () => {
      if (preview) keys.push((await objects.put(onePiece(preview.bytes), { extension: 'webp' })).key)
      return end(scan.id, run, 'scan.completed', async (trx) => {
        const place = placeOf((await scans.get(scan.id, trx))!, inspection)
        const isAsExpected = sameMoment(place, expected)
        const contents = contentsOf(inspection)
        await store.complete(trx, scan.id, {
          ...contents,
          ...place,
          ...(await surroundings.of(place)),
          notes: keptNotes([...contents.notes, ...(note && isAsExpected ? [note] : [])]),
          weather: isAsExpected ? weather : null,
          previewKey: keys[0] ?? null,
        })
        // The scan was moved while the weather was requested.
        if (!isAsExpected && surroundings.hasWeather && place.lat !== null) {
          const { lat, long, timestamp } = place
          await jobs.enqueue(within(trx), WEATHER_JOB, { scanId: scan.id, lat, long, timestamp })
        }
      })
    })
    if (!isKept) for (const key of keys) await objects.remove(key)
  }

  /** Does not count a run that was interrupted for a reason outside the file. */
  const postpone = (scan: ScanRow, run: Run, inSeconds: number | undefined) =>
    scans.transaction(async (trx) => {
      await store.uncount(trx, scan.id, run)
      if (inSeconds) await jobs.enqueue(within(trx), SCAN_JOB, { scanId: scan.id }, { group: scan.userId, inSeconds })
    })

  const look = async (scan: ScanRow, signal: AbortSignal): Promise<Inspection> => {
    const { fileKey, fileSize: size, fileName, mimeType, sha256 } = scan
    const read = await objects.read(fileKey)
    if (!read) throw new Gone('The file is missing from the storage: upload it again')
    const bytes = verifiedStream(read, sha256)
    try {
      return await inspector.inspect({ bytes, size, fileName, mimeType }, signal)
    } finally {
      bytes.destroy()
    }
  }

  return {
    name: SCAN_JOB,
    waits: () => jobDiskCheck.isShortForFiles(),
    expireInSeconds: EXPIRE_SECONDS,
    concurrency: 2,
    // Fair scheduling: a sender of many scans does not delay others.
    perGroup: 1,
    // The scan counts its interrupted runs, not the queue.
    retryLimit: 50,
    async prepareRetry({ scanId }, transaction) {
      const scan = await scans.get(scanId, transaction)
      if (!scan || scan.status === 'COMPLETED') throw conflict('The scan has already been processed or deleted')
      if (scan.status === 'FAILED') throw conflict(`Retry the scan instead: POST /api/v1/user/scans/${scanId}/retry`)
    },
    async run({ scanId }, signal) {
      const run = await store.begin(scanId)
      const scan = run && (await scans.get(scanId))
      if (!scan) return
      if (run.attempts > MAX_ATTEMPTS)
        return fail(scanId, run, {
          code: 'given_up',
          message: `Processing was interrupted ${MAX_ATTEMPTS} times: retry it later`,
        })
      try {
        if (scan.mimeType === GLB.mimeType) await requestUsdz(scan.sha256, { sender: scan.userId })
        await keep(scan, run, await look(scan, signal), signal)
      } catch (error) {
        if (error instanceof ScanFault) return fail(scanId, run, error)
        if (error instanceof Gone) return fail(scanId, run, { code: 'gone', message: error.message })
        if (isUnavailable(error) || isFull(error)) {
          log.warn({ err: error, scan: scanId }, 'a scan waits for the storage')
          return postpone(scan, run, AWAY_SECONDS)
        }
        if (signal.aborted) await postpone(scan, run, undefined)
        throw error
      }
    },
  }
}

/** The object of a file is missing. */
class Gone extends Error {}

const sameMoment = (a: Moment, b: Moment) => a.lat === b.lat && a.long === b.long && a.timestamp === b.timestamp

async function* onePiece(bytes: Uint8Array) {
  yield bytes
}
