import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { UnknownOutcome } from '../../../platform/errors.ts'

/** Every connection that writes scores names itself so, followed by the process's own id. */
export const scoreApplication = 'cairn-scores '

export type Statement = { name: string; text: string; values: unknown[] }

type Deps = {
  /** Opened under {@link scoreApplication} + a process id; used by nothing else. */
  pool: pg.Pool
  applicationName: string
  /** How long to wait for an answer. Longer than the server's statement_timeout, which gives a known outcome. */
  timeoutMs?: number
}

/**
 * Runs statements on the connections that write scores, and knows which server processes may still be at work on a
 * statement whose answer was lost: a socket that dies does not stop the server.
 */
export function scoreConnections({ pool, applicationName, timeoutMs = 15_000 }: Deps) {
  const lost = new Set<number>()
  let othersEnded: Promise<void> | undefined

  pool.on('connect', (client) => {
    client.on('error', () => {}) // the statement under way reports it
    lost.delete(processOf(client)) // a number that is used again belonged to a process that has ended
  })

  /** A statement of its own transaction. @throws UnknownOutcome if the connection went away or did not answer in time, or the database's error when nothing was written. */
  async function run<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]> {
    const client = await pool.connect()
    try {
      const { rows } = await withTimeout(client.query<Row>(statement), timeoutMs)
      client.release()
      return rows
    } catch (error) {
      // Only an error on a connection that lives on means "did not happen". (Its severity is a translated word.)
      if (error instanceof pg.DatabaseError && (await isAlive(client))) {
        client.release()
        throw error
      }
      lost.add(processOf(client))
      client.release(true) // closes the socket without waiting for the statement under way
      throw new UnknownOutcome('The database went away while this was written: send the request again', error)
    }
  }

  async function isAlive(client: pg.PoolClient): Promise<boolean> {
    try {
      await withTimeout(client.query('select 1'), timeoutMs)
      return true
    } catch {
      return false
    }
  }

  /** A crashed process leaves statements behind: its connections are known by their name. */
  async function endOthers(): Promise<void> {
    const others = `datname = current_database() and starts_with(application_name, $1) and application_name <> $2`
    await endUntilGone(others, [scoreApplication, applicationName])
  }

  async function endUntilGone(which: string, values: unknown[]): Promise<void> {
    const text = `select pg_terminate_backend(pid) from pg_stat_activity where ${which}`
    for (let pause = 1; ((await pool.query(text, values)).rowCount ?? 0) > 0; pause = Math.min(50, pause * 2)) {
      await sleep(pause)
    }
  }

  /** Ends and waits out the statements of this process whose outcome is unknown. A snapshot taken afterwards sees all they did. */
  async function endLost(): Promise<void> {
    while (lost.size > 0) {
      const pids = [...lost]
      await endUntilGone('datname = current_database() and application_name = $1 and pid = any($2)', [
        applicationName,
        pids,
      ])
      for (const pid of pids) lost.delete(pid)
    }
  }

  return {
    run,
    endLost,

    /** The same, and those of every other process: earlier ones, where this is the only one there is. */
    async fence(): Promise<void> {
      othersEnded ??= endOthers()
      try {
        await othersEnded
      } catch (error) {
        othersEnded = undefined
        throw error
      }
      await endLost()
    },
  }
}
export type ScoreConnections = ReturnType<typeof scoreConnections>

/** The server process behind a connection. */
function processOf(client: pg.ClientBase): number {
  return (client as pg.ClientBase & { processID: number }).processID
}

/** Rejects when the response takes longer. The statement keeps running: the caller must close the connection. */
async function withTimeout<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The database did not answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
