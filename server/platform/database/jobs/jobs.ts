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
  /** Seconds one run may take before it is given to another worker. */
  expireInSeconds: number
  /** Runs at once in one process. */
  concurrency: number
  /** How many of these may be of one group (`enqueue`), so that one group never takes them all. */
  perGroup?: number
  /** How often a run that failed, or whose process died, is tried again; 5 unless said. The waits between grow to a minute. */
  retryLimit?: number
  /** Does the work. Once the signal is aborted it should stop at a safe point and throw: the job is tried again later. */
  run: (data: Data, signal: AbortSignal) => Promise<void>
  /** Sets right what a run begins from, before a job that failed is done again. Absent: it begins from nothing. @throws HttpError that says why not, and what to do instead */
  again?: (data: Data, transaction: Transaction<AnyTables>) => Promise<void>
}

export type Jobs = ReturnType<typeof createJobs>

type StartOptions = { work: boolean; isAlone?: boolean }

/** A job that waited in another database. */
export type RestoredJob = { name: string; data: object; key: string | null; group: string | null; startAfter: string }

type JobParts = {
  url: string
  log: Log
  /** Tells the processes that work on jobs, where this one does not, that there is one of this name. */
  wakeOthers?: (name: string) => void
}

const HEARTBEAT_SECONDS = 10
/** How soon a job is found that nobody was told of: one that is tried again, or that another process made. */
const LOOK_MS = 2000
/** Each worker looks for itself too, should the look for all fail. */
const WORKER_LOOKS_SECONDS = 60

/** Those of the queues that have a job to be taken now. */
const DUE = `
  select queue.name from unnest($1::text[]) queue (name)
   where exists (
     select from pgboss.job
      where job.name = queue.name and job.state < 'active' and not job.blocked and job.start_after <= now())`

/** Most of what is kept are jobs that ended well: the others are found and counted without going through them all (`NOT_DONE`).
 * Beside pg-boss's own indexes, so made once its table is there; where that is in use for half a second, at a later start. */
const INDEX_OF_NOT_DONE = `
  do $$ begin
    if to_regclass('pgboss.job_common_not_done') is null and pg_try_advisory_xact_lock(${LOCKS.jobIndex}) then
      perform set_config('lock_timeout', '500ms', true);
      create index if not exists job_common_not_done on pgboss.job_common (created_on, id) where ${NOT_DONE};
    end if;
  exception when lock_not_available then
    null;
  end $$`

/** Work that outlives a request, kept in the same PostgreSQL (pg-boss): a job exists if, and only if, the transaction that asked for it committed.
 * A worker that dies stops its heartbeat, and the job goes to another; so every job must be safe to run again. */
export function createJobs({ url, log, wakeOthers }: JobParts) {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'cairn-jobs',
    max: 4,
    superviseIntervalSeconds: HEARTBEAT_SECONDS,
    monitorIntervalSeconds: HEARTBEAT_SECONDS,
    schedule: false,
  })
  boss.on('error', (error) => log.error({ err: error }, 'jobs'))
  const definitions: JobDefinition<object>[] = []
  /** Their ids, by queue; each takes one job at a time. */
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

  /** To pg-boss a job whose heartbeat is long past is lost: its supervision gives it out again. */
  async function takeUpLost() {
    const database = boss.getDb()
    await database.executeSql(
      `update pgboss.job set heartbeat_on = to_timestamp(0) where state = 'active' and heartbeat_seconds is not null`,
    )
    await database.executeSql(`update pgboss.queue set monitor_claim_on = null`)
    await boss.supervise()
  }

  /** Lets the workers look at once, or when they are done with what they do. */
  function wakeHere(name: string) {
    for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker)
  }

  /** One question for all queues, instead of one from each worker. */
  async function look() {
    try {
      await held.look(definitions, works)
      if (!works) return
      const due: { rows: { name: string }[] } = await boss.getDb().executeSql(DUE, [[...workers.keys()]])
      for (const { name } of due.rows) wakeHere(name)
    } catch (error) {
      if (!stopping.signal.aborted) log.error({ err: error }, 'jobs')
    } finally {
      if (!stopping.signal.aborted) timer = setTimeout(look, LOOK_MS).unref()
    }
  }

  function wake(name: string) {
    if (workers.has(name)) wakeHere(name)
    else wakeOthers?.(name)
  }

  async function begin({ work, isAlone = false }: StartOptions): Promise<void> {
    await boss.start()
    await boss.getDb().executeSql(INDEX_OF_NOT_DONE)
    if (isAlone) await takeUpLost()
    for (const { name, expireInSeconds } of definitions)
      await boss.createQueue(name, {
        expireInSeconds,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        retryLimit: 5,
        retryDelay: 1,
        retryBackoff: true,
      })
    works = work
    await held.look(definitions, false)
    if (work) for (const definition of definitions) if (!held.isHeld(definition.name)) await beginWork(definition)
    timer = setTimeout(look, LOOK_MS).unref()
  }

  async function beginWork({ name, concurrency, perGroup, run }: JobDefinition<object>): Promise<void> {
    await boss.work<object>(
      name,
      {
        pollingIntervalSeconds: WORKER_LOOKS_SECONDS,
        localConcurrency: concurrency,
        ...(perGroup && { localGroupConcurrency: perGroup }),
      },
      async ([job]: Job<object>[]) => {
        // What waits in line is looked for at once, not with the next look.
        // A request may have woken it: it is no part of that.
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
  }

  /** Tells running jobs to stop at the next safe point and waits for them, for so many milliseconds at most. What did not end is run again by the next worker. */
  async function stop(atMostMs = 8000): Promise<void> {
    stopping.abort(new Error('The process is stopping'))
    clearTimeout(timer)
    // pg-boss itself looks each half a second whether they have ended.
    const ended = Promise.all([held.ended(), ...definitions.map(({ name }) => boss.offWork(name))])
    await Promise.race([ended, sleep(Math.min(atMostMs, 8000), undefined, { ref: false })])
    await boss.stop({ graceful: false })
  }

  return {
    /** Says how jobs of this name are done. To be called before `start`. */
    define<Data extends object>(definition: JobDefinition<Data>) {
      definitions.push(definition as unknown as JobDefinition<object>)
    },

    /** Makes the queues; with `work` this process also takes jobs. Where it is the only one that does, what a process before it was killed over is taken up at once; otherwise once the other's heartbeat has been missed. */
    async start(options: StartOptions): Promise<void> {
      // What a start that failed leaves behind would keep a command from ending.
      await begin(options).catch(async (error) => {
        await stop().catch(() => {})
        throw error
      })
    },

    /** Adds a job inside the caller's transaction. After it committed, `wake` spares the job the wait for the next look.
     * @param inSeconds when it is to be done at the earliest */
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

    /** Lets a job that failed be done again, as part of the transaction; after it committed, `wake` spares it the wait.
     * @throws 404, 409 when it did not fail, or what `again` of its definition throws */
    async retry(transaction: Transaction<AnyTables>, name: string, id: string): Promise<void> {
      const definition = definitions.find((one) => one.name === name)
      const { rows } = await sql<{ state: string; data: object }>`
        select state::text, data from pgboss.job where name = ${name} and id = ${id}::uuid for update`.execute(
        transaction,
      )
      const [job] = rows
      if (!definition || !job) throw notFound('Job')
      if (job.state !== 'failed') throw conflict('Only a job that failed can be retried')
      await definition.again?.(job.data, transaction)
      await boss.retry(name, id, { db: fromKysely(transaction) })
    },

    wake,
    wakeHere,

    /** Whether jobs of this name wait for room just now. */
    isHeld: held.isHeld,
    /** All names whose jobs do. */
    held: held.names,

    /** Puts jobs of another database into this one, in the transaction of `client`; `start` was called before. */
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

/** What pg-boss is told of a job, beside when it is to be done. */
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
