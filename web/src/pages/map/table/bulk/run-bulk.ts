/** The results of the items that succeeded, and the items that failed. `left` had not been started when it was stopped. */
export type Outcome<Item, Result> = { done: Result[]; failed: Failed<Item>[]; left: Item[] }
export type Failed<Item> = { item: Item; error: unknown }

type Options = {
  /** How many run at a time. */
  atOnce: number
  /** Stops before the next items; those that run are finished. */
  signal?: AbortSignal
  /** Called after each item with how many have been tried. */
  onProgress?: (tried: number) => void
}

/** Does the same with each item, a few at a time, in their order. One that fails does not stop the others. */
export async function runBulk<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
  { atOnce, signal, onProgress }: Options,
): Promise<Outcome<Item, Result>> {
  const done: Result[] = []
  const failed: Failed<Item>[] = []
  let next = 0
  const run = async () => {
    while (next < items.length && !signal?.aborted) {
      const item = items[next++]!
      try {
        done.push(await work(item))
      } catch (error) {
        failed.push({ item, error })
      }
      onProgress?.(done.length + failed.length)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  return { done, failed, left: items.slice(next) }
}
