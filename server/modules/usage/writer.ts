import type { Log } from '../../platform/logging/log.ts'
import type { UsageStore } from './store.ts'
import type { Tallied, Tally } from './tally.ts'

/** Maximum number of unwritten batches (ten minutes' worth); beyond it, the oldest is dropped. */
const MAX_WAITING = 60

/** Writes the counts in memory to the database, one batch after the other. */
export function usageWriter({ tally, store, log }: { tally: Tally; store: Pick<UsageStore, 'add'>; log: Log }) {
  let waiting: Tallied[] = []
  let writing: Promise<void> | undefined

  const writeAll = async () => {
    const taken = tally.take()
    if (taken) waiting = [...waiting, taken].slice(-MAX_WAITING)
    for (let next = waiting[0]; next; next = waiting[0]) {
      try {
        await store.add(next)
      } catch (error) {
        if (!isRefused(error)) throw error
        // The database will never accept this batch: do not let it block the next ones.
        log.error({ err: error }, 'dropped usage counts')
      }
      waiting.shift()
    }
  }

  return {
    /** Resolves once everything counted before the call is written. @throws if that failed; the next call retries */
    async write(): Promise<void> {
      await writing?.catch(() => {})
      writing ??= writeAll().finally(() => {
        writing = undefined
      })
      await writing
    },
  }
}

/** Data exceptions (SQLSTATE class 22), such as text that is not Unicode. */
const isRefused = (error: unknown) => String((error as { code?: unknown }).code).startsWith('22')
