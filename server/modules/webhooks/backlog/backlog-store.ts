import type { Pool } from 'pg'
import type { Disabled } from '../delivery/outbox-store.ts'

/** Pending deliveries and their bytes: payloads and attempt logs. */
export type Bound = { deliveries: number; bytes: number }
export type Bounds = { webhook: Bound; app: Bound; all: Bound }
/** A webhook disabled for its backlog, and how many deliveries were removed. */
export type DisabledForBacklog = Disabled & { removed: number }

/** Deliveries removed per batch, so that others wait for no longer than one batch. */
const BATCH_ROWS = 5000
/** Batches per check; the next check continues. */
const MAX_BATCHES = 100

export type BacklogStore = ReturnType<typeof backlogStore>

/** Bounds the backlog and the delivery log, in SQL. */
export function backlogStore(pool: Pool) {
  /** Calls a function that removes a batch and returns the number of rows, until it returns 0. */
  async function repeatUntilNone(call: string, subject: string | number): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      const { rows } = await pool.query<{ removed: number }>(`select ${call} as removed`, [subject, BATCH_ROWS])
      if (rows[0]!.removed === 0) return
    }
  }

  return {
    /**
     * Disables the webhooks that exceed a bound, largest backlog first, then removes their pending deliveries. @returns
     * those that were enabled
     */
    async bound({ webhook, app, all }: Bounds): Promise<DisabledForBacklog[]> {
      const values = [webhook, app, all].flatMap(({ deliveries, bytes }) => [deliveries, bytes])
      const { rows } = await pool.query<DisabledForBacklog & { isNew: boolean }>(
        `select app_id as "appId", endpoint_id as "endpointId", reason, removed, is_new as "isNew"
           from bound_backlogs($1, $2, $3, $4, $5, $6)`,
        values,
      )
      for (const { endpointId } of rows) await repeatUntilNone('remove_waiting($1, $2)', endpointId)
      return rows.filter(({ isNew }) => isNew)
    },

    /** Removes the oldest completed deliveries of webhooks that have more than `most`. */
    trimLogs: (most: number): Promise<void> => repeatUntilNone('trim_delivery_logs($1, $2)', most),
  }
}
