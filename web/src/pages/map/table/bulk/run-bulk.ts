import type { CairnError } from '@cairn/sdk'

/** The results of the items that succeeded, and the items that failed, in their order. `left` had not been started when it was stopped. */
export type Outcome<Item, Result> = { done: Result[]; failed: Failed<Item>[]; left: Item[] }
export type Failed<Item> = { item: Item; error: unknown }

type Options = {
  /** How many run at a time. */
  atOnce: number
  /** Stops before the next items, also while it waits; those that run are finished. */
  signal?: AbortSignal
  /** Called after each item with how many have been tried. */
  onProgress?: (tried: number) => void
  /** Called with the seconds until it continues when the service asks it to wait, and with null when it does. */
  onWait?: (seconds: number | null) => void
}

/** The longest wait in seconds: the quota of requests is one a minute. */
const LONGEST_WAIT = 120
/** How often an item is tried: others may use up the quota meanwhile. */
const MOST_TRIES = 10

/**
 * Does the same with each item, a few at a time, in their order. One that fails does not stop the others. One that was
 * refused because of too many requests (429) or a service that could not (503), and so had no effect, is repeated when the
 * service allows it.
 */
export async function runBulk<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
  { atOnce, signal, onProgress, onWait }: Options,
): Promise<Outcome<Item, Result>> {
  const done: (Result | undefined)[] = []
  const failed: (Failed<Item> | undefined)[] = []
  const interrupted: Item[] = []
  let next = 0
  let count = 0
  let waiting: Promise<void> | null = null
  // Those that run meanwhile wait with it.
  const wait = (seconds: number) => {
    waiting ??= pause(seconds * 1000, signal).finally(() => {
      waiting = null
      onWait?.(null)
    })
    onWait?.(seconds)
    return waiting
  }
  const tried = async (at: number): Promise<void> => {
    const item = items[at]!
    for (let tries = 1; ; tries++) {
      await waiting
      if (signal?.aborted) {
        interrupted.push(item)
        return
      }
      try {
        const result = await work(item)
        done[at] = result
        break
      } catch (error) {
        const seconds = secondsToWait(error)
        if (seconds === undefined || tries === MOST_TRIES) {
          failed[at] = { item, error }
          break
        }
        await wait(seconds)
      }
    }
    onProgress?.(++count)
  }
  const run = async () => {
    while (next < items.length && !signal?.aborted) await tried(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  const inOrder = <One>(all: (One | undefined)[]) => Object.values(all) as One[]
  return { done: inOrder(done), failed: inOrder(failed), left: [...interrupted, ...items.slice(next)] }
}

function secondsToWait(error: unknown): number | undefined {
  const { status, retryAfter } = error as Partial<CairnError>
  if (status !== 429 && !(status === 503 && retryAfter)) return undefined
  const seconds = Math.max(1, retryAfter ?? 1)
  return seconds > LONGEST_WAIT ? undefined : seconds
}

/** Waits, or until it is stopped. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
