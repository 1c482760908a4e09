import { logOnce } from '../../../../platform/live/log-once.ts'
import type { RankCluster } from '../rank-cluster.ts'
import type { RankProvider } from '../rank-provider.ts'
import type { BoardKeys, RankCommands } from './rank-scripts.ts'

type Deps = {
  commands: RankCommands
  processes: RankCluster
  keysOf: (appId: string, boardKey: string) => BoardKeys
  /** Loads a board. @returns whether it is loaded */
  load: (appId: string, boardKey: string) => Promise<boolean>
  /** Called for failed loads; ranks come from SQL until one succeeds. */
  onError: (error: unknown) => void
}

/** Maximum concurrent loads: each holds a connection. */
const LOADS_AT_ONCE = 2
/** Delay after a failed load before the next request retries it. */
const RETRY_MS = 1_000

/** Circuit breaker: after a timeout, one caller at a time tries Redis until it responds, so that others do not wait. */
function whetherItAnswers() {
  let isAway = false
  let askAgainAt = 0
  return {
    mayAsk(): boolean {
      if (!isAway) return true
      const now = performance.now()
      if (now < askAgainAt) return false
      askAgainAt = now + RETRY_MS
      return true
    },
    answered<T>(answer: T): T {
      isAway = false
      return answer
    },
    failed(): undefined {
      isAway = true
      askAgainAt = performance.now() + RETRY_MS
    },
  }
}

/** The rank indexes in Redis, one a board, loaded on first use by any process. */
export function redisBoards({ commands, processes, keysOf, load, onError }: Deps) {
  const { failed, worked } = logOnce(onError)
  const loading = new Map<string, Promise<boolean>>()
  const failedAt = new Map<string, number>()
  const waiting: (() => void)[] = []
  let loads = 0
  const answering = whetherItAnswers()
  const counters = { loads: 0, found: 0, missed: 0 }

  async function loadInTurn(appId: string, boardKey: string): Promise<boolean> {
    while (loads >= LOADS_AT_ONCE) await new Promise<void>((resume) => waiting.push(resume))
    loads++
    try {
      return await load(appId, boardKey)
    } finally {
      loads--
      waiting.shift()?.()
    }
  }

  /** Concurrent callers share one load. */
  function loadOnce(appId: string, boardKey: string): Promise<boolean> {
    const name = `${appId} ${boardKey}`
    const underWay = loading.get(name)
    if (underWay) return underWay
    const begun = loadInTurn(appId, boardKey).then(
      (isLoaded) => {
        loading.delete(name)
        if (!isLoaded) failedAt.set(name, performance.now())
        else failedAt.delete(name)
        counters.loads += Number(isLoaded)
        worked()
        return isLoaded
      },
      (error) => {
        loading.delete(name)
        failedAt.set(name, performance.now())
        throw error
      },
    )
    loading.set(name, begun)
    return begun
  }

  function loadSoon(appId: string, boardKey: string): void {
    const last = failedAt.get(`${appId} ${boardKey}`)
    if (last === undefined || performance.now() - last > RETRY_MS) loadOnce(appId, boardKey).catch(failed)
  }

  /** @returns the number of ranked players, and for each key the number of better ones */
  async function look(appId: string, boardKey: string, keys: readonly number[]): Promise<number[] | undefined> {
    // The state at the time of the request suffices: earlier acknowledged writes are published.
    const generation = processes.generation()
    const counts =
      generation === undefined || !answering.mayAsk()
        ? undefined
        : await commands
            .cairnRankLook(...keysOf(appId, boardKey), generation, ...keys.map(String))
            .then(answering.answered, answering.failed)
    if (counts) counters.found++
    else counters.missed++
    if (counts === null) loadSoon(appId, boardKey)
    if (generation === undefined) await Promise.resolve(processes.ready()).catch(failed)
    return counts ?? undefined
  }

  const lookup = {
    async above(appId: string, boardKey: string, keys: readonly number[]): Promise<number[] | undefined> {
      const [size, ...above] = (await look(appId, boardKey, keys)) ?? []
      return size === undefined ? undefined : above.map((count) => Math.min(count, Math.max(0, size - 1)))
    },
    size: async (appId: string, boardKey: string): Promise<number | undefined> =>
      (await look(appId, boardKey, []))?.[0],
  } satisfies RankProvider

  return { ...lookup, load: loadOnce, counters }
}
