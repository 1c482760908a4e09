import type { Pool } from 'pg'
import { inBatches } from '../../../platform/database/query/batches.ts'
import { HttpError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { Objects } from '../../../platform/storage/objects.ts'
import type { Removals } from '../../../platform/storage/removal-lock.ts'

const BATCH = 100
/** After so long a request begins no further one, as it may find what others left: a chore does the rest. */
const REQUEST_MS = 5000

type Deps = { pool: Pick<Pool, 'query'>; objects: Pick<Objects, 'remove'>; removals: Removals; log: Log }

/** Removes the objects that nothing points to any more (the table `unused_objects`). An object is forgotten once its bytes are gone: what breaks off is done by the next call.
 * No connection is held while the storage is asked: it may be far away, or gone. */
export function unusedObjects({ pool, objects, removals, log }: Deps) {
  /** What calls that are under way are removing: others take the next ones. */
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
          log.error({ err: error, key }, 'an unused object was not removed')
          // Behind the others, so that it stands in nobody's way.
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
    /** Removes all there are now, or as many as it comes to in that time. What let go of them is done already, so a failure is only told: the next call tries again. */
    async remove(atMostMs = REQUEST_MS): Promise<void> {
      const until = performance.now() + atMostMs
      try {
        // While a backup is made all stay, until this is asked again.
        await removals.unlessHeld(() => inBatches(BATCH, () => removeSome(until)))
      } catch (error) {
        log.error({ err: error }, 'unused objects were not removed')
      }
    },
  }
}

/** Whether the storage itself does not answer: the others would only wait as long. */
const isAway = (error: unknown) => error instanceof HttpError && error.status >= 500
