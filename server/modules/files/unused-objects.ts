import type { Pool } from 'pg'
import type { Objects } from '../../platform/objects.ts'

const BATCH = 100

/** Removes the objects that nothing points to any more (the table `unused_objects`). An object is forgotten once its bytes are gone: what breaks off is done by the next call. */
export function unusedObjects({ pool, objects }: { pool: Pool; objects: Objects }) {
  const removeSome = async (): Promise<number> => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query<{ key: string }>(
        `delete from unused_objects where key in (
           select key from unused_objects order by since limit ${BATCH} for update skip locked) returning key`,
      )
      for (const { key } of rows) await objects.remove(key)
      await client.query('commit')
      client.release()
      return rows.length
    } catch (error) {
      // The transaction ends with its connection.
      client.release(true)
      throw error
    }
  }

  return {
    /** Removes all there are now. */
    async remove(): Promise<void> {
      while ((await removeSome()) === BATCH);
    },
  }
}
