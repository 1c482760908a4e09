import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { dedicatedClient } from './dedicated-client.ts'
import { LOCKS } from './locks.ts'
import { KEEPALIVE } from './session-locks.ts'

/** How long PostgreSQL may take to notice that a process was killed. */
const NOTICED_MS = 500
/** How long a process waits for another one that is checking whether it is alone; a restore takes longer. */
const WAIT_MS = 5000
const STEP_MS = 50

/** A process that uses the database. */
export type RegisteredProcess = {
  /** null if the process does not report it */
  role: 'all' | 'api' | 'worker' | null
  /** The address it connects from; null on the same machine, through a socket. */
  address: string | null
  /** Since when it is registered. */
  since: string
}

const NAME = 'cairn-presence'

/**
 * Registers this process for all others: a shared session lock on a connection of its own, which ends with the process
 * in any case.
 */
export function createProcessRegistry(url: string, role: string) {
  let client: pg.Client | undefined
  let isLeft = false

  async function hold(): Promise<boolean> {
    const taking = await connect(url, `${NAME} ${role}`)
    try {
      const isAlone = await takeAlone(taking)
      await takeShared(taking)
      if (isAlone) await taking.query('select pg_advisory_unlock($1)', [LOCKS.processes])
      taking.once('end', () => void retake())
      client = taking
      return isAlone
    } catch (error) {
      await taking.end().catch(() => {})
      throw error
    }
  }

  /** The connection broke: takes the lock again once the database is back. */
  async function retake(): Promise<void> {
    while (!isLeft) {
      await sleep(NOTICED_MS, undefined, { ref: false })
      const isBack = await hold().then(
        () => true,
        () => false,
      )
      if (!isBack) continue
      if (isLeft) await client?.end().catch(() => {})
      return
    }
  }

  return {
    /** Registers this process. @returns whether it is the only one @throws a sentence while a backup is restored */
    join: (): Promise<boolean> => hold(),

    async leave(): Promise<void> {
      isLeft = true
      await client?.end().catch(() => {})
    },
  }
}

/** The registered processes, oldest first. */
export async function registeredProcesses(db: Pick<pg.ClientBase, 'query'>): Promise<RegisteredProcess[]> {
  const { rows } = await db.query<RegisteredProcess>(
    `select substring(a.application_name from '^${NAME} (all|api|worker)$') as role, host(a.client_addr) as address,
            a.backend_start as since
       from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.mode = 'ShareLock' and l.granted and l.classid = 0 and l.objid = $1 and l.objsubid = 1
        and l.database = (select oid from pg_database where datname = current_database())
      order by a.backend_start, a.pid`,
    [LOCKS.processes],
  )
  return rows
}

/**
 * Locks every process out of the database. @returns a function that admits them again @throws a sentence if there is
 * one
 */
export async function lockOutProcesses(url: string): Promise<() => Promise<void>> {
  const client = await connect(url, NAME)
  if (await takeAlone(client)) return () => client.end().catch(() => {})
  await client.end()
  throw new Error('A Cairn is running on this database: stop it first, with its workers')
}

async function connect(url: string, name: string): Promise<pg.Client> {
  const client = dedicatedClient(url, name)
  try {
    await client.connect()
    await client.query(KEEPALIVE)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

async function takeAlone(client: pg.Client): Promise<boolean> {
  for (let waited = 0; ; waited += STEP_MS) {
    if (await taken(client, 'pg_try_advisory_lock')) return true
    if (waited >= NOTICED_MS) return false
    await sleep(STEP_MS)
  }
}

async function takeShared(client: pg.Client): Promise<void> {
  for (let waited = 0; waited <= WAIT_MS; waited += STEP_MS) {
    if (await taken(client, 'pg_try_advisory_lock_shared')) return
    await sleep(STEP_MS)
  }
  throw new Error('A backup is being restored into this database: start again when it is done')
}

async function taken(client: pg.Client, lock: 'pg_try_advisory_lock' | 'pg_try_advisory_lock_shared') {
  const { rows } = await client.query<{ taken: boolean }>(`select ${lock}($1) as taken`, [LOCKS.processes])
  return rows[0]!.taken
}
