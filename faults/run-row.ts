import type { Context, Result, Row, Scale } from './row.ts'

/** Time limits of rows, far above their usual duration even on a busy machine. */
const LIMIT_MS: Record<Scale, number> = { short: 600_000, ordinary: 1_200_000, long: 7_200_000 }

/** The clean-ups of running rows. */
const underWay = new Set<() => Promise<void>>()
let isInterrupted = false
const interrupted = () => {
  isInterrupted = true
  void Promise.all([...underWay].map((cleanUp) => cleanUp())).then(() => process.exit(130))
}

/** Runs one row and its clean-ups. A row that throws or times out has failed, with the reason. */
export async function runRow(row: Row, scale: Scale): Promise<Result> {
  const undo: (() => unknown)[] = []
  let isOver = false
  const say = (sentence: string) => console.log(`    ${row.id}: ${sentence}`)
  const context: Context = {
    scale,
    times: (short, ordinary, long) => ({ short, ordinary, long })[scale],
    say,
    // Clean-ups registered after the row ended run at once.
    after: (one) => {
      undo.push(one)
      if (isOver) void cleanUp()
    },
  }
  const cleanUp = async () => {
    for (const one of undo.splice(0).reverse())
      await within(30_000, Promise.resolve().then(one)).catch((error: Error) => say(`clean-up: ${error.message}`))
  }
  underWay.add(cleanUp)
  if (underWay.size === 1) process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    return await within(LIMIT_MS[scale], row.run(context))
  } catch (error) {
    const { message, stack } = error as Error
    return { what: row.title, count: '', criterion: '', seen: `error: ${stack ?? message}`, passed: false }
  } finally {
    // An interrupted row has no result.
    if (isInterrupted) await new Promise(() => {})
    isOver = true
    await cleanUp()
    underWay.delete(cleanUp)
    if (underWay.size === 0) process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  }
}

/** @throws when the work takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out after ${ms / 1000} s`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
