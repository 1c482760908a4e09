import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../../logging/log.ts'
import { connectionConfig } from '../database.ts'

/** A position in PostgreSQL's WAL, in bytes; below 2^53 for 9 PB. */
export type LogPlace = number

/** How often the replica and the primary are asked for their position. */
const REPLICA_MS = 100
const PRIMARY_MS = 1000
/** Without a response for this long, the replica is away. */
const ANSWER_MS = 1000
/** After a failed read, the replica is checked again after this long. */
const FAILED_MS = 1000
/** Shortest time between two log entries about an unavailable replica. */
const TOLD_MS = 60_000
/** Maximum number of recorded primary positions; the oldest one gives the lag of the replica. */
const MAX_MOMENTS = 1000
/** Maximum lag of a replica in use. */
export const MAX_BEHIND_MS = 5000

const REPLAYED = `
  select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as place, pg_is_in_recovery() as follows`
const WRITTEN = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as place`

type Deps = {
  primaryUrl: string
  replicaUrl: string
  log: Log
  /** Called when the replica becomes unavailable: its running reads must move. */
  onAway: () => void
}

/** Tracks how far a streaming replica has replayed, and whether it may be used. Logs each change once. */
export function createReplicaWatch({ primaryUrl, replicaUrl, log, onAway }: Deps) {
  let replayed: LogPlace = 0
  /** Why it is not used. */
  let away: string | undefined = 'it has not been checked yet'
  let isKnown = false
  let isTold = false
  let toldAt = Number.NEGATIVE_INFINITY
  let failedUntil = 0
  let isStopped = false
  /** Positions of the primary that the replica has not reached yet, oldest first. */
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
    // Also if it was never in use.
    if (why !== undefined && (was === undefined || !isKnown) && now - toldAt > TOLD_MS) {
      log.warn({ why }, 'replica unavailable; reading from the primary')
      isTold = true
      toldAt = now
    }
    isKnown = true
    if (why !== undefined || !isTold) return
    log.info('reading from the replica again')
    isTold = false
  }

  async function lookAtReplica(): Promise<void> {
    if (performance.now() < failedUntil) return
    try {
      const { place, follows } = await replica.ask()
      if (!follows) return found('it does not follow a primary: it was promoted, or is one')
      replayed = place
      ahead = ahead.filter((one) => one.place > replayed)
      // Hysteresis: it must catch up well below the limit before it is used again.
      const most = away === undefined ? MAX_BEHIND_MS : MAX_BEHIND_MS / 2
      found(behindMs() > most ? `it is ${Math.round(behindMs() / 1000)} s behind` : undefined)
    } catch (error) {
      found(`it is unreachable: ${(error as Error).message}`)
    }
  }

  async function lookAtPrimary(): Promise<void> {
    const at = performance.now()
    // While the primary is away nothing new is written.
    const place = await written().catch(() => undefined)
    if (place !== undefined && place > replayed && ahead.length < MAX_MOMENTS) ahead.push({ place, at })
  }

  /** The current position of the primary, shared by concurrent callers. @throws if it is unavailable */
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
    // The running query may have been answered before the call.
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
    /** The position up to which the replica shows writes; undefined while it is not in use. */
    replayed: (): LogPlace | undefined => (away === undefined ? replayed : undefined),
    /**
     * Waits until the replica has reached this position. @returns false if it is away, or does not reach it in this
     * time
     */
    async reaches(place: LogPlace, withinMs: number): Promise<boolean> {
      for (const until = performance.now() + withinMs; away === undefined; await sleep(10)) {
        if (replayed >= place) return true
        if (performance.now() > until) return false
        await lookAtReplica()
      }
      return false
    },
    /** A read has found the replica unavailable before the watch did. */
    failed(error: Error): void {
      failedUntil = performance.now() + FAILED_MS
      found(`it is unreachable: ${error.message}`)
    },
    behindMs,
    /** Why it is not used; undefined while it is. */
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

/** A query on a connection of its own, which is reopened after a failure. */
function asking(url: string, question: string) {
  let client: Promise<pg.Client> | undefined
  const end = async () => {
    const ending = client
    client = undefined
    // A hanging server would never confirm the end.
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
