import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import type { DatabaseClock } from '../database/clock.ts'
import type { AnyTables } from '../database/database.ts'
import type { Log } from '../logging/log.ts'

type Listener = {
  topic: string
  /** The ids of what changed, in the order of the changes of one transaction. */
  changed: (subjects: string[]) => void | Promise<void>
  /** What changed is not known: the process was away for longer than the feed remembers. */
  lost: () => void | Promise<void>
}
type Row = { id: string; topic: string; subjects: string[] }
type Reading = { xmin: string; now: string; server: string; rows: Row[] | null }
/** Where a process has read up to: all of transactions before `xmin`, and of those since, these. `now` is the database's clock, `at` that of this process, which nobody sets. */
type Position = { xmin: string; seen: Set<string>; now: number; server: string; at: number }

const POLL_MS = 250
const REMEMBERED_SECONDS = 600
/** A gap between two readings after which rows may have gone unread. */
const LOST_MS = (REMEMBERED_SECONDS * 1000) / 2
const SWEEP_MS = 60_000
/** Rows a statement. */
const SWEPT = 5000
/** So many ids of rows that were read are looked through for those that can be forgotten. */
const TRIM_AT = 1000

/**
 * One snapshot, and what it sees of the transactions that the reading before may have missed: those that were not over
 * then are at or after its xmin, however late they commit, so nothing is skipped and nobody waits for a long transaction.
 */
const READ = `
  select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, (extract(epoch from clock_timestamp()) * 1000)::text as now,
    pg_postmaster_start_time()::text as server,
    (select json_agg(json_build_object('id', id::text, 'topic', topic, 'subjects', subjects) order by id)
       from changes where transaction >= coalesce($1::xid8, pg_snapshot_xmin(pg_current_snapshot())) and not id = any($2::bigint[])) as rows`

/** A row is as old as its commit, however long its transaction took. */
const REMOVE = `
  delete from changes where id = any(array(
    select id from changes
     where at < clock_timestamp() - make_interval(secs => $1) and pg_visible_in_snapshot(transaction, $2::pg_snapshot) limit $3))`

export type ChangeFeed = ReturnType<typeof createChangeFeed>

type Deps = {
  pool: Pool
  log: Log
  pollMs?: number
  /** Learns the database's time from each reading. */
  clock?: Pick<DatabaseClock, 'learn'>
}

/** Tells this process what any process changed, itself included: each change once, after its commit. */
export function createChangeFeed({ pool, log, pollMs = POLL_MS, clock }: Deps) {
  const listeners = new Set<Listener>()
  let position: Position | undefined
  let reading: Promise<void> | undefined
  let next: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let sweeper: NodeJS.Timeout | undefined
  let isFailing = false
  let trimAt = TRIM_AT
  /** What was committed at some moments of the last minutes, the oldest first. */
  let snapshots: { snapshot: string; at: number }[] = []

  async function read(): Promise<void> {
    const at = performance.now()
    const values = [position?.xmin ?? null, [...(position?.seen ?? [])]]
    // Asked four times a second: it is planned once.
    const { rows: found } = await pool.query<Reading>({ name: 'read_changes', text: READ, values })
    const { xmin, now, server, rows } = found[0]!
    clock?.learn(Number(now), at, performance.now())
    const before = position
    // A database that was started anew may be another one, which has not all that the one before had.
    const isLost =
      before &&
      (before.server !== server ||
        BigInt(xmin) < BigInt(before.xmin) ||
        Number(now) - before.now > LOST_MS ||
        at - before.at > LOST_MS)
    // Ids of transactions that are over for every snapshot to come need not be kept, nor those of rows that are gone.
    const isTrimmed = before?.xmin !== xmin || isLost || before.seen.size > trimAt
    const kept = isTrimmed ? await stillOpen(before?.seen, xmin) : before.seen
    if (isTrimmed) trimAt = Math.max(TRIM_AT, 2 * kept.size)
    for (const { id } of rows ?? []) kept.add(id)
    position = { xmin, seen: kept, now: Number(now), server, at }
    if (isLost) snapshots = []
    if (isLost) await tell((listener) => listener.lost())
    else if (before)
      for (const { topic, subjects } of rows ?? [])
        await tell((listener) => (listener.topic === topic ? listener.changed(subjects) : undefined))
    isFailing = false
  }

  /** Those of the rows that were seen whose transactions a later reading would find again. */
  async function stillOpen(seen: Set<string> | undefined, xmin: string): Promise<Set<string>> {
    if (!seen || seen.size === 0) return new Set()
    const { rows } = await pool.query<{ id: string }>(
      'select id::text from changes where id = any($1::bigint[]) and transaction >= $2::xid8',
      [[...seen], xmin],
    )
    return new Set(rows.map(({ id }) => id))
  }

  async function tell(say: (listener: Listener) => void | Promise<void>): Promise<void> {
    for (const listener of listeners) {
      try {
        await say(listener)
      } catch (error) {
        log.error({ err: error, topic: listener.topic }, 'a change could not be taken in')
      }
    }
  }

  /** Resolves once all that was committed before the call has been told. @throws when the database cannot be asked */
  function catchUp(): Promise<void> {
    if (!reading) {
      reading = read().finally(() => {
        reading = undefined
      })
      return reading
    }
    // The one under way may have begun before what the caller means.
    next ??= reading
      .catch(() => {})
      .then(() => {
        next = undefined
        return catchUp()
      })
    return next
  }

  /** Removes what was committed so long ago that everybody has read it. */
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
      // Told once, not four times a second for as long as it lasts.
      if (!isFailing) log.warn({ err: error }, 'the change feed could not be read')
      isFailing = true
    })
    if (timer) timer = setTimeout(poll, pollMs).unref()
  }

  return {
    catchUp,

    /** Hears of all changes of a topic that are committed from now on. @returns what ends it */
    listen(topic: string, changed: Listener['changed'], lost: Listener['lost'] = () => {}): () => void {
      const listener = { topic, changed, lost }
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    /** Begins here: what was committed before is told to nobody. */
    async start(): Promise<void> {
      await catchUp()
      timer = setTimeout(poll, pollMs).unref()
      sweeper = setInterval(() => {
        sweep().catch((error) => log.warn({ err: error }, 'old rows of the change feed were not removed'))
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

/** Tells every process that these changed, if and when the transaction commits. */
export async function publishChange(db: Kysely<AnyTables>, topic: string, subjects: string[]): Promise<void> {
  await sql`insert into changes (topic, subjects) values (${topic}, ${subjects})`.execute(db)
}
