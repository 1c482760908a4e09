import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { JobDefinition, Jobs } from '../../platform/database/jobs/jobs.ts'
import { inBatches } from '../../platform/database/query/batches.ts'

const JOB = 'purge-app'

/** Rows a transaction: some tenths of a second, whatever the app's size. */
const BATCH = 5_000

/** A key is taken for good without a query for a second after it ended, and a write begun then may be under way a while: when no write can come any more, none can be in the way. */
const LAST_WRITES_MS = 2_000

/** The tables of an app, those that refer to others first. What refers to `apps` with "on delete cascade" goes with its row. */
const TABLES = [
  // Nobody is to be told of what goes next.
  'webhook_endpoints',
  'webhook_deliveries',
  'session_players',
  'player_best',
  'players',
  'game_sessions',
  'mini_game_types',
]

type Deps = {
  pool: Pool
  jobs: Jobs
  /** Lets go of what memory keeps of the app. */
  forget: (appId: string) => void
  /** Removes the objects that nothing points to any more. */
  removeUnused: (atMostMs: number) => Promise<void>
}

/** Takes a deleted app's rows away in batches, so that no app is too large to delete. A run that breaks off is taken up again. */
export function appPurge({ pool, jobs, forget, removeUnused }: Deps) {
  const stopping = new AbortController()

  const removeRows = async (table: string, appId: string, signal: AbortSignal) => {
    const text = `delete from ${table} where ctid = any (array(select ctid from ${table} where app_id = $1 limit ${BATCH}))`
    await inBatches(BATCH, async () => {
      signal.throwIfAborted()
      return (await pool.query(text, [appId])).rowCount
    })
  }

  const purge = async (appId: string, signal: AbortSignal) => {
    await pause(LAST_WRITES_MS, undefined, { signal })
    forget(appId)
    for (const table of TABLES) await removeRows(table, appId, signal)
    // Answers that were kept for repeats show what the app held.
    await pool.query("delete from idempotency_keys where scope = $1 or scope like $1 || ' %'", [`app:${appId}`])
    await pool.query('delete from apps where id = $1 and deleted_at is not null', [appId])
    await removeUnused(Number.POSITIVE_INFINITY)
  }

  return {
    job: {
      name: JOB,
      expireInSeconds: 3600,
      concurrency: 1,
      run: ({ appId }, signal) => purge(appId, signal),
    } satisfies JobDefinition<{ appId: string }>,

    /** Takes up deletions whose job was given up, such as when the database was away for long. */
    async finish(): Promise<void> {
      const { rows } = await pool.query<{ id: string }>(
        "select id from apps where deleted_at < now() - interval '2 hours' limit 100",
      )
      for (const { id } of rows) await purge(id, stopping.signal)
    },

    /** Breaks off what `finish` does. */
    stop: () => stopping.abort(new Error('The process is stopping')),

    /** In the transaction that deletes the app. */
    request: (trx: Parameters<Jobs['enqueue']>[0], appId: string) => jobs.enqueue(trx, JOB, { appId }),

    /** To be called when that transaction committed. */
    begin(appId: string) {
      forget(appId)
      jobs.wake(JOB)
    },
  }
}
