import type { Clock } from '../../../platform/database/clock.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { Objects } from '../../../platform/storage/objects.ts'
import type { ObjectInventoryStore } from './object-inventory-store.ts'

const BATCH = 500

/** No upload takes this long from its first byte to its record: an older object without a record never gets one. */
export const ORPHAN_MS = 60 * 60_000

/** Removes objects without a record: their process was killed between the last byte and the record. */
export function orphanedObjects({
  store,
  objects,
  clock,
  log,
}: {
  store: Pick<ObjectInventoryStore, 'unknownAmong'>
  objects: Pick<Objects, 'list' | 'remove'>
  clock: Clock
  log: Log
}) {
  const removeAmong = async (keys: string[]): Promise<number> => {
    let removed = 0
    for (const key of await store.unknownAmong(keys)) {
      try {
        await objects.remove(key)
        removed++
      } catch (error) {
        log.error({ err: error, key }, 'failed to remove an orphaned object')
      }
    }
    return removed
  }

  return {
    /** Checks all objects. @returns how many were removed */
    async remove({ olderThanMs = ORPHAN_MS }: { olderThanMs?: number } = {}): Promise<number> {
      // A wrong clock must not make an object look old while another process is writing it: the earlier clock counts.
      const now = Math.min(Date.now(), clock.now())
      // Write times may have fractions of a millisecond, or come from another clock.
      const before = olderThanMs === 0 ? Number.POSITIVE_INFINITY : now - olderThanMs
      let [removed, keys] = [0, [] as string[]]
      for await (const { key, writtenAt } of objects.list()) {
        if (writtenAt >= before) continue
        keys.push(key)
        if (keys.length < BATCH) continue
        removed += await removeAmong(keys)
        keys = []
      }
      removed += await removeAmong(keys)
      if (removed > 0) log.info({ removed }, 'removed orphaned objects')
      return removed
    },
  }
}
