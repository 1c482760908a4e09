import type { createBallast } from './ballast.ts'

type Deps = {
  isRunning: () => boolean
  /** @throws when PostgreSQL does not start */
  start: () => Promise<unknown>
  ballast: ReturnType<typeof createBallast>
  /** Tells the operator. */
  tell: (sentence: string) => void
}

const LOOK_MS = 500
/** Between two starts that fail; twice as long each time. */
const LONGEST_WAIT_MS = 10_000
/** A ballast is written every ten seconds at most. */
const LOOKS_A_MAKING = 20

/** Looks twice a second whether PostgreSQL runs, and starts it again; on a full disk with the room of the ballast. @returns what ends the watch */
export function watchPostgres({ isRunning, start, ballast, tell }: Deps): () => void {
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
      tell('PostgreSQL had ended and was started again')
    } catch (error) {
      failures++
      tell(`PostgreSQL ended and does not start again: ${(error as Error).message}`)
    }
  }

  async function keepBallast(): Promise<void> {
    try {
      if (await ballast.releaseWhenLow())
        tell(
          'The disk of the database is full: the ballast on it was removed, so that PostgreSQL goes on. Make room soon',
        )
      if (++looks % LOOKS_A_MAKING === 0) await ballast.makeWhenAmple()
    } catch {
      // The folder cannot be read or written: PostgreSQL says so too, in its own words.
    }
  }

  const again = () => {
    if (isEnded) return
    const wait = failures === 0 ? LOOK_MS : Math.min(LOOK_MS * 2 ** failures, LONGEST_WAIT_MS)
    timer = setTimeout(() => void look().finally(again), wait).unref()
  }
  again()
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}
