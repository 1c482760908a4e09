import type pg from 'pg'
import { inBatches } from '../../database/query/batches.ts'
import { oldestFirst } from '../../database/query/row-cap.ts'

export type StoredAnswer = { status: number; headers: Record<string, string>; body: string | null }

export type KnownRequest = {
  /** SHA-256 of the request; null while an upload is still arriving. */
  request: Buffer | null
  state: 'running' | 'answered' | 'unknown'
  /** After this, the service that took the key must have ended: no request lasts as long. */
  isLost: boolean
} & StoredAnswer

/** How long a response is kept, and after what time a request without one cannot be running. */
const KEPT = "interval '24 hours'"
const LOST = "interval '15 minutes'"
const BATCH = 5000
/** Maximum keys of all callers without a credential together. */
const MAX_OF_ADDRESSES = 100_000
/** Scope prefix of such a caller. */
export const ADDRESS_SCOPE = 'address:'

/** Idempotency keys, in SQL. */
export function idempotencyStore(pool: pg.Pool) {
  const query = async <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) =>
    (await pool.query<Row>({ name, text, values })).rows

  const ofAddresses = oldestFirst({
    run: async (statement) => (await pool.query(statement)).rowCount,
    table: 'idempotency_keys',
    rows: `scope like '${ADDRESS_SCOPE}%'`,
    by: 'created_at',
    most: MAX_OF_ADDRESSES,
  })

  return {
    /** Takes the key for a new request. @returns false if it was taken within 24 hours */
    async claim(scope: string, key: string, request: Buffer | null): Promise<boolean> {
      const rows = await query(
        'idempotency_claim',
        `insert into idempotency_keys as k (scope, key, request) values ($1, $2, $3)
         on conflict (scope, key) do update
           set request = excluded.request, state = 'running', status = null, headers = null, body = null, created_at = now()
           where k.created_at < now() - ${KEPT}
         returning 1`,
        [scope, key, request],
      )
      if (rows.length > 0 && scope.startsWith(ADDRESS_SCOPE)) await ofAddresses.noteOne()
      return rows.length > 0
    },

    async get(scope: string, key: string): Promise<KnownRequest | undefined> {
      const text = `select request, state, status, headers, body, created_at < now() - ${LOST} as "isLost"
                      from idempotency_keys where scope = $1 and key = $2`
      return (await query<KnownRequest>('idempotency_get', text, [scope, key]))[0]
    },

    async answered(scope: string, key: string, request: Buffer, { status, headers, body }: StoredAnswer) {
      await query(
        'idempotency_answered',
        `update idempotency_keys set state = 'answered', request = $3, status = $4, headers = $5, body = $6
          where scope = $1 and key = $2`,
        [scope, key, request, status, headers, body],
      )
    },

    /** Marks the outcome as unknown: the request may have been carried out. */
    async unknown(scope: string, key: string) {
      await query(
        'idempotency_unknown',
        `update idempotency_keys set state = 'unknown' where scope = $1 and key = $2`,
        [scope, key],
      )
    },

    /** Releases the key: the request changed nothing. */
    async release(scope: string, key: string) {
      await query('idempotency_release', 'delete from idempotency_keys where scope = $1 and key = $2', [scope, key])
    },

    /** Deletes keys older than 24 hours in batches, and keys without a credential beyond their maximum. */
    async deleteOld(): Promise<void> {
      const text = `delete from idempotency_keys where ctid = any(array(
        select ctid from idempotency_keys where created_at < now() - ${KEPT} limit ${BATCH}))`
      await inBatches(BATCH, async () => (await pool.query(text)).rowCount)
      await ofAddresses.trim()
    },
  }
}
export type IdempotencyStore = ReturnType<typeof idempotencyStore>
