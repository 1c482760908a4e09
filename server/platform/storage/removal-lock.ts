import type { Pool, PoolClient } from 'pg'
import { LOCKS } from '../database/locks/locks.ts'
import type { Objects } from './objects.ts'

export type Removals = ReturnType<typeof removalLock>

/**
 * During a backup no object may be removed that it may still have to copy: removals hold a shared lock, a backup an
 * exclusive one. It has a pool of its own, so that no other connection waits for the storage.
 */
export function removalLock(pool: Pool) {
  let lock: Promise<PoolClient | 'held'> | undefined
  let users = 0

  async function take(): Promise<PoolClient | 'held'> {
    const client = await pool.connect()
    try {
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock_shared($1) as taken', [
        LOCKS.removals,
      ])
      if (rows[0]!.taken) return client
    } catch (error) {
      client.release(true)
      throw error
    }
    client.release()
    return 'held'
  }

  async function letGo(taken: Promise<PoolClient | 'held'>): Promise<void> {
    const client = await taken.catch(() => 'held' as const)
    if (client === 'held') return
    const isFree = await client.query('select pg_advisory_unlock_shared($1)', [LOCKS.removals]).then(
      () => true,
      () => false,
    )
    client.release(!isFree)
  }

  return {
    /** Runs a removal, unless a backup is running. @returns whether it ran */
    async unlessHeld(work: () => Promise<unknown>): Promise<boolean> {
      users++
      lock ??= take()
      try {
        // Without the database there is no backup either.
        if ((await lock.catch(() => undefined)) === 'held') return false
        await work()
        return true
      } finally {
        if (--users === 0) {
          const last = lock
          lock = undefined
          if (last) await letGo(last)
        }
      }
    },
  }
}

/** Wraps objects so that none is removed during a backup: those are added to the unused objects and removed later. */
export function withRemovalLock(objects: Objects, { removals, pool }: { removals: Removals; pool: Pool }): Objects {
  return {
    ...objects,
    async remove(key) {
      const isDone = await removals.unlessHeld(() => objects.remove(key))
      if (!isDone) await pool.query('insert into unused_objects (key) values ($1) on conflict do nothing', [key])
    },
  }
}
