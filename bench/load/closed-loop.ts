export type Throughput = { perSecond: number; p50Ms: number; p99Ms: number }
/** Throughput with the total duration: the last operations start just before the time is over. */
type Timed = Throughput & { seconds: number }

/** Runs `clients` concurrent operations for `ms`; each client starts its next operation when the last one ends. */
export function closedLoop(clients: number, ms: number, operation: () => Promise<unknown>): Promise<Timed> {
  const start = performance.now()
  return loopWhile(clients, () => performance.now() - start < ms, operation)
}

/** The same for each of some items, once, in their order. */
export function eachOnce<Item>(clients: number, items: Item[], operation: (item: Item) => Promise<unknown>) {
  const rest = items.values()
  let next = rest.next()
  return loopWhile(
    clients,
    () => !next.done,
    () => {
      const item = next.value as Item
      next = rest.next()
      return operation(item)
    },
  )
}

/** The same as long as `isMore` says so. */
export async function loopWhile(
  clients: number,
  isMore: () => boolean,
  operation: () => Promise<unknown>,
): Promise<Timed> {
  const took: number[] = []
  const start = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let now = performance.now(); isMore(); ) {
        await operation()
        const then = performance.now()
        took.push(then - now)
        now = then
      }
    }),
  )
  const seconds = (performance.now() - start) / 1000
  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.floor((took.length - 1) * share)] ?? Number.NaN
  return { perSecond: took.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), seconds }
}

/**
 * Runs each twice, the second time in reverse order, and returns the better pass: a stalling disk affects only one of
 * them.
 */
export async function bestOfTwo<Name extends string>(
  runs: Record<Name, () => Promise<Throughput>>,
): Promise<Record<Name, Throughput>> {
  const names = Object.keys(runs) as Name[]
  const best: Partial<Record<Name, Throughput>> = {}
  for (const name of [...names, ...names.toReversed()]) {
    const one = await runs[name]()
    const before = best[name]
    if (!before || one.perSecond > before.perSecond) best[name] = one
  }
  return best as Record<Name, Throughput>
}
