import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import type { DatabaseClock } from '../database/clock.ts'
import type { AnyTables } from '../database/database.ts'
import type { Log } from '../logging/log.ts'

type Listener = {
  topic: string
  /** Called with the IDs of what changed, in the order of the changes of one transaction. */
  changed: (subjects: string[]) => void | Promise<void>
  /** Called if changes were missed: the process was away for longer than the feed is kept. */
  lost: () => void | Promise<void>
}
type Row = { id: string; topic: string; subjects: string[] }
type Reading = { xmin: string; now: string; server: string; rows: Row[] | null }
/**
 * How far a process has read: all transactions before `xmin`, and these of later ones. `now` is the database's clock,
 * `at` this process's monotonic clock.
 */
type Position = { xmin: string; seen: Set<string>; now: number; server: string; at: number }

const POLL_MS = 250
const REMEMBERED_SECONDS = 600
/** A gap between two reads after which rows may have been missed. */
const LOST_MS = (REMEMBERED_SECONDS * 1000) / 2
const SWEEP_MS = 60_000
/** Rows per statement. */
const SWEPT = 5000
/** At this many IDs of read rows, those no longer needed are dropped. */
const TRIM_AT = 1000

/**
 * One snapshot, and the changes it sees that the previous read may have missed: transactions open then are at or after
 * its xmin, however late they commit, so nothing is skipped and no read waits for a long transaction.
 */
const READ = `
  select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, (extract(epoch from clock_timestamp()) * 1000)::text as now,
    pg_postmaster_start_time()::text as server,
    (select json_agg(json_build_object('id', id::text, 'topic', topic, 'subjects', subjects) order by id)
       from changes where transaction >= coalesce($1::xid8, pg_snapshot_xmin(pg_current_snapshot())) and not id = any($2::bigint[])) as rows`

/** A row's age counts from its commit, however long its transaction took. */
const REMOVE = `
  delete from changes where id = any(array(
    select id from changes
     where at < clock_timestamp() - make_interval(secs => $1) and pg_visible_in_snapshot(transaction, $2::pg_snapshot) limit $3))`

export type ChangeFeed = ReturnType<typeof createChangeFeed>

type Deps = {
  pool: Pool
  log: Log
  pollMs?: number
  /** Learns the database's time from each read. */
  clock?: Pick<DatabaseClock, 'learn'>
}

/** Reports to this process what any process has changed, itself included: each change once, after its commit. */
export function createChangeFeed({ pool, log, pollMs = POLL_MS, clock }: Deps) {
  const listeners = new Set<Listener>()
  let position: Position | undefined
  let reading: Promise<void> | undefined
  let next: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let sweeper: NodeJS.Timeout | undefined
  let isFailing = false
  let trimAt = TRIM_AT
  /** Snapshots of the last minutes, oldest first. */
  let snapshots: { snapshot: string; at: number }[] = []

  async function read(): Promise<void> {
    const at = performance.now()
    const values = [position?.xmin ?? null, [...(position?.seen ?? [])]]
    // Runs four times a second: a named statement is planned once.
    const { rows: found } = await pool.query<Reading>({ name: 'read_changes', text: READ, values })
    const { xmin, now, server, rows } = found[0]!
    clock?.learn(Number(now), at, performance.now())
    const before = position
    // A restarted database may be another one, without all data of the former.
    const isLost =
      before &&
      (before.server !== server ||
        BigInt(xmin) < BigInt(before.xmin) ||
        Number(now) - before.now > LOST_MS ||
        at - before.at > LOST_MS)
    // IDs of transactions that are over for every future snapshot can be dropped, as can those of deleted rows.
    const isTrimmed = before?.xmin !== xmin || isLost || before.seen.size > trimAt
    const kept = isTrimmed ? await stillOpen(before?.seen, xmin) : before.seen
    if (isTrimmed) trimAt = Math.max(TRIM_AT, 2 * kept.size)
    for (const { id } of rows ?? []) kept.add(id)
    position = { xmin, seen: kept, now: Number(now), server, at }
    if (isLost) snapshots = []
    if (isLost) await notify((listener) => listener.lost())
    else if (before)
      for (const { topic, subjects } of rows ?? [])
        await notify((listener) => (listener.topic === topic ? listener.changed(subjects) : undefined))
    isFailing = false
  }

  /** The read rows whose transactions a later read would find again. */
  async function stillOpen(seen: Set<string> | undefined, xmin: string): Promise<Set<string>> {
    if (!seen || seen.size === 0) return new Set()
    const { rows } = await pool.query<{ id: string }>(
      'select id::text from changes where id = any($1::bigint[]) and transaction >= $2::xid8',
      [[...seen], xmin],
    )
    return new Set(rows.map(({ id }) => id))
  }

  async function notify(say: (listener: Listener) => void | Promise<void>): Promise<void> {
    for (const listener of listeners) {
      try {
        await say(listener)
      } catch (error) {
        log.error({ err: error, topic: listener.topic }, 'failed to process a change')
      }
    }
  }

  /** Resolves once everything committed before the call has been reported. @throws if the database is unavailable */
  function catchUp(): Promise<void> {
    if (!reading) {
      reading = read().finally(() => {
        reading = undefined
      })
      return reading
    }
    // The running read may have started before the call.
    next ??= reading
      .catch(() => {})
      .then(() => {
        next = undefined
        return catchUp()
      })
    return next
  }

  /** Deletes changes that are old enough for every process to have read them. */
  async function sweep(): Promise<void> {
    const at = performance.now()
    const { rows } = await pool.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
    snapshots.push({ snapshot: rows[0]!.snapshot, at })
    const old = snapshots.findLastIndex((one) => at - one.at >= REMEMBERED_SECONDS * 1000)
    if (old < 0) return
    snapshots = snapshots.slice(old)
    const values = [REMEMBERED_SECONDS, snapshots[0]!.snapshot, SWEPT]
    while (((await pool.query(REMOVE, values)).rowCount ?? 0) >= SWEPT);
  }

  async function poll(): Promise<void> {
    await catchUp().catch((error) => {
      // Logged once per outage.
      if (!isFailing) log.warn({ err: error }, 'failed to read the change feed')
      isFailing = true
    })
    if (timer) timer = setTimeout(poll, pollMs).unref()
  }

  return {
    catchUp,

    /** Subscribes to all later changes of a topic. @returns a function that unsubscribes */
    listen(topic: string, changed: Listener['changed'], lost: Listener['lost'] = () => {}): () => void {
      const listener = { topic, changed, lost }
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    /** Starts here: earlier changes are not reported. */
    async start(): Promise<void> {
      await catchUp()
      timer = setTimeout(poll, pollMs).unref()
      sweeper = setInterval(() => {
        sweep().catch((error) => log.warn({ err: error }, 'failed to purge the change feed'))
      }, SWEEP_MS).unref()
    },

    sweep,

    async stop(): Promise<void> {
      clearTimeout(timer)
      timer = undefined
      clearInterval(sweeper)
      await reading?.catch(() => {})
    },
  }
}

/** Publishes changes to every process, if and when the transaction commits. */
export async function publishChange(db: Kysely<AnyTables>, topic: string, subjects: string[]): Promise<void> {
  await sql`insert into changes (topic, subjects) values (${topic}, ${subjects})`.execute(db)
}
