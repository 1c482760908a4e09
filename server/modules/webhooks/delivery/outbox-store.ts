import type { Pool } from 'pg'
import type { Attempt } from '../schema.ts'

/** A delivery that this process has claimed and must settle before its lease expires. Secrets are encrypted. */
export type Claimed = {
  seq: number
  appId: string
  endpointId: string
  id: string
  type: string
  createdAt: string
  /** JSON. */
  data: string
  /** Failures since it was last set to pending. */
  failures: number
  url: string
  secret: string
  oldSecret: string | null
}

/** The result of an attempt: see `settle_deliveries`. `wait` and `pause` are seconds. */
export type Settled = {
  seq: number
  outcome: 'DELIVERED' | 'FAILED' | 'GONE' | 'RETURNED'
  /** Delay until the next attempt. */
  wait: number
  /** How long the endpoint wants no deliveries at all. */
  pause: number
  attempt: Attempt | null
}
export type Disabled = { appId: string; endpointId: string; reason: string }

const claim = `
  select seq, app_id as "appId", endpoint_id as "endpointId", id, type, created_at as "createdAt", data, failures, url, secret,
         old_secret as "oldSecret"
    from claim_deliveries($1, $2::uuid[], $3::int[], $4) order by seq`
const settle = `
  select app_id as "appId", endpoint_id as "endpointId", reason
    from settle_deliveries($1::bigint[], $2::text[], $3::float8[], $4::float8[], $5::text[], $6)`

const BATCH = 5000

export type OutboxStore = ReturnType<typeof outboxStore>

/** Claims and settles deliveries, in SQL: one round trip per batch. */
export function outboxStore(pool: Pool) {
  const remove = async (which: string, values: unknown[]): Promise<void> => {
    const text = `delete from webhook_deliveries where seq = any (array(select seq from webhook_deliveries where ${which} limit ${BATCH}))`
    while (((await pool.query(text, values)).rowCount ?? 0) >= BATCH);
  }

  return {
    /** Claims due deliveries: for each endpoint as many as `capacities` has, otherwise `defaultCapacity`. @param seconds the lease */
    claim: async (defaultCapacity: number, capacities: Map<string, number>, seconds: number): Promise<Claimed[]> => {
      const values = [defaultCapacity, [...capacities.keys()], [...capacities.values()], seconds]
      return (await pool.query<Claimed>({ name: 'claim_deliveries', text: claim, values })).rows
    },

    /**
     * Settles results. @param days after which an endpoint is disabled, or a delivery given up @returns the endpoints
     * that were disabled
     */
    settle: async (results: Settled[], days: number): Promise<Disabled[]> => {
      const values = [
        results.map(({ seq }) => seq),
        results.map(({ outcome }) => outcome),
        results.map(({ wait }) => wait),
        results.map(({ pause }) => pause),
        results.map(({ attempt }) => attempt && JSON.stringify(attempt)),
        days,
      ]
      return (await pool.query<Disabled>({ name: 'settle_deliveries', text: settle, values })).rows
    },

    /** Releases the claims of a process that is gone; call it only if no other process sends. */
    release: async (): Promise<void> => {
      await pool.query(
        `update webhook_deliveries set hold = null, due_at = clock_timestamp() where status = 'PENDING' and hold = 'SENDING'`,
      )
    },

    /**
     * Removes deliveries that ended this many days ago, pending ones of endpoints disabled for as long, and deleted
     * endpoints with all deliveries.
     */
    async removeOld(days: number): Promise<void> {
      await remove(`status <> 'PENDING' and settled_at < now() - make_interval(days => $1)`, [days])
      await remove(
        `status = 'PENDING' and endpoint_id in (select e.id from webhook_endpoints e where not e.enabled and e.disabled_at < now() - make_interval(days => $1))`,
        [days],
      )
      await remove(
        '(app_id, endpoint_id) in (select e.app_id, e.id from webhook_endpoints e where e.deleted_at is not null)',
        [],
      )
      await pool.query(
        `delete from webhook_endpoints e where e.deleted_at < now() - interval '1 minute'
            and not exists (select from webhook_deliveries d where d.app_id = e.app_id and d.endpoint_id = e.id)`,
      )
    },
  }
}
