import type { Log } from '../../platform/logging/log.ts'
import type { UsageStore } from './store.ts'
import type { Tallied, Tally } from './tally.ts'

/** Takings that could not be written are kept, the oldest let go of: ten minutes' worth. */
const MAX_WAITING = 60

/** Adds to the database what was counted in memory, one taking after the other. */
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
        // The database will never take it: what comes after it is not to wait for that.
        log.error({ err: error }, 'counts of usage were let go of')
      }
      waiting.shift()
    }
  }

  return {
    /** Resolves once all is written that was counted before the call. @throws when it could not be; it is tried again with the next */
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
