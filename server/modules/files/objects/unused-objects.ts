import type { Pool } from 'pg'
import { inBatches } from '../../../platform/database/query/batches.ts'
import { HttpError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { Objects } from '../../../platform/storage/objects.ts'
import type { Removals } from '../../../platform/storage/removal-lock.ts'

const BATCH = 100
/**
 * A request starts no further removal after this time, as it may find objects that others left; the scheduled task does
 * the rest.
 */
const REQUEST_MS = 5000

type Deps = { pool: Pick<Pool, 'query'>; objects: Pick<Objects, 'remove'>; removals: Removals; log: Log }

/**
 * Removes the objects in the table `unused_objects`. The row goes once the bytes are gone, so an interrupted removal is
 * repeated by the next call. No connection is held during calls to the storage, which may be slow or unavailable.
 */
export function unusedObjects({ pool, objects, removals, log }: Deps) {
  /** Keys that running calls are removing: others take the next ones. */
  const busy = new Set<string>()

  /** @param until by performance.now() @returns how many were removed: a full batch only if all of it was */
  const removeSome = async (until: number): Promise<number> => {
    const { rows } = await pool.query<{ key: string }>(
      `select key from unused_objects where key <> all ($1) order by since limit ${BATCH}`,
      [[...busy]],
    )
    const keys = rows.map(({ key }) => key).filter((key) => !busy.has(key))
    for (const key of keys) busy.add(key)
    const removed: string[] = []
    try {
      for (const key of keys) {
        if (performance.now() >= until) break
        try {
          await objects.remove(key)
          removed.push(key)
        } catch (error) {
          log.error({ err: error, key }, 'failed to remove an unused object')
          // Move it to the end, so that it does not block others.
          await pool.query('update unused_objects set since = now() where key = $1', [key])
          if (isAway(error)) break
        }
      }
      if (removed.length > 0) await pool.query('delete from unused_objects where key = any ($1)', [removed])
    } finally {
      for (const key of keys) busy.delete(key)
    }
    return removed.length
  }

  return {
    /**
     * Removes all current ones, or as many as possible in that time. Failures are only logged, because the change that
     * released the objects has committed: the next call retries.
     */
    async remove(atMostMs = REQUEST_MS): Promise<void> {
      const until = performance.now() + atMostMs
      try {
        // During a backup nothing is removed.
        await removals.unlessHeld(() => inBatches(BATCH, () => removeSome(until)))
      } catch (error) {
        log.error({ err: error }, 'failed to remove unused objects')
      }
    },
  }
}

/** Whether the storage itself is unavailable: other removals would fail too. */
const isAway = (error: unknown) => error instanceof HttpError && error.status >= 500
