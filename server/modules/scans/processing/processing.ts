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

/** Runs that may break off (the process was killed, the disk was full) before a scan is given up. */
const MAX_ATTEMPTS = 5
/** How soon it is tried again when the storage was away, or had no room. */
const AWAY_SECONDS = 10
/** More than reading a file may ever take. */
const EXPIRE_SECONDS = 60 * 60

type Deps = {
  scans: Pick<ScanStore, 'get' | 'transaction'>
  store: ProcessingStore
  objects: Pick<Objects, 'put' | 'read' | 'remove'>
  /** Removes new objects that the work did not make known. @param keys may grow meanwhile */
  recorded: <T>(keys: string[], work: () => Promise<T>) => Promise<T>
  inspector: Pick<ScanInspector, 'inspect'>
  surroundings: Surroundings
  answers: Pick<ScanPresenters, 'event'>
  /** Asks for the USDZ of a GLB, unless there is one. */
  requestUsdz: (sha256: string, options: { sender: string }) => Promise<void>
  jobs: Pick<Jobs, 'enqueue' | 'wake'>
  room: Pick<JobDiskCheck, 'isShortForFiles' | 'assertSpaceForFiles'>
  log: Log
}

/** The job that looks into scans. A run that was killed leaves nothing that counts: the next one begins anew, and of several that run at once the one that began last ends it. */
export function scanJob(parts: Deps): JobDefinition<{ scanId: string }> {
  const { scans, store, objects, recorded, inspector, surroundings, answers, requestUsdz, jobs, room, log } = parts
  const within = (trx: Within) => trx as Parameters<Jobs['enqueue']>[0]

  /** Ends a scan, if this run still counts, and tells who wants to know. @returns whether it did */
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

  /** What was found, and the preview as an object; nothing of it stays when the run does not count any more. */
  const keep = async (scan: ScanRow, run: Run, inspection: Inspection, signal: AbortSignal) => {
    const expected = placeOf(scan, inspection)
    const { weather, note } = await surroundings.weather(expected, signal)
    const { preview } = inspection
    await room.assertSpaceForFiles()
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
        // Its owner moved it while the weather was asked for.
        if (!isAsExpected && surroundings.hasWeather && place.lat !== null) {
          const { lat, long, timestamp } = place
          await jobs.enqueue(within(trx), WEATHER_JOB, { scanId: scan.id, lat, long, timestamp })
        }
      })
    })
    if (!isKept) for (const key of keys) await objects.remove(key)
  }

  /** A run that broke off through no fault of the file counts for nothing. */
  const postpone = (scan: ScanRow, run: Run, inSeconds: number | undefined) =>
    scans.transaction(async (trx) => {
      await store.giveBack(trx, scan.id, run)
      if (inSeconds) await jobs.enqueue(within(trx), SCAN_JOB, { scanId: scan.id }, { group: scan.userId, inSeconds })
    })

  const look = async (scan: ScanRow, signal: AbortSignal): Promise<Inspection> => {
    const { fileKey, fileSize: size, fileName, mimeType, sha256 } = scan
    const read = await objects.read(fileKey)
    if (!read) throw new Gone('The bytes of the file are gone from the storage: upload it again')
    const bytes = verifiedStream(read, sha256)
    try {
      return await inspector.inspect({ bytes, size, fileName, mimeType }, signal)
    } finally {
      bytes.destroy()
    }
  }

  return {
    name: SCAN_JOB,
    waits: () => room.isShortForFiles(),
    expireInSeconds: EXPIRE_SECONDS,
    concurrency: 2,
    // Whoever sends many scans leaves room for others.
    perGroup: 1,
    // How often the file may break a run is counted with the scan.
    retryLimit: 50,
    async again({ scanId }, transaction) {
      const scan = await scans.get(scanId, transaction)
      if (!scan || scan.status === 'COMPLETED') throw conflict('This scan was processed meanwhile, or is gone')
      if (scan.status === 'FAILED') throw conflict(`Retry the scan instead: POST /api/v1/user/scans/${scanId}/retry`)
    },
    async run({ scanId }, signal) {
      const run = await store.begin(scanId)
      const scan = run && (await scans.get(scanId))
      if (!scan) return
      if (run.attempts > MAX_ATTEMPTS)
        return fail(scanId, run, { code: 'given_up', message: `It broke off ${MAX_ATTEMPTS} times: retry it later` })
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

/** The object of a file is not there. */
class Gone extends Error {}

const sameMoment = (a: Moment, b: Moment) => a.lat === b.lat && a.long === b.long && a.timestamp === b.timestamp

async function* onePiece(bytes: Uint8Array) {
  yield bytes
}
