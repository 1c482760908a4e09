import type { createBallast } from './ballast.ts'

type Deps = {
  isRunning: () => boolean
  /** @throws if PostgreSQL does not start */
  start: () => Promise<unknown>
  ballast: ReturnType<typeof createBallast>
  /** Reports to the operator. */
  report: (sentence: string) => void
}

const LOOK_MS = 500
/** Longest delay between failed starts; it doubles each time. */
const LONGEST_WAIT_MS = 10_000
/** The ballast is checked every ten seconds. */
const LOOKS_A_MAKING = 20

/**
 * Checks twice a second whether PostgreSQL runs, and restarts it; on a full disk after deleting the ballast. @returns a
 * function that ends the watch
 */
export function watchPostgres({ isRunning, start, ballast, report }: Deps): () => void {
  let isEnded = false
  let timer: NodeJS.Timeout
  let failures = 0
  let looks = 0

  async function look(): Promise<void> {
    await keepBallast()
    if (isRunning()) return
    try {
      await start()
      failures = 0
      report('PostgreSQL had exited and was restarted')
    } catch (error) {
      failures++
      report(`PostgreSQL exited and does not restart: ${(error as Error).message}`)
    }
  }

  async function keepBallast(): Promise<void> {
    try {
      if (await ballast.releaseWhenLow())
        report(
          'The disk of the database is full: deleted the ballast on it, so that PostgreSQL can continue. Free space soon',
        )
      if (++looks % LOOKS_A_MAKING === 0) await ballast.makeWhenAmple()
    } catch {
      // The folder cannot be read or written: PostgreSQL says so too, in its own words.
    }
  }

  const scheduleNext = () => {
    if (isEnded) return
    const wait = failures === 0 ? LOOK_MS : Math.min(LOOK_MS * 2 ** failures, LONGEST_WAIT_MS)
    timer = setTimeout(() => void look().finally(scheduleNext), wait).unref()
  }
  scheduleNext()
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}
