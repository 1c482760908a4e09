import type { Log } from '../../logging/log.ts'
import type { Metrics } from '../../metrics.ts'
import type { RedisClient } from '../../redis/redis.ts'

/** What a caller has taken in a window that all processes count in, and when that ends. */
export type SharedCount = { used: number; leftMs: number }

export type SharedCounts = ReturnType<typeof createSharedCounts>

type Deps = {
  redis: RedisClient
  log: Log
  metrics: Metrics
  /** Milliseconds that a request waits for Redis. */
  patienceMs?: number
  /** Milliseconds until Redis is asked again after it did not answer. */
  pauseMs?: number
}

/** A window begins with what is taken first in it. Several counts at once; in a cluster one, for keys may be on different nodes. */
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

/** No more than the window has by now, for it may be another one. */
const GIVE_BACK = `
  local back = math.min(tonumber(ARGV[1]), tonumber(redis.call('get', KEYS[1]) or '0'))
  if back > 0 then redis.call('decrby', KEYS[1], back) end`

type Commands = {
  /** How many keys there are, the keys, then an amount and milliseconds for each. */
  cairnTake(...keysAndAmounts: (string | number)[]): Promise<number[]>
  cairnGiveBack(key: string, amount: number): Promise<unknown>
}

type Asked = { key: string; amount: number; windowMs: number; answer: (count: SharedCount | undefined) => void }

/** Counts in one round trip. */
const MAX_TOGETHER = 128

/** It is told again that Redis does not answer after this long at the earliest. */
const TOLD_MS = 60_000

/** Counts in Redis, for all processes together. Where it is away or slow nobody waits for it: `take` answers undefined, at once from the second time on, and one caller at a time finds out whether it is back. */
export function createSharedCounts({ redis, log, metrics, patienceMs = 50, pauseMs = 1000 }: Deps) {
  redis.defineCommand('cairnTake', { lua: TAKE })
  redis.defineCommand('cairnGiveBack', { numberOfKeys: 1, lua: GIVE_BACK })
  const commands = redis as unknown as Commands
  let isAway = false
  let askAgainAt = 0
  let toldAt = Number.NEGATIVE_INFINITY
  metrics.gauge('cairn_limits_shared', '1 while limits are counted for all processes together, in Redis', () =>
    redis.status === 'ready' && !isAway ? 1 : 0,
  )
  const local = metrics.counter('cairn_limits_local_total', 'Counted in this process because Redis was away')

  const failed = (error: unknown) => {
    const now = performance.now()
    askAgainAt = now + pauseMs
    if (!isAway && now - toldAt > TOLD_MS) {
      log.warn({ err: error }, 'limits are counted in each process alone, and are half of what is set: Redis is away')
      toldAt = now
    }
    isAway = true
  }

  /** Whether to ask. While it is away one request does, after a pause. */
  const mayAnswer = () => {
    if (redis.status !== 'ready') {
      if (!isAway) failed(new Error('there is no connection'))
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

  const together = redis.isCluster ? 1 : MAX_TOGETHER
  let asked: Asked[] = []

  /** Sends what was asked for since the last time: the requests that came in together share a round trip. */
  const send = () => {
    const all = asked
    asked = []
    for (let at = 0; at < all.length; at += together) ask(all.slice(at, at + together))
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
    // An answer that has come meanwhile is read first: it was this process that was slow.
    const late = () => setImmediate(giveUp, new Error(`no answer in ${patienceMs} ms`))
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
    /** @returns undefined when Redis is away; then it is to be counted in this process. Never rejects. */
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

    /** Takes back what `take` counted. What cannot be taken back stays counted until its window ends. */
    giveBack(key: string, amount: number) {
      if (redis.status === 'ready') commands.cairnGiveBack(key, amount).catch(() => {})
    },
  }
}
