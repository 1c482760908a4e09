import { setTimeout as sleep } from 'node:timers/promises'
import { coalesceRuns } from '../../../platform/concurrency/coalesce.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { logOnce } from '../../../platform/live/log-once.ts'

/** How the one connection of a process that keeps ranks in Redis names itself, followed by the process's id. rank_beat looks for it (0011_scoring.sql). */
export const ranksApplication = 'cairn-ranks '

const BEAT_MS = 500
/** What was learned longer ago than this is not relied on: whoever makes a new generation waits so long until all know. */
const LEASE_MS = 2_000
/** Others take a process for dead after 5 seconds without a beat; before that it makes sure that they do not. */
const BEAT_AT_LEAST_MS = 3_500
const RETRY_MS = 200

type Deps = { url: string; processId: string; onError: (error: unknown) => void }
type Beat = { generation: string }

export type RankCluster = ReturnType<typeof rankCluster>

/**
 * The processes that keep ranks in one Redis, and what they agree on, in PostgreSQL alone: that has one truth also where
 * Redis is cut in two. A board in Redis counts while it was loaded in the present *generation*; every process learns of a
 * new one within two seconds, or relies on none.
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
  /** While this process does not tell Redis what it commits: resolves once every other one relies on no board. */
  let out: Promise<void> | undefined
  /** Since then others took it for dead, and may have loaded boards that lack what it committed. */
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
    // Answers come in the order of the questions, but the first one of all asks a second question.
    if (!known || at >= known.at) known = { generation: rows[0]!.generation, at }
    worked()
  }

  async function lookWhetherForgotten(): Promise<void> {
    const text = 'update rank_processes set beat_at = clock_timestamp() where id = $1'
    const { rowCount } = await database.pool.query({ name: 'remembered', text, values: [processId] })
    if (rowCount === 0) isForgotten = true
  }

  /** The same for all processes of a database, and another for every other database. */
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

  /** A new generation. Resolves once nobody relies on the one before: also who began at this moment may have learned of that. */
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

  /** Begins after a commit: makes sure that nobody loaded a board before it, and if somebody did that it counts no more. */
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
    /** The generation that boards must be of, or undefined while this process cannot be sure of it. */
    generation: (): string | undefined =>
      known && performance.now() - known.at < LEASE_MS ? known.generation : undefined,

    /** What keys in Redis begin with; undefined before the first `ready`. */
    space: (): string | undefined => space,

    /** Sees to it that others know of this process: before it writes a score. @returns undefined when they do. @throws when the database cannot be asked */
    ready(): undefined | Promise<unknown> {
      timer ??= setTimeout(beatOn, BEAT_MS).unref()
      if (known && performance.now() - known.at < BEAT_AT_LEAST_MS) return undefined
      greeting ??= beat().finally(() => {
        greeting = undefined
      })
      return greeting
    },

    /** No board that is loaded now counts any more. Resolves once no process relies on one. @throws when the database cannot be asked */
    renew,

    /** Commits go untold from now on; to be called again after each. Resolves once no process relies on a board that lacks it, and none loads one. */
    leave(): Promise<void> {
      isOut = true
      out ??= untilItWorks(renew)
      return out.then(stayOut)
    },

    /** Commits are told again. What went untold is in every board that is loaded from now on. */
    rejoin(): void {
      isOut = false
      out = undefined
      beat().catch(failed)
    },

    /** Whether commits go untold. */
    hasLeft: (): boolean => out !== undefined,

    /** @param leave takes leave of the others: all that was committed has been told. Else they find out that this process is gone. */
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
