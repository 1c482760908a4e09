import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackupSummary } from '../../platform/backup/backup.ts'
import { checkArchive } from '../../platform/backup/check.ts'
import { type BackupPlace, fileNameAt } from '../../platform/backup/places/place.ts'
import type { Clock } from '../../platform/database/clock.ts'
import type { Log } from '../../platform/logging/log.ts'
import { dueAt, outdated } from './schedule.ts'
import type { BackupStore } from './store.ts'

type Deps = {
  store: BackupStore
  place: BackupPlace
  everyMs: number
  keep: { count: number; days: number | undefined }
  /** Runs the work unless another process does. @returns whether it ran */
  alone: (work: () => Promise<void>) => Promise<boolean>
  write: (to: Writable, signal: AbortSignal) => Promise<BackupSummary>
  clock: Clock
  log: Log
}

const LOST = 'The process that made the backup ended before it was complete: another attempt has been started'
const STOPPED = 'The process is stopping'
const STOP_MS = 5000

/** Makes a backup when one is due, verifies it, and deletes outdated ones. */
export function backupService({ store, place, everyMs, keep, alone, write, clock, log }: Deps) {
  const stopping = new AbortController()
  let running: Promise<unknown> | undefined

  const isDue = async () => clock.now() >= dueAt(await store.read(), everyMs)

  async function attempt(): Promise<void> {
    const startedAt = clock.now()
    const began = performance.now()
    await store.start(startedAt, LOST)
    try {
      const { file, bytes, done } = await make(startedAt)
      const seconds = Math.round((performance.now() - began) / 100) / 10
      await store.succeed({ at: clock.now(), seconds, bytes, place: `${place.name}/${file}` })
      const { rows, objects, missing } = done
      log.info({ file, place: place.name, bytes, seconds, rows, objects, missing }, 'made a backup and verified it')
    } catch (error) {
      if (stopping.signal.aborted) return await store.forget()
      const message = (error as Error).message || String(error)
      log.error({ err: error, place: place.name }, 'backup failed')
      return await store.fail(clock.now(), message)
    }
    await prune().catch((error: Error) => log.error({ err: error }, 'failed to delete outdated backups'))
  }

  async function make(startedAt: number) {
    const { signal } = stopping
    signal.throwIfAborted()
    await place.sweep()
    const expectedBytes = await store.expectedBytes()
    await place.assertRoom(expectedBytes)
    const file = fileNameAt(startedAt)
    const stored = await place.store(file, {
      write: (to) => write(to, signal),
      verify: checkArchive,
      expectedBytes,
      signal,
    })
    return { file, ...stored }
  }

  /** Only after a verified backup, which is the newest one and stays. */
  async function prune(): Promise<void> {
    for (const { file } of outdated(await place.list(), { ...keep, now: clock.now() })) {
      await place.remove(file)
      log.info({ file, place: place.name }, 'deleted an outdated backup')
    }
  }

  async function lookOnce(): Promise<void> {
    if (!(await isDue())) return
    await alone(async () => {
      // Another process may have made it since.
      if (await isDue()) await attempt()
    })
  }

  return {
    /** Makes a backup if one is due and no other process makes it. */
    async look(): Promise<void> {
      running ??= lookOnce().finally(() => {
        running = undefined
      })
      await running
    },

    /** Interrupts a running backup, removes its partial file, and waits at most five seconds. */
    async stop(): Promise<void> {
      stopping.abort(new Error(STOPPED))
      await Promise.race([running?.catch(() => {}), sleep(STOP_MS, undefined, { ref: false })])
    },
  }
}
