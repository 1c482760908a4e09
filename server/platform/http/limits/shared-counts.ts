import type { Log } from '../../logging/log.ts'
import type { Metrics } from '../../metrics.ts'
import type { RedisClient } from '../../redis/redis.ts'

/** What a caller used in a window shared by all processes, and when the window ends. */
export type SharedCount = { used: number; leftMs: number }

export type SharedCounts = ReturnType<typeof createSharedCounts>

type Deps = {
  redis: RedisClient
  log: Log
  metrics: Metrics
  /** Milliseconds that a request waits for Redis. Default: 50. */
  patienceMs?: number
  /** Milliseconds before Redis is tried again after a failure. Default: 1,000. */
  pauseMs?: number
}

/** A window begins with the first count in it. One call carries several counts; in a cluster only one, because keys may be on different nodes. */
const TAKE = `
  local answers = {}
  for i, key in ipairs(KEYS) do
    local used = redis.call('incrby', key, ARGV[2 * i - 1])
    local left = redis.call('pttl', key)
    if left < 0 then
      left = tonumber(ARGV[2 * i])
      redis.call('pexpire', key, left)
    end
    answers[2 * i - 1] = used
    answers[2 * i] = left
  end
  return answers`

/** Uncounts at most what the current window holds: it may be a later one. */
const GIVE_BACK = `
  local back = math.min(tonumber(ARGV[1]), tonumber(redis.call('get', KEYS[1]) or '0'))
  if back > 0 then redis.call('decrby', KEYS[1], back) end`

type Commands = {
  /** The number of keys, the keys, then an amount and milliseconds for each. */
  cairnTake(...keysAndAmounts: (string | number)[]): Promise<number[]>
  cairnGiveBack(key: string, amount: number): Promise<unknown>
}

type Asked = { key: string; amount: number; windowMs: number; answer: (count: SharedCount | undefined) => void }

/** Maximum counts in one round trip. */
const MAX_BATCH = 128

/** Minimum time between two warnings that Redis is unavailable. */
const WARN_MS = 60_000

/** Counts in Redis, for all processes together. When Redis is unavailable or slow, requests do not wait for it: `take` returns undefined, immediately after the first failure, and one request at a time tests whether Redis is back. */
export function createSharedCounts({ redis, log, metrics, patienceMs = 50, pauseMs = 1000 }: Deps) {
  redis.defineCommand('cairnTake', { lua: TAKE })
  redis.defineCommand('cairnGiveBack', { numberOfKeys: 1, lua: GIVE_BACK })
  const commands = redis as unknown as Commands
  let isAway = false
  let askAgainAt = 0
  let warnedAt = Number.NEGATIVE_INFINITY
  metrics.gauge('cairn_limits_shared', '1 while limits are counted for all processes together, in Redis', () =>
    redis.status === 'ready' && !isAway ? 1 : 0,
  )
  const local = metrics.counter('cairn_limits_local_total', 'Counted in this process because Redis was unavailable')

  const failed = (error: unknown) => {
    const now = performance.now()
    askAgainAt = now + pauseMs
    if (!isAway && now - warnedAt > WARN_MS) {
      log.warn({ err: error }, 'Redis is unavailable; each process counts limits alone, at half the configured values')
      warnedAt = now
    }
    isAway = true
  }

  /** Whether to use Redis. While it is unavailable, one request tries it after each pause. */
  const mayAnswer = () => {
    if (redis.status !== 'ready') {
      if (!isAway) failed(new Error('no connection'))
      return false
    }
    if (!isAway) return true
    const now = performance.now()
    if (now < askAgainAt) return false
    askAgainAt = now + pauseMs
    return true
  }

  const answered = () => {
    if (isAway) log.info('limits are counted in Redis again')
    isAway = false
  }

  const batchSize = redis.isCluster ? 1 : MAX_BATCH
  let asked: Asked[] = []

  /** Sends the counts collected since the last call: requests of one turn of the event loop share a round trip. */
  const send = () => {
    const all = asked
    asked = []
    for (let at = 0; at < all.length; at += batchSize) ask(all.slice(at, at + batchSize))
  }

  const ask = (some: Asked[]) => {
    let isOver = false
    const giveUp = (error: unknown) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      failed(error)
      local.inc(some.length)
      for (const { answer } of some) answer(undefined)
    }
    // Read a reply that has already arrived first: then this process was slow, not Redis.
    const late = () => setImmediate(giveUp, new Error(`no response within ${patienceMs} ms`))
    const timer = setTimeout(late, patienceMs)
    const amounts = some.flatMap(({ amount, windowMs }) => [amount, windowMs])
    commands.cairnTake(some.length, ...some.map(({ key }) => key), ...amounts).then((counts) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      answered()
      for (const [i, { answer }] of some.entries()) answer({ used: counts[2 * i]!, leftMs: counts[2 * i + 1]! })
    }, giveUp)
  }

  return {
    /** @returns undefined when Redis is unavailable; the caller then counts in this process. Never rejects. */
    take(key: string, amount: number, windowMs: number): Promise<SharedCount | undefined> | undefined {
      if (!mayAnswer()) {
        local.inc()
        return undefined
      }
      return new Promise((answer) => {
        if (asked.length === 0) setImmediate(send)
        asked.push({ key, amount, windowMs, answer })
      })
    },

    /** Uncounts what `take` counted. If Redis is unavailable, it stays counted until the window ends. */
    giveBack(key: string, amount: number) {
      if (redis.status === 'ready') commands.cairnGiveBack(key, amount).catch(() => {})
    },
  }
}
