import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { JobDefinition, Jobs } from '../../platform/database/jobs/jobs.ts'
import { inBatches } from '../../platform/database/query/batches.ts'

const JOB = 'purge-app'

/** Rows per transaction: some tenths of a second, for an app of any size. */
const BATCH = 5_000

/**
 * An ended key is accepted from the cache for a second, and a write started then may take a while. After this time no
 * write can arrive, so none can block the deletion.
 */
const LAST_WRITES_MS = 2_000

/** The tables of an app, referring ones first. Tables that refer to `apps` with "on delete cascade" go with its row. */
const TABLES = [
  // Webhooks go first, so that no event of the deletion is sent.
  'webhook_endpoints',
  'webhook_deliveries',
  'session_players',
  'score_history',
  'segment_best',
  'player_best',
  'period_best',
  'check_ins',
  'fence_events',
  'entering_fixes',
  'player_positions',
  'fence_awards',
  'fences',
  'player_storage',
  'player_attributes',
  'players',
  'game_sessions',
  'mini_game_types',
]

type Deps = {
  pool: Pool
  jobs: Jobs
  /** Drops what is cached of the app. */
  forget: (appId: string) => void
  /** Removes objects that nothing refers to. */
  removeUnused: (atMostMs: number) => Promise<void>
}

/**
 * Deletes the rows of a deleted app in batches, so that an app of any size can be deleted. An interrupted run is
 * resumed.
 */
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
    // Responses stored for idempotency contain data of the app.
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

    /** Resumes deletions whose job has failed, for example because the database was down for long. */
    async finish(): Promise<void> {
      const { rows } = await pool.query<{ id: string }>(
        "select id from apps where deleted_at < now() - interval '2 hours' limit 100",
      )
      for (const { id } of rows) await purge(id, stopping.signal)
    },

    /** Stops `finish`. */
    stop: () => stopping.abort(new Error('The process is stopping')),

    /** Enqueues the job, in the transaction that deletes the app. */
    request: (trx: Parameters<Jobs['enqueue']>[0], appId: string) => jobs.enqueue(trx, JOB, { appId }),

    /** Starts the job; call it after that transaction has committed. */
    begin(appId: string) {
      forget(appId)
      jobs.wake(JOB)
    },
  }
}
