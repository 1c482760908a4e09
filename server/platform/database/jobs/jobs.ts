import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import type { ClientBase } from 'pg'
import { fromKysely, type Job, PgBoss } from 'pg-boss'
import { conflict, notFound } from '../../errors.ts'
import type { Log } from '../../logging/log.ts'
import type { AnyTables } from '../database.ts'
import { LOCKS } from '../locks/locks.ts'
import { runOutsideRequest } from '../request-context.ts'
import { NOT_DONE } from './job-queues.ts'
import { type PausableQueue, pausedQueues } from './paused-queues.ts'

export type JobDefinition<Data extends object> = PausableQueue & {
  /** Seconds after which a run is given to another worker. */
  expireInSeconds: number
  /** Concurrent runs per process. */
  concurrency: number
  /** Maximum number of these in one group (`enqueue`), so that one group cannot take them all. */
  perGroup?: number
  /** Retries after a failure or a dead process; 5 by default. Delays grow to a minute. */
  retryLimit?: number
  /**
   * Runs the job. Once the signal is aborted it should stop at a safe point and throw; the job is then retried later.
   */
  run: (data: Data, signal: AbortSignal) => Promise<void>
  /**
   * Prepares a failed job's record for a retry. Absent: nothing to prepare. @throws HttpError that says why not, and
   * what to do instead
   */
  prepareRetry?: (data: Data, transaction: Transaction<AnyTables>) => Promise<void>
}

export type Jobs = ReturnType<typeof createJobs>

type StartOptions = { work: boolean; isAlone?: boolean }

/** A pending job from a backup. */
export type RestoredJob = { name: string; data: object; key: string | null; group: string | null; startAfter: string }

type JobParts = {
  url: string
  log: Log
  /** Wakes processes with workers, if this one has none, for a job of this name. */
  wakeOthers?: (name: string) => void
}

const HEARTBEAT_SECONDS = 10
/** How soon a job is found without a notification: a retry, or one of another process. */
const LOOK_MS = 2000
/** Each worker also polls by itself, in case the shared poll fails. */
const WORKER_LOOKS_SECONDS = 60

/** Queues that have a due job. */
const DUE = `
  select queue.name from unnest($1::text[]) queue (name)
   where exists (
     select from pgboss.job
      where job.name = queue.name and job.state < 'active' and not job.blocked and job.start_after <= now())`

/**
 * Most stored jobs have completed: this index finds the others without scanning them all (`NOT_DONE`). It is created
 * once pg-boss's table exists; if the table is locked for half a second, at a later start.
 */
const INDEX_OF_NOT_DONE = `
  do $$ begin
    if to_regclass('pgboss.job_common_not_done') is null and pg_try_advisory_xact_lock(${LOCKS.jobIndex}) then
      perform set_config('lock_timeout', '500ms', true);
      create index if not exists job_common_not_done on pgboss.job_common (created_on, id) where ${NOT_DONE};
    end if;
  exception when lock_not_available then
    null;
  end $$`

/**
 * Background jobs in PostgreSQL (pg-boss): a job exists if and only if the transaction that enqueued it committed. If a
 * worker dies, its heartbeat stops and another takes the job, so every job must be idempotent.
 */
export function createJobs({ url, log, wakeOthers }: JobParts) {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'cairn-jobs',
    max: 4,
    superviseIntervalSeconds: HEARTBEAT_SECONDS,
    monitorIntervalSeconds: HEARTBEAT_SECONDS,
    schedule: false,
  })
  boss.on('error', (error) => log.error({ err: error }, 'the job queues reported an error'))
  const definitions: JobDefinition<object>[] = []
  /** Worker IDs by queue, from its first due job on; each runs one job at a time. */
  const workers = new Map<string, string[]>()
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let works = false
  const held = pausedQueues<JobDefinition<object>>({
    begin: beginWork,
    end: async ({ name }) => {
      workers.delete(name)
      await boss.offWork(name)
    },
    log,
  })

  /** pg-boss treats jobs with an expired heartbeat as lost, and its supervision retries them. */
  async function takeUpLost() {
    const database = boss.getDb()
    const lost: { rows: object[] } = await database.executeSql(
      `update pgboss.job set heartbeat_on = to_timestamp(0) where state = 'active' and heartbeat_seconds is not null
       returning id`,
    )
    if (lost.rows.length === 0) return
    await database.executeSql(`update pgboss.queue set monitor_claim_on = null`)
    await boss.supervise()
  }

  /** Whether this process runs jobs of this name now. */
  const runsHere = (name: string) => works && !stopping.signal.aborted && !held.isHeld(name)

  /** Makes the workers poll at once, or after their current job. The first time, starts them. */
  function wakeHere(name: string) {
    const own = workers.get(name)
    if (own) for (const worker of own) boss.notifyWorker(worker)
    else if (runsHere(name))
      for (const definition of definitions.filter((one) => one.name === name))
        beginWork(definition).catch((error) =>
          log.error({ err: error, queue: name }, 'failed to start the workers of a queue'),
        )
  }

  /** One query for all queues, instead of one per worker. */
  async function wakeDue() {
    const running = definitions.filter(({ name }) => runsHere(name)).map(({ name }) => name)
    const due: { rows: { name: string }[] } = await boss.getDb().executeSql(DUE, [running])
    for (const { name } of due.rows) wakeHere(name)
  }

  async function look() {
    try {
      await held.look(definitions, works)
      if (works) await wakeDue()
    } catch (error) {
      if (!stopping.signal.aborted) log.error({ err: error }, 'failed to look for due jobs')
    } finally {
      if (!stopping.signal.aborted) timer = setTimeout(look, LOOK_MS).unref()
    }
  }

  function wake(name: string) {
    if (runsHere(name)) wakeHere(name)
    else wakeOthers?.(name)
  }

  async function begin({ work, isAlone = false }: StartOptions): Promise<void> {
    await boss.start()
    await boss.getDb().executeSql(INDEX_OF_NOT_DONE)
    if (isAlone) await takeUpLost()
    const existing = new Set((await boss.getQueues()).map(({ name }) => name))
    for (const { name, expireInSeconds } of definitions.filter(({ name }) => !existing.has(name)))
      await boss.createQueue(name, {
        expireInSeconds,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        retryLimit: 5,
        retryDelay: 1,
        retryBackoff: true,
      })
    await held.look(definitions, false)
    works = work
    if (work) await wakeDue()
    timer = setTimeout(look, LOOK_MS).unref()
  }

  async function beginWork({ name, concurrency, perGroup, run }: JobDefinition<object>): Promise<void> {
    const begun = boss.work<object>(
      name,
      {
        pollingIntervalSeconds: WORKER_LOOKS_SECONDS,
        localConcurrency: concurrency,
        ...(perGroup && { localGroupConcurrency: perGroup }),
      },
      async ([job]: Job<object>[]) => {
        // Poll for the next job at once, outside the context of the request that may have woken this one.
        if (job)
          await runOutsideRequest(() => run(job.data, AbortSignal.any([job.signal, stopping.signal]))).finally(() =>
            wakeHere(name),
          )
      },
    )
    const own = boss.getWipData().filter((worker) => worker.name === name)
    workers.set(
      name,
      own.map(({ id }) => id),
    )
    await begun
  }

  /**
   * Signals running jobs to stop at the next safe point and waits at most this many milliseconds. Jobs that did not end
   * run again on the next worker.
   */
  async function stop(atMostMs = 8000): Promise<void> {
    stopping.abort(new Error('The process is stopping'))
    clearTimeout(timer)
    // pg-boss itself checks only every half second.
    const ended = Promise.all([held.ended(), ...definitions.map(({ name }) => boss.offWork(name))])
    await Promise.race([ended, sleep(Math.min(atMostMs, 8000), undefined, { ref: false })])
    await boss.stop({ graceful: false })
  }

  return {
    /** Defines how jobs of this name run. Call it before `start`. */
    define<Data extends object>(definition: JobDefinition<Data>) {
      definitions.push(definition as unknown as JobDefinition<object>)
    },

    /**
     * Creates the queues; with `work` this process also runs jobs. If no other process does, it resumes jobs of a
     * killed predecessor at once, otherwise once their heartbeat has expired.
     */
    async start(options: StartOptions): Promise<void> {
      // A failed start must not leave anything that keeps a command from ending.
      await begin(options).catch(async (error) => {
        await stop().catch(() => {})
        throw error
      })
    },

    /**
     * Adds a job inside the caller's transaction. After the commit, `wake` starts it without waiting for the next poll.
     * @param inSeconds earliest start
     */
    async enqueue(
      transaction: Transaction<AnyTables>,
      name: string,
      data: object,
      { key, group, inSeconds }: { key?: string; group?: string; inSeconds?: number } = {},
    ) {
      const definition = definitions.find((one) => one.name === name)
      await boss.send(name, data, {
        db: fromKysely(transaction),
        ...optionsOf(definition, { key, group }),
        ...(inSeconds && { startAfter: inSeconds }),
      })
    },

    /**
     * Retries a failed job in the transaction; after the commit, `wake` starts it at once. @throws 404; 409 if it has
     * not failed; errors of its `prepareRetry`
     */
    async retry(transaction: Transaction<AnyTables>, name: string, id: string): Promise<void> {
      const definition = definitions.find((one) => one.name === name)
      const { rows } = await sql<{ state: string; data: object }>`
        select state::text, data from pgboss.job where name = ${name} and id = ${id}::uuid for update`.execute(
        transaction,
      )
      const [job] = rows
      if (!definition || !job) throw notFound('Job')
      if (job.state !== 'failed') throw conflict('Only a failed job can be retried')
      await definition.prepareRetry?.(job.data, transaction)
      await boss.retry(name, id, { db: fromKysely(transaction) })
    },

    wake,
    wakeHere,

    /** Whether the queue is paused for lack of disk space. */
    isHeld: held.isHeld,
    /** The names of all paused queues. */
    held: held.names,

    /** Adds jobs of a backup in the transaction of `client`; needs a previous `start`. */
    async restore(client: ClientBase, jobs: RestoredJob[]): Promise<void> {
      const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) }
      for (const { name, data, key, group, startAfter } of jobs) {
        const definition = definitions.find((one) => one.name === name)
        if (!definition) continue
        await boss.send(name, data, {
          db,
          ...optionsOf(definition, { key, group }),
          startAfter: new Date(startAfter),
        })
      }
    },

    stop,
  }
}

type Place = { key?: string | null | undefined; group?: string | null | undefined }

/** The options of a job for pg-boss, besides its start time. */
const optionsOf = (definition: { retryLimit?: number } | undefined, { key, group }: Place) => ({
  ...(definition?.retryLimit && {
    retryLimit: definition.retryLimit,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
  }),
  ...(key && { singletonKey: key }),
  ...(group && { group: { id: group } }),
})
