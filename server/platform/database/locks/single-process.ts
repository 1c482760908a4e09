import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { dedicatedClient } from './dedicated-client.ts'
import { LOCKS } from './locks.ts'
import { KEEPALIVE } from './session-locks.ts'

type Options = {
  /** Whether several such processes may serve together, sharing state in Redis. */
  isShared?: boolean
  /** Called if the connection broke and another process took the lock. */
  onLost: (sentence: string) => void
}

/**
 * Takes the lock to serve this database: exclusively, because ranks in memory would be wrong with a second writer, or
 * shared among processes with Redis. It is a session lock on a connection of its own and ends with the process in any
 * case. @throws a sentence if another process holds it, or if the address is a pooler that cannot hold session locks
 */
export async function holdSingleProcess(
  url: string,
  { isShared = false, onLost }: Options,
): Promise<() => Promise<void>> {
  let client = await take(url, isShared)
  let ended = false

  const watch = (held: pg.Client) =>
    held.once('end', async () => {
      // However long the database is away, requests return 503. Once it is back the lock is requested again within half
      // a second; a process that finds it taken ends.
      while (!ended) {
        await sleep(500)
        const again = await take(url, isShared).catch((error: Error) => error)
        if (again instanceof pg.Client) {
          client = again
          watch(again)
          return
        }
        if (again instanceof TakenError) return onLost(again.message)
      }
    })
  watch(client)

  return async () => {
    ended = true
    await client.end().catch(() => {})
  }
}

const SERVED =
  'Another Cairn already serves this database. Stop it first, or give this one a CAIRN_DATA_DIR (or CAIRN_DATABASE_URL) of its own. To serve it with several, give each of them the same CAIRN_DATABASE_URL and CAIRN_REDIS_URL'
const SERVED_ALONE =
  'A Cairn without CAIRN_REDIS_URL already serves this database. Stop it first, and restart it with the CAIRN_REDIS_URL of this one'

class TakenError extends Error {}

async function take(url: string, isShared: boolean): Promise<pg.Client> {
  const client = dedicatedClient(url, 'cairn-single-process')
  try {
    await client.connect()
    await client.query(KEEPALIVE)
    // It may take a moment until the connection of a killed process is noticed.
    for (let attempt = 0; attempt < 10; attempt++) {
      const { rows } = await client.query<{ taken: boolean; pid: number }>(
        `select pg_try_advisory_lock${isShared ? '_shared' : ''}($1) as taken, pg_backend_pid() as pid`,
        [LOCKS.singleProcess],
      )
      if (rows[0]!.taken) {
        await refusePooler(client, rows[0]!.pid)
        return client
      }
      await sleep(100)
    }
    throw new TakenError(isShared ? SERVED_ALONE : SERVED)
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** Behind a transaction pooler each statement may use another connection, which makes session locks meaningless. */
async function refusePooler(client: pg.Client, pid: number) {
  for (let i = 0; i < 3; i++) {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    if (rows[0]!.pid === pid) continue
    throw new Error('CAIRN_DATABASE_URL points to a transaction pooler: use the database itself, or a session pooler')
  }
}
