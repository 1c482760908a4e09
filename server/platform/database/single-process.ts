import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { LOCKS } from './locks.ts'

/** Holds the right to be the one process that serves this database: ranks are kept in memory, so a second writer would make them wrong.
 * The right is a session lock on a connection of its own; it ends with the process, however that ends.
 * @param onLost called when the connection broke and another process was faster to take the right.
 * @throws a sentence when another process holds it, or when the address is a pooler that cannot hold session locks. */
export async function holdSingleProcess(url: string, onLost: (sentence: string) => void): Promise<() => Promise<void>> {
  let client = await take(url)
  let ended = false

  const watch = (held: pg.Client) =>
    held.once('end', async () => {
      // However long the database stays away: requests answer 503 meanwhile. Once it is back the right is asked for again, within half a second; who finds it taken ends.
      while (!ended) {
        await sleep(500)
        const again = await take(url).catch((error: Error) => error)
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

class TakenError extends Error {}

async function take(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'cairn-single-process', keepAlive: true })
  client.on('error', () => {})
  await client.connect()
  // A killed process's connection may take a moment to be noticed.
  for (let attempt = 0; attempt < 10; attempt++) {
    const { rows } = await client.query<{ taken: boolean; pid: number }>(
      'select pg_try_advisory_lock($1) as taken, pg_backend_pid() as pid',
      [LOCKS.singleProcess],
    )
    if (rows[0]!.taken) {
      await refusePooler(client, rows[0]!.pid)
      return client
    }
    await sleep(100)
  }
  await client.end()
  throw new TakenError(
    'Another Cairn already serves this database. Stop it first, or give this one a CAIRN_DATA_DIR (or CAIRN_DATABASE_URL) of its own',
  )
}

/** Behind a transaction pooler each statement may run on another connection, and a session lock means nothing. */
async function refusePooler(client: pg.Client, pid: number) {
  for (let i = 0; i < 3; i++) {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    if (rows[0]!.pid === pid) continue
    await client.end()
    throw new Error('CAIRN_DATABASE_URL leads to a transaction pooler: name the database itself, or a session pooler')
  }
}
