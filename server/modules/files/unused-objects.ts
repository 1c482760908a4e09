import type { Pool } from 'pg'
import { inBatches } from '../../platform/batches.ts'
import type { Log } from '../../platform/log.ts'
import type { Objects } from '../../platform/objects.ts'

const BATCH = 100

/** Removes the objects that nothing points to any more (the table `unused_objects`). An object is forgotten once its bytes are gone: what breaks off is done by the next call. */
export function unusedObjects({ pool, objects, log }: { pool: Pool; objects: Objects; log: Log }) {
  /** Each is tried, so that one that cannot be removed stands in nobody's way. @returns how many were removed */
  const removeSome = async (): Promise<number> => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query<{ key: string }>(
        `select key from unused_objects order by since limit ${BATCH} for update skip locked`,
      )
      const removed: string[] = []
      for (const { key } of rows) {
        try {
          await objects.remove(key)
          removed.push(key)
        } catch (error) {
          log.error({ err: error, key }, 'an unused object was not removed')
        }
      }
      if (removed.length > 0) await client.query('delete from unused_objects where key = any($1)', [removed])
      await client.query('commit')
      client.release()
      return removed.length
    } catch (error) {
      // The transaction ends with its connection.
      client.release(true)
      throw error
    }
  }

  return {
    /** Removes all there are now. What let go of them is done already, so a failure is only told: the next call tries again. */
    async remove(): Promise<void> {
      try {
        await inBatches(BATCH, removeSome)
      } catch (error) {
        log.error({ err: error }, 'unused objects were not removed')
      }
    },
  }
}
