import type pg from 'pg'
import { dedicatedClient } from './dedicated-client.ts'

export type SessionLocks = ReturnType<typeof createSessionLocks>

/**
 * Makes PostgreSQL notice within about 15 s, instead of two hours, that the machine at the other end is gone; its locks
 * are then released.
 */
export const KEEPALIVE = 'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3'

/**
 * Locks that one of several processes holds for as long as it likes: PostgreSQL advisory locks on a connection of their
 * own, opened with the first. They end with the process in any case. Within a process, callers must take turns
 * themselves.
 */
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
      for (const notify of lost) notify()
    })
    await client.query(KEEPALIVE)
    return client
  }

  return {
    /**
     * Takes the lock if it is free. @param onLost called if it is lost without a release: the connection broke @throws
     * if the database is unavailable
     */
    async take(name: string, onLost: () => void): Promise<boolean> {
      const client = await connected()
      const { rows } = await client.query<{ taken: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
        [name],
      )
      // The connection may have ended as the response arrived.
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

/**
 * Takes turns with other processes. @returns a function that runs its work while it holds the session lock, or returns
 * false if another process holds it
 */
export const aloneWith =
  (url: string, applicationName: string, lock: number) =>
  async (work: () => Promise<void>): Promise<boolean> => {
    const client = dedicatedClient(url, applicationName)
    try {
      await client.connect()
      await client.query(KEEPALIVE)
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock])
      if (rows[0]!.taken) await work()
      return rows[0]!.taken
    } finally {
      // Closing the connection ends the lock.
      await client.end().catch(() => {})
    }
  }
