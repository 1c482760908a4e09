import { setTimeout as sleep } from 'node:timers/promises'
import { coalesceRuns } from '../../../platform/concurrency/coalesce.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { logOnce } from '../../../platform/live/log-once.ts'

/** Prefix of the application name of a process's rank connection, followed by the process's ID. rank_beat looks for it (0011_scoring.sql). */
export const ranksApplication = 'cairn-ranks '

const BEAT_MS = 500
/** Maximum age of a known generation: a process that starts a new one waits so long until all others know it. */
const LEASE_MS = 2_000
/** Others consider a process dead after 5 seconds without a heartbeat; it verifies before that. */
const BEAT_AT_LEAST_MS = 3_500
const RETRY_MS = 200

type Deps = { url: string; processId: string; onError: (error: unknown) => void }
type Beat = { generation: string }

export type RankCluster = ReturnType<typeof rankCluster>

/**
 * The processes that share ranks in one Redis. They coordinate in PostgreSQL alone, which has one state also if Redis is
 * partitioned. A board in Redis is valid if it was loaded in the current *generation*; every process learns of a new one
 * within two seconds, or uses none.
 */
export function rankCluster({ url, processId, onError }: Deps) {
  const applicationName = ranksApplication + processId
  const database = openDatabase({ url, applicationName, max: 1, statementTimeoutMs: 5_000 })
  const { failed, worked } = logOnce(onError)
  let known: { generation: string; at: number } | undefined
  let space: string | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let isOut = false
  /** While this process does not publish commits to Redis: resolves once no other process uses a board. */
  let out: Promise<void> | undefined
  /** Since then others considered it dead, and may have loaded boards without its commits. */
  let isForgotten = false
  let greeting: Promise<unknown> | undefined

  async function beat(isRenewed = false): Promise<void> {
    const at = performance.now()
    if (isOut && !isRenewed) await lookWhetherForgotten()
    const values = [processId, isOut, isRenewed]
    const { rows } = await database.pool.query<Beat>({
      name: 'beat',
      text: 'select * from rank_beat($1, $2, $3)',
      values,
    })
    space ??= await spaceOf()
    // Responses arrive in the order of requests, except that the first request sends a second one.
    if (!known || at >= known.at) known = { generation: rows[0]!.generation, at }
    worked()
  }

  async function lookWhetherForgotten(): Promise<void> {
    const text = 'update rank_processes set beat_at = clock_timestamp() where id = $1'
    const { rowCount } = await database.pool.query({ name: 'remembered', text, values: [processId] })
    if (rowCount === 0) isForgotten = true
  }

  /** The same for all processes of a database, and different for every other database. */
  async function spaceOf(): Promise<string> {
    const { rows } = await database.pool.query<{ space: string }>(
      `select (pg_control_system()).system_identifier::text || '.' || d.oid as space
         from pg_database d where d.datname = current_database()`,
    )
    return rows[0]!.space
  }

  async function beatOn(): Promise<void> {
    await beat().catch(failed)
    if (timer) timer = setTimeout(beatOn, BEAT_MS).unref()
  }

  /** Starts a new generation. Resolves once no process uses the previous one, including processes that read it at this moment. */
  async function renew(): Promise<void> {
    await beat(true)
    await sleep(LEASE_MS + 100)
  }

  async function untilItWorks(work: () => Promise<void>): Promise<void> {
    while (!isStopped) {
      try {
        return await work()
      } catch (error) {
        failed(error)
        await sleep(RETRY_MS)
      }
    }
  }

  /** Starts after a commit: verifies that no board was loaded before it, and otherwise invalidates all boards. */
  const stayOut = coalesceRuns(() =>
    untilItWorks(async () => {
      await lookWhetherForgotten()
      while (isForgotten) {
        isForgotten = false
        await renew().catch((error) => {
          isForgotten = true
          throw error
        })
      }
    }),
  )

  return {
    /** The generation that boards must have, or undefined while this process cannot be sure of it. */
    generation: (): string | undefined =>
      known && performance.now() - known.at < LEASE_MS ? known.generation : undefined,

    /** Prefix of the keys in Redis; undefined before the first `ready`. */
    space: (): string | undefined => space,

    /** Registers this process with the others, before it writes a score. @returns undefined if it is registered. @throws if the database is unavailable */
    ready(): undefined | Promise<unknown> {
      timer ??= setTimeout(beatOn, BEAT_MS).unref()
      if (known && performance.now() - known.at < BEAT_AT_LEAST_MS) return undefined
      greeting ??= beat().finally(() => {
        greeting = undefined
      })
      return greeting
    },

    /** Invalidates all loaded boards. Resolves once no process uses one. @throws if the database is unavailable */
    renew,

    /** Stops publishing commits; call it again after each. Resolves once no process uses or loads a board without the commit. */
    leave(): Promise<void> {
      isOut = true
      out ??= untilItWorks(renew)
      return out.then(stayOut)
    },

    /** Resumes publishing commits. Boards loaded from now on have the unpublished ones. */
    rejoin(): void {
      isOut = false
      out = undefined
      beat().catch(failed)
    },

    /** Whether commits are unpublished. */
    hasLeft: (): boolean => out !== undefined,

    /** @param leave deregisters: all commits are published. Otherwise the others detect that this process is gone */
    async stop({ leave: isAllTold }: { leave: boolean }): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      timer = undefined
      if (known && !isOut && isAllTold)
        await database.pool.query('delete from rank_processes where id = $1', [processId]).catch(() => {})
      await database.close()
    },
  }
}
