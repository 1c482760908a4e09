import type pg from 'pg'
import { inBatches } from '../../../platform/database/query/batches.ts'

export type TryKind = 'login' | 'address'

/** Tries in the window, and seconds until it ends. */
export type TryCount = { tries: number; seconds: number }

/** Rows deleted at a time. */
const BATCH = 1000

export type SignInThrottleStore = ReturnType<typeof signInThrottleStore>

/** Counts of failed sign-ins, shared by all processes, in SQL. */
export function signInThrottleStore(pool: pg.Pool) {
  return {
    /** Counts one try; starts a new window if the last has ended. */
    async add(kind: TryKind, who: string, windowSeconds: number): Promise<TryCount> {
      const { rows } = await pool.query<TryCount>(
        `insert into sign_in_tries as t (kind, who, tries, ends_at)
         values ($1, $2, 1, clock_timestamp() + make_interval(secs => $3))
         on conflict (kind, who) do update set
           tries = case when t.ends_at <= clock_timestamp() then 1 else least(t.tries, 1000000) + 1 end,
           ends_at = case when t.ends_at <= clock_timestamp() then excluded.ends_at else t.ends_at end
         returning tries, extract(epoch from ends_at - clock_timestamp())::float8 as seconds`,
        [kind, who, windowSeconds],
      )
      return rows[0]!
    },

    /** Takes one try back. */
    async takeBack(kind: TryKind, who: string): Promise<void> {
      await pool.query('update sign_in_tries set tries = tries - 1 where kind = $1 and who = $2 and tries > 0', [
        kind,
        who,
      ])
    },

    /** When the windows end in which these have at least `most` tries. */
    async endsOf(kind: TryKind, whos: string[], most: number): Promise<Map<string, string>> {
      const { rows } = await pool.query<{ who: string; endsAt: string }>(
        `select who, ends_at as "endsAt" from sign_in_tries
          where kind = $1 and who = any($2) and tries >= $3 and ends_at > clock_timestamp()`,
        [kind, whos, most],
      )
      return new Map(rows.map(({ who, endsAt }) => [who, endsAt]))
    },

    /** Deletes expired windows. */
    async deleteOld(): Promise<void> {
      const text = `delete from sign_in_tries where ctid = any(array(
        select ctid from sign_in_tries where ends_at < clock_timestamp() limit ${BATCH} for update skip locked))`
      await inBatches(BATCH, async () => (await pool.query(text)).rowCount)
    },
  }
}
