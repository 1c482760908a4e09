import type { RedisClient } from '../../redis/redis.ts'
import { type LogPlace, MAX_BEHIND_MS } from './replica-watch.ts'

/** Callers in one slot of a cluster, with the moment since when it is known what they wrote. */
const SLOTS = 16
/** Longer than a replica that is read from can be behind. */
const KEPT_MS = 12 * MAX_BEHIND_MS
/** So many are kept before those that are replayed are looked for. */
const TRIM_AT = 10_000

/** The later place counts: two processes may write theirs in any order. */
const MARK = `
  if tonumber(redis.call('get', KEYS[1]) or '0') < tonumber(ARGV[1]) then
    redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
  end`

/** A Redis that lost what it had says so by having forgotten since when it knows; one that came back with what it had saved, or took over from another, by being another run of the server. */
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

/** Up to where each caller has written: in this process, and in Redis where several serve. @param replayed up to where the replica has come */
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
    /** These have written up to here. @returns whether every process will know of it */
    async mark(callers: string[], place: LogPlace): Promise<boolean> {
      for (const caller of callers) markHere(caller, place)
      if (!commands) return true
      const asked = callers.map((caller) => commands.cairnMark(keyOf(caller), String(place), KEPT_MS))
      return Promise.all(asked).then(
        () => true,
        () => false,
      )
    },

    /** Up to where they have written; undefined when that is not known. */
    async of(callers: string[]): Promise<LogPlace | undefined> {
      const known = Math.max(0, ...callers.map(placeHere))
      // Whatever Redis says, it is later than the replica.
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
