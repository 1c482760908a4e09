import { Worker } from 'node:worker_threads'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { createConcurrencyLimiter } from '../../concurrency/concurrency-limiter.ts'
import { unavailable } from '../../errors.ts'
import { collectYoungGarbage } from '../../process/garbage.ts'
import { programFile } from '../../process/project-files.ts'
import { type AnyTables, CONNECT_TIMEOUT_MS, type DatabaseOptions } from '../database.ts'
import { LOCK_TIMEOUT_MS } from '../fair-pool.ts'
import { currentRequest } from '../request-context.ts'
import type { FromThread, Statement, ToThread } from './messages.ts'

/** Milliseconds that an idle thread is kept. */
const IDLE_MS = 10_000
/** Connections to each database. */
const MAX_CONNECTIONS = 2
/** Waiting statements; two run in some 50 ms. */
const MAX_WAITING = 500
/** Of the thread: a read is some megabytes. */
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 }

/** JSON rows separated by commas: a text, or its bytes from the thread. */
export type JsonRows = string | Uint8Array
type Query = (text: string, values?: unknown[], signal?: AbortSignal) => Promise<pg.QueryResult>
type Waiting = { resolve: (result: pg.QueryResult) => void; reject: (error: Error) => void }
type PoolOptions = Pick<DatabaseOptions, 'applicationName' | 'connectMs'>
type Started = { worker: Worker; waiting: Map<number, Waiting> }

export type BulkThread = ReturnType<typeof createBulkThread>

/**
 * Runs statements that read much in a thread with connections of its own, so that the main thread neither parses nor
 * collects what it only passes on. It starts with the first statement and ends when idle.
 */
export function createBulkThread() {
  let started: Started | undefined
  let timer: NodeJS.Timeout | undefined
  let last = 0
  const tidyUp = collectYoungGarbage()

  function start(): Started {
    const worker = new Worker(programFile('server/platform/database/bulk/bulk-thread'), { resourceLimits: MEMORY })
    const made: Started = { worker, waiting: new Map() }
    const lost = (why: string) => {
      if (started === made) started = undefined
      for (const { reject } of made.waiting.values()) reject(new Error(`The thread of large reads ended: ${why}`))
      made.waiting.clear()
    }
    worker.once('error', (error: Error) => lost(error.stack ?? error.message))
    worker.once('exit', (code) => lost(`code ${code}`))
    worker.on('message', (message: FromThread) => {
      const { resolve, reject } = made.waiting.get(message.id) ?? {}
      made.waiting.delete(message.id)
      if (made.waiting.size === 0) rest(made)
      if ('rows' in message) {
        // Soon garbage: what arrived before has been passed on.
        tidyUp(bytesIn(message.rows))
        resolve?.({ ...EMPTY, rows: message.rows, rowCount: message.rows.length } as pg.QueryResult)
      } else reject?.(Object.assign(new Error(message.failure.message), message.failure))
    })
    return made
  }

  /** An idle thread does not keep the process alive. */
  function rest(idle: Started) {
    idle.worker.unref()
    if (started !== idle) return
    clearTimeout(timer)
    timer = setTimeout(() => void end(), IDLE_MS).unref()
  }

  async function end(): Promise<void> {
    clearTimeout(timer)
    const ended = started?.worker
    started = undefined
    if (!ended) return
    const exited = new Promise((resolve) => ended.once('exit', resolve))
    ended.postMessage({ isEnding: true } satisfies ToThread)
    await exited
  }

  /** @param signal ends the connection of the statement, or its wait for one */
  function run({ database, text, values }: Omit<Statement, 'id'>, signal?: AbortSignal): Promise<pg.QueryResult> {
    signal?.throwIfAborted()
    clearTimeout(timer)
    started ??= start()
    const { worker, waiting } = started
    const id = ++last
    worker.ref()
    const abandon = () => worker.postMessage({ abandoned: id } satisfies ToThread)
    signal?.addEventListener('abort', abandon)
    return new Promise<pg.QueryResult>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      worker.postMessage({ id, database, text, values } satisfies ToThread)
    }).finally(() => signal?.removeEventListener('abort', abandon))
  }

  return {
    /**
     * The part of a pool that Kysely uses, on this thread: single statements that only read, whose column `text`
     * arrives as bytes, a JSON array as its elements separated by commas. At most two run at a time; others wait, with senders taking turns. @throws 503 if too many wait
     */
    pool(url: string, { applicationName, connectMs = CONNECT_TIMEOUT_MS }: PoolOptions): pg.Pool {
      const database: DatabaseOptions = {
        url,
        applicationName,
        connectMs,
        max: MAX_CONNECTIONS,
        statementTimeoutMs: 30_000,
        lockTimeoutMs: LOCK_TIMEOUT_MS,
      }
      const limited = createConcurrencyLimiter({
        maxConcurrent: MAX_CONNECTIONS,
        maxWaiting: MAX_WAITING,
        full: () => unavailable('The database is busy. Retry in 2 seconds', 2),
      })
      const query: Query = (text, values = [], signal) => {
        const sender = currentRequest()?.sender ?? ''
        return limited(async () => run({ database, text, values }, signal), { sender, signal })
      }
      return {
        query: (text: string, values?: unknown[]) => query(text, values),
        connect: async () => clientOn(query),
        end: async () => {},
      } as unknown as pg.Pool
    },

    /** Ends the thread and its connections. */
    close: end,
  }
}

/** The part of a client that Kysely and the choice of a replica use. To end its connection ends a waiting statement too. */
function clientOn(query: Query) {
  const abandoning = new AbortController()
  return {
    query: (text: string, values?: unknown[]) => query(text, values, abandoning.signal),
    release: () => {},
    connection: { stream: { destroy: () => abandoning.abort(new Error('Connection terminated')) } },
  }
}

function bytesIn(rows: object[]): number {
  let bytes = 0
  for (const row of rows) for (const value of Object.values(row)) if (value instanceof Uint8Array) bytes += value.length
  return bytes
}

const EMPTY = { command: 'SELECT', oid: 0, fields: [] }

/** A query builder on a pool. */
export const kyselyOn = (pool: pg.Pool): Kysely<AnyTables> => new Kysely({ dialect: new PostgresDialect({ pool }) })

/** What an aggregate of no rows lacks. */
export const textsOf = (rows: { text: JsonRows | null }[]): JsonRows[] =>
  rows.flatMap(({ text }) => (text === null ? [] : [text]))
