import type { RedisClient } from '../../redis/redis.ts'
import { type LogPlace, MAX_BEHIND_MS } from './replica-watch.ts'

/** Number of slots of a cluster over which callers are spread, each with the time since when its marks are known. */
const SLOTS = 16
/** Longer than a replica in use can lag behind. */
const KEPT_MS = 12 * MAX_BEHIND_MS
/** At this many marks, replayed ones are dropped. */
const TRIM_AT = 10_000

/** The later position counts: two processes may write theirs in any order. */
const MARK = `
  if tonumber(redis.call('get', KEYS[1]) or '0') < tonumber(ARGV[1]) then
    redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
  end`

/**
 * A Redis that lost its data has no time since when it knows; one that was restored or failed over has another run ID.
 */
const LOOK = `
  local now = tonumber(redis.call('time')[1])
  local run = string.match(redis.call('info', 'server'), 'run_id:(%w+)')
  local known, since = string.match(redis.call('get', KEYS[1]) or '', '^(%w+) (%d+)$')
  if known ~= run then
    redis.call('set', KEYS[1], run .. ' ' .. now)
    since = now
  end
  if now - tonumber(since) < tonumber(ARGV[1]) then return 'unknown' end
  return redis.call('get', KEYS[2])`

type Commands = {
  cairnMark(key: string, place: string, keptMs: number): Promise<unknown>
  cairnLook(slot: string, key: string, seconds: number): Promise<string | null>
}

/**
 * The log position of each caller's last write: in this process, and in Redis if several serve. @param replayed the
 * position of the replica
 */
export function createWriteMarks({
  redis,
  replayed,
}: {
  redis: RedisClient | undefined
  replayed: () => LogPlace | undefined
}) {
  const here = new Map<string, { place: LogPlace; at: number }>()
  let trimAt = TRIM_AT
  redis?.defineCommand('cairnMark', { numberOfKeys: 1, lua: MARK })
  redis?.defineCommand('cairnLook', { numberOfKeys: 2, lua: LOOK })
  const commands = redis as unknown as Commands | undefined

  const placeHere = (caller: string): LogPlace => {
    const mark = here.get(caller)
    return mark && performance.now() - mark.at < KEPT_MS ? mark.place : 0
  }

  function markHere(caller: string, place: LogPlace): void {
    here.set(caller, { place: Math.max(place, placeHere(caller)), at: performance.now() })
    if (here.size < trimAt) return
    const shown = replayed() ?? 0
    for (const one of here.keys()) if (placeHere(one) <= shown) here.delete(one)
    trimAt = Math.max(TRIM_AT, 2 * here.size)
  }

  return {
    /** Records that these callers have written up to a position. @returns whether every process will know it */
    async mark(callers: string[], place: LogPlace): Promise<boolean> {
      for (const caller of callers) markHere(caller, place)
      if (!commands) return true
      const asked = callers.map((caller) => commands.cairnMark(keyOf(caller), String(place), KEPT_MS))
      return Promise.all(asked).then(
        () => true,
        () => false,
      )
    },

    /** The position of their last write; undefined if unknown. */
    async of(callers: string[]): Promise<LogPlace | undefined> {
      const known = Math.max(0, ...callers.map(placeHere))
      // Already beyond the replica, whatever Redis says.
      if (!commands || known > (replayed() ?? 0)) return known
      const asked = callers.map((caller) =>
        commands.cairnLook(`${slotOf(caller)}:since`, keyOf(caller), Math.ceil(MAX_BEHIND_MS / 1000) + 1),
      )
      const found = await Promise.all(asked).catch(() => ['unknown'])
      if (found.includes('unknown')) return undefined
      return Math.max(known, ...found.map(Number))
    },
  }
}

const keyOf = (caller: string): string => `${slotOf(caller)}:${caller}`

function slotOf(caller: string): string {
  let sum = 0
  for (let i = 0; i < caller.length; i++) sum = (sum * 31 + caller.charCodeAt(i)) >>> 0
  return `cairn:{writes-${sum % SLOTS}}`
}
