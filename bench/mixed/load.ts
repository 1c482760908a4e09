import type { MixedOperation } from './operations.ts'

export type Times = { count: number; p50Ms: number; p99Ms: number; maxMs: number }
export type Load = {
  perSecond: number
  errors: number
  /** The first errors. */
  firstErrors: string[]
  all: Times
  operations: Record<string, Times>
}

/** Picks operations by their shares and records the results. */
function recorder(operations: MixedOperation[]) {
  const whole = operations.reduce((sum, { share }) => sum + share, 0)
  const took = new Map<string, number[]>(operations.map(({ name }) => [name, []]))
  const errors: string[] = []
  const began = performance.now()
  const pick = (): MixedOperation => {
    let at = Math.random() * whole
    for (const operation of operations) {
      at -= operation.share
      if (at < 0) return operation
    }
    return operations[0]!
  }
  return {
    /** @param since when the request was due */
    async runOne(since: number) {
      const { name, run } = pick()
      await run().then(
        () => took.get(name)!.push(performance.now() - since),
        (error: Error) => void errors.push(`${name}: ${error.message}`),
      )
    },
    result(): Load {
      const all = [...took.values()].flat()
      return {
        perSecond: (all.length * 1000) / (performance.now() - began),
        errors: errors.length,
        firstErrors: errors.slice(0, 5),
        all: timesOf(all),
        operations: Object.fromEntries([...took].map(([name, times]) => [name, timesOf(times)])),
      }
    },
  }
}

function timesOf(times: number[]): Times {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return { count: times.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}

/** Closed loop: that many clients, each of which sends its next request after the response. Measures the capacity. */
export async function closedLoad(operations: MixedOperation[], clients: number, seconds: number): Promise<Load> {
  const { runOne, result } = recorder(operations)
  const end = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let now = performance.now(); now < end; now = performance.now()) await runOne(now)
    }),
  )
  return result()
}

/** Open loop: sends requests at a fixed rate, independent of earlier responses. Times count from when each was due: a stall of the service delays all requests during it. */
export async function openLoad(operations: MixedOperation[], perSecond: number, seconds: number): Promise<Load> {
  const { runOne, result } = recorder(operations)
  const began = performance.now()
  const running = new Set<Promise<void>>()
  const count = Math.round(perSecond * seconds)
  for (let n = 0; n < count; ) {
    const due = Math.min(count, ((performance.now() - began) / 1000) * perSecond)
    for (; n < due; n++) {
      const one = runOne(began + (n * 1000) / perSecond).finally(() => running.delete(one))
      running.add(one)
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(running)
  return result()
}
