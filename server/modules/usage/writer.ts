import type { Log } from '../../platform/logging/log.ts'

/** Maximum number of unwritten batches (ten minutes' worth); beyond it, the oldest is dropped. */
const MAX_WAITING = 60

type Deps<Counts> = {
  /** The counts since the last call; undefined if there are none. */
  take: () => Counts | undefined
  add: (counts: Counts) => Promise<void>
  log: Log
}

/** Writes the counts in memory to the database, one batch after the other. */
export function usageWriter<Counts>({ take, add, log }: Deps<Counts>) {
  let waiting: Counts[] = []
  let writing: Promise<void> | undefined

  const writeAll = async () => {
    const taken = take()
    if (taken) waiting = [...waiting, taken].slice(-MAX_WAITING)
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      try {
        await add(next)
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
