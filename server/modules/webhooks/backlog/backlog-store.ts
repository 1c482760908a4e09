import type { Pool } from 'pg'
import type { Disabled } from '../delivery/outbox-store.ts'

/** Deliveries that wait, and their bytes: payloads, and the logs of attempts. */
export type Bound = { deliveries: number; bytes: number }
export type Bounds = { webhook: Bound; app: Bound; all: Bound }
/** A webhook of which too much waited, and how much of it was removed. */
export type Cut = Disabled & { removed: number }

/** Deliveries are removed so many at a time: whoever else needs them waits for no more. */
const BATCH_ROWS = 5000
/** Batches in one look: the next look goes on. */
const MAX_BATCHES = 100

export type BacklogStore = ReturnType<typeof backlogStore>

/** How much waits to be sent, and how much is kept of what was, in SQL. */
export function backlogStore(pool: Pool) {
  /** Calls a function that removes a batch and says how many rows that were, until none is left. */
  async function untilNone(call: string, subject: string | number): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      const { rows } = await pool.query<{ removed: number }>(`select ${call} as removed`, [subject, BATCH_ROWS])
      if (rows[0]!.removed === 0) return
    }
  }

  return {
    /** Disables the webhooks that pass a bound, those with most first, then removes what waits for them. @returns those that were enabled */
    async bound({ webhook, app, all }: Bounds): Promise<Cut[]> {
      const values = [webhook, app, all].flatMap(({ deliveries, bytes }) => [deliveries, bytes])
      const { rows } = await pool.query<Cut & { isNew: boolean }>(
        `select app_id as "appId", endpoint_id as "endpointId", reason, removed, is_new as "isNew"
           from bound_backlogs($1, $2, $3, $4, $5, $6)`,
        values,
      )
      for (const { endpointId } of rows) await untilNone('remove_waiting($1, $2)', endpointId)
      return rows.filter(({ isNew }) => isNew)
    },

    /** Removes the oldest deliveries that ended, of webhooks that have more than so many. */
    trimLogs: (most: number): Promise<void> => untilNone('trim_delivery_logs($1, $2)', most),
  }
}
