import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../../logging/log.ts'
import { connectionConfig } from '../database.ts'

/** A place in PostgreSQL's log, in bytes since its beginning; below 2^53 for 9 PB of it. */
export type LogPlace = number

/** How often the replica is asked how far it is, and the primary. */
const REPLICA_MS = 100
const PRIMARY_MS = 1000
/** Without an answer for so long it is away. */
const ANSWER_MS = 1000
/** One that failed a reading is looked at again after this long. */
const FAILED_MS = 1000
/** It is told again that it is not read from after this long at the earliest. */
const TOLD_MS = 60_000
/** More moments of the primary are not kept: the oldest says how far the replica is behind. */
const MAX_MOMENTS = 1000
/** A replica that is further behind is not read from. */
export const MAX_BEHIND_MS = 5000

const REPLAYED = `
  select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as place, pg_is_in_recovery() as follows`
const WRITTEN = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as place`

type Deps = {
  primaryUrl: string
  replicaUrl: string
  log: Log
  /** The replica went away: what is asked of it now is to be asked elsewhere. */
  onAway: () => void
}

/** How far a streaming replica has come, and whether it may be read from. It is told once when it may not any more, and once when it may again. */
export function createReplicaWatch({ primaryUrl, replicaUrl, log, onAway }: Deps) {
  let replayed: LogPlace = 0
  /** Why it is not read from. */
  let away: string | undefined = 'it was not asked yet'
  let isKnown = false
  let isTold = false
  let toldAt = Number.NEGATIVE_INFINITY
  let failedUntil = 0
  let isStopped = false
  /** Where the primary was at some moments, and the replica has not come to yet; the oldest first. */
  let ahead: { place: LogPlace; at: number }[] = []
  const primary = asking(primaryUrl, WRITTEN)
  const replica = asking(replicaUrl, REPLAYED)
  let asked: Promise<LogPlace> | undefined
  let next: Promise<LogPlace> | undefined

  const behindMs = () => (ahead[0] ? performance.now() - ahead[0].at : 0)

  function found(why: string | undefined): void {
    const was = away
    away = why
    if (why !== undefined && was === undefined) onAway()
    const now = performance.now()
    // Also where it was never read from.
    if (why !== undefined && (was === undefined || !isKnown) && now - toldAt > TOLD_MS) {
      log.warn({ why }, 'the replica is not read from: the primary is')
      isTold = true
      toldAt = now
    }
    isKnown = true
    if (why !== undefined || !isTold) return
    log.info('the replica is read from again')
    isTold = false
  }

  async function lookAtReplica(): Promise<void> {
    if (performance.now() < failedUntil) return
    try {
      const { place, follows } = await replica.ask()
      if (!follows) return found('it does not follow a primary: it was promoted, or is one')
      replayed = place
      ahead = ahead.filter((one) => one.place > replayed)
      // Not at the moment of coming below: it would come and go.
      const most = away === undefined ? MAX_BEHIND_MS : MAX_BEHIND_MS / 2
      found(behindMs() > most ? `it is ${Math.round(behindMs() / 1000)} s behind` : undefined)
    } catch (error) {
      found(`it cannot be asked: ${(error as Error).message}`)
    }
  }

  async function lookAtPrimary(): Promise<void> {
    const at = performance.now()
    // While it is away nothing new is written.
    const place = await written().catch(() => undefined)
    if (place !== undefined && place > replayed && ahead.length < MAX_MOMENTS) ahead.push({ place, at })
  }

  /** Where the primary is now, asked once for all who want to know it at the same time. @throws when it cannot be asked */
  function written(): Promise<LogPlace> {
    if (!asked) {
      asked = primary
        .ask()
        .then(({ place }) => place)
        .finally(() => {
          asked = undefined
        })
      return asked
    }
    // The one under way may have been answered before what the caller means.
    next ??= asked
      .catch(() => 0)
      .then(() => {
        next = undefined
        return written()
      })
    return next
  }

  async function repeat(work: () => Promise<void>, everyMs: number): Promise<void> {
    while (!isStopped) {
      await work()
      await sleep(everyMs, undefined, { ref: false })
    }
  }

  return {
    written,
    /** Up to where the replica shows what was written; undefined while it is not to be read from. */
    replayed: (): LogPlace | undefined => (away === undefined ? replayed : undefined),
    /** Waits until the replica shows what was written up to here. @returns false when it is away, or does not come so far in this time */
    async reaches(place: LogPlace, withinMs: number): Promise<boolean> {
      for (const until = performance.now() + withinMs; away === undefined; await sleep(10)) {
        if (replayed >= place) return true
        if (performance.now() > until) return false
        await lookAtReplica()
      }
      return false
    },
    /** A reading found out that it is away before the watch did. */
    failed(error: Error): void {
      failedUntil = performance.now() + FAILED_MS
      found(`it cannot be asked: ${error.message}`)
    },
    behindMs,
    /** Why it is not read from; undefined while it is. */
    away: () => away,
    start(): void {
      void repeat(lookAtReplica, REPLICA_MS)
      void repeat(lookAtPrimary, PRIMARY_MS)
    },
    async stop(): Promise<void> {
      isStopped = true
      await Promise.all([primary.end(), replica.end()])
    },
  }
}

/** One question, asked on a connection of its own, which is made again when it broke. */
function asking(url: string, question: string) {
  let client: Promise<pg.Client> | undefined
  const end = async () => {
    const ending = client
    client = undefined
    // One that does not answer does not say goodbye either.
    const ended = ending?.then((one) => one.end()).catch(() => {})
    await Promise.race([ended, sleep(ANSWER_MS, undefined, { ref: false })])
  }
  return {
    end,
    async ask(): Promise<{ place: LogPlace; follows?: boolean }> {
      client ??= connected(url)
      const asked = client
      try {
        const { rows } = await (await asked).query<{ place: string | null; follows?: boolean }>(question)
        return { ...rows[0], place: Number(rows[0]!.place ?? 0) }
      } catch (error) {
        if (client === asked) void end()
        throw error
      }
    },
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionConfig({ url, applicationName: 'cairn-replica', max: 1 }),
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}
