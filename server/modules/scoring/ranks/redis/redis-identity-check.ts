import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { logOnce } from '../../../../platform/live/log-once.ts'
import type { RedisClient } from '../../../../platform/redis/redis.ts'

type Deps = {
  redis: RedisClient
  pool: pg.Pool
  processId: string
  /** Key prefix. */
  space: () => string | undefined
  onError: (error: unknown) => void
}

type Other = { id: string; isEarlier: boolean; markedAt: string }

const MARK_MS = 1_000
/** A mark outlives PostgreSQL's record of it. */
const KEPT_MS = 10_000
/** Number of missed marks before an error: one may be lost when Redis is emptied. */
const MISSED_AT_LEAST = 3

/** Ranks and limits would be separate. */
class OtherRedis extends Error {
  constructor() {
    super(
      'CAIRN_REDIS_URL points to another Redis than that of a running process of this database: set the same for all processes',
    )
  }
}

/** This process has written a mark to Redis; PostgreSQL records when. */
const MARKED = `update rank_processes set redis_at = clock_timestamp(), redis_since = coalesce(redis_since, clock_timestamp()) where id = $1`

const OTHERS = `
  select o.id, o.redis_since < own.redis_since as "isEarlier", o.redis_at::text as "markedAt"
    from rank_processes o join rank_processes own on own.id = $1
   where o.id <> $1 and o.redis_at > clock_timestamp() - interval '${KEPT_MS / 2} milliseconds'`

/**
 * Checks that all processes of a database share one Redis. Each writes a mark to Redis every second and records that in
 * PostgreSQL: a process whose new marks are missing here writes to another Redis. An emptied or replaced Redis has all marks
 * again after a second.
 */
export function redisIdentityCheck({ redis, pool, processId, space, onError }: Deps) {
  const { failed, worked } = logOnce(onError)
  const nameOf = (id: string) => `cairn:{${space()}}:process:${id}`
  /** For each other process, the last missed mark and the number of consecutive misses. */
  const missed = new Map<string, { markedAt: string; count: number }>()
  let timer: NodeJS.Timeout | undefined

  async function mark(): Promise<void> {
    await redis.set(nameOf(processId), '', 'PX', KEPT_MS)
    await pool.query({ name: 'redis_marked', text: MARKED, values: [processId] })
  }

  /** @returns the other processes, and whether each one's mark is here */
  async function look(): Promise<(Other & { isHere: boolean })[]> {
    const { rows } = await pool.query<Other>({ name: 'redis_others', text: OTHERS, values: [processId] })
    const seen = await Promise.all(
      rows.map(async (other) => ({ ...other, isHere: (await redis.exists(nameOf(other.id))) > 0 })),
    )
    for (const id of missed.keys()) if (!seen.some((other) => other.id === id)) missed.delete(id)
    for (const { id, isHere, markedAt } of seen) {
      const last = missed.get(id)
      if (isHere) missed.delete(id)
      else if (last?.markedAt !== markedAt) missed.set(id, { markedAt, count: (last?.count ?? 0) + 1 })
    }
    return seen
  }

  const isElsewhere = ({ id }: Other) => (missed.get(id)?.count ?? 0) >= MISSED_AT_LEAST

  async function again(): Promise<void> {
    try {
      await mark()
      const others = await look()
      if (others.some(isElsewhere)) failed(new OtherRedis())
      else worked()
    } catch {
      // Users of Redis and the database report that they are unavailable.
    }
    timer?.refresh()
  }

  /** @throws OtherRedis if earlier processes have another one */
  async function settle(): Promise<void> {
    await mark()
    for (;;) {
      const others = (await look()).filter(({ isEarlier }) => isEarlier)
      if (others.length === 0 || others.some(({ isHere }) => isHere)) return
      if (others.some(isElsewhere)) throw new OtherRedis()
      await sleep(MARK_MS / 4)
    }
  }

  return {
    /** If Redis is unavailable now, a later finding is logged. @throws an error if others have another Redis */
    async start(): Promise<void> {
      await settle().catch((error) => {
        if (error instanceof OtherRedis) throw error
      })
      timer = setTimeout(again, MARK_MS).unref()
    },

    stop(): void {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
