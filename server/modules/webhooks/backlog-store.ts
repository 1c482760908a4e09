import type { Pool } from 'pg'
import type { Disabled } from './outbox-store.ts'

/** Deliveries that wait, and their bytes: payloads, and the logs of attempts. */
export type Bound = { deliveries: number; bytes: number }
export type Bounds = { webhook: Bound; app: Bound; all: Bound }
/** A webhook of which too much waited, and how much of it was removed. */
export type Cut = Disabled & { removed: number }

/** Logs are cut by so many rows at a time. */
const TRIM_ROWS = 20_000

export type BacklogStore = ReturnType<typeof backlogStore>

/** How much waits to be sent, and how much is kept of what was, in SQL. */
export function backlogStore(pool: Pool) {
  return {
    /** Disables the webhooks that pass a bound, those with most first, and removes what waits for them. */
    async bound({ webhook, app, all }: Bounds): Promise<Cut[]> {
      const values = [webhook, app, all].flatMap(({ deliveries, bytes }) => [deliveries, bytes])
      const { rows } = await pool.query<Cut>(
        `select app_id as "appId", endpoint_id as "endpointId", reason, removed from bound_backlogs($1, $2, $3, $4, $5, $6)`,
        values,
      )
      return rows
    },

    /** Removes the oldest deliveries that ended, of webhooks that have more than so many. */
    async trimLogs(most: number): Promise<void> {
      await pool.query('select trim_delivery_logs($1, $2)', [most, TRIM_ROWS])
    },
  }
}
