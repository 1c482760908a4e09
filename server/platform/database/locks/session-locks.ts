import type pg from 'pg'
import { dedicatedClient } from './dedicated-client.ts'

export type SessionLocks = ReturnType<typeof createSessionLocks>

/** Lets PostgreSQL notice within some 15 s that the machine at the other end of a connection is gone, not after the system's two hours: its locks are free then. */
export const KEEPALIVE = 'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3'

/** Locks that one process of several holds at a time, for as long as it likes: advisory locks of PostgreSQL on a connection of their own, opened with the first. They end with the process, however that ends. Within a process callers take turns by themselves. */
export function createSessionLocks({ url, applicationName }: { url: string; applicationName: string }) {
  const held = new Map<string, () => void>()
  let connection: Promise<pg.Client> | undefined

  const connected = (): Promise<pg.Client> => {
    connection ??= open().catch((error) => {
      connection = undefined
      throw error
    })
    return connection
  }

  async function open(): Promise<pg.Client> {
    const client = dedicatedClient(url, applicationName, { statement_timeout: 10_000 })
    await client.connect()
    client.once('end', () => {
      connection = undefined
      const lost = [...held.values()]
      held.clear()
      for (const tell of lost) tell()
    })
    await client.query(KEEPALIVE)
    return client
  }

  return {
    /** Takes the lock if nobody has it. @param onLost called when it is no longer ours though it was not released: the connection broke. @throws when the database cannot be asked */
    async take(name: string, onLost: () => void): Promise<boolean> {
      const client = await connected()
      const { rows } = await client.query<{ taken: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
        [name],
      )
      // The connection may have ended as the answer came.
      if (!rows[0]!.taken || (await connection?.catch(() => undefined)) !== client) return false
      held.set(name, onLost)
      return true
    },

    isHeld: (name: string): boolean => held.has(name),

    async release(name: string): Promise<void> {
      if (!held.delete(name)) return
      const client = await connection
      await client?.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
    },

    async close(): Promise<void> {
      const client = await connection?.catch(() => undefined)
      await client?.end().catch(() => {})
    },
  }
}
