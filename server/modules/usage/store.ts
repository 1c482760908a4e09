import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { lock } from '../../platform/database/locks/locks.ts'
import { MAX_KINDS, OTHER, type Tallied } from './tally.ts'

/** Usage is kept for this many whole days before today. */
export const KEPT_DAYS = 90

/** A period: its start, and the length of its buckets. */
export type Period = { from: string; stepHours: 1 | 24 }
export type Counts = { calls: number; refused: number; limited: number; failed: number }
export type ShownRefusal = {
  method: string
  route: string
  status: number
  reason: string
  times: number
  lastAt: string
}

/** Adds two arrays of equal length element by element. */
const added = (member: 'minutes' | 'latencies') =>
  sql.raw(`array(select a + b from unnest(u.${member}, excluded.${member}) with ordinality t (a, b, n) order by n)`)

/** The usage of apps, in SQL. */
export function usageStore(db: Kysely<AnyTables>) {
  return {
    /**
     * Adds the counts of a process, except those of deleted apps. Processes run one after the other, so they cannot
     * deadlock.
     */
    add: ({ hours, refusals }: Tallied): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await lock(trx, 'usage')
        await sql`
          insert into usage_hours as u (app_id, hour, key_id, calls, refused, limited, failed, minutes, latencies)
          select g."appId", to_timestamp(g.hour / 1000.0), g."keyId", g.calls, g.refused, g.limited, g.failed, g.minutes, g.latencies
            from jsonb_to_recordset(${JSON.stringify(hours)}::jsonb) g ("appId" uuid, "keyId" text, hour bigint,
                 calls int, refused int, limited int, failed int, minutes int[], latencies int[])
            join apps a on a.id = g."appId" and a.deleted_at is null
          on conflict (app_id, hour, key_id) do update
            set calls = u.calls + excluded.calls, refused = u.refused + excluded.refused,
                limited = u.limited + excluded.limited, failed = u.failed + excluded.failed,
                minutes = ${added('minutes')}, latencies = ${added('latencies')}`.execute(trx)
        const uses = hours.map(({ keyId, lastAt }) => ({ keyId, lastAt }))
        // A locked key, for example during a rotation, is skipped: its next use updates it.
        await sql`
          with used as (
            select "keyId" as key_id, to_timestamp(max("lastAt") / 1000.0) as at
              from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) g ("keyId" text, "lastAt" bigint) group by 1),
          free as (select key_id from app_keys join used using (key_id) for no key update of app_keys skip locked)
          update app_keys k set last_used_at = greatest(k.last_used_at, used.at)
            from used join free using (key_id) where k.key_id = used.key_id`.execute(trx)
        if (refusals.length > 0) await addRefusals(trx, refusals)
      }),

    /** Each bucket of the period with at least one request. */
    buckets: async (appId: string, { from, stepHours }: Period): Promise<(Counts & { at: string })[]> => {
      const { rows } = await sql<Counts & { at: string }>`
        select date_bin(make_interval(hours => ${stepHours}), hour, ${from}::timestamptz) as at, sum(calls) as calls,
               sum(refused) as refused, sum(limited) as limited, sum(failed) as failed
          from usage_hours where app_id = ${appId} and hour >= ${from} group by 1`.execute(db)
      return rows
    },

    /** The sums of the hours that began in a span of time. */
    totals: async (appId: string, from: string, until: string): Promise<Counts> => {
      const { rows } = await sql<Counts>`
        select coalesce(sum(calls), 0) as calls, coalesce(sum(refused), 0) as refused,
               coalesce(sum(limited), 0) as limited, coalesce(sum(failed), 0) as failed
          from usage_hours where app_id = ${appId} and hour >= ${from} and hour < ${until}`.execute(db)
      return rows[0]!
    },

    /** The histogram of response times. */
    latencies: async (appId: string, from: string): Promise<number[]> => {
      const { rows } = await sql<{ count: number }>`
        select sum(t.count) as count from usage_hours, unnest(latencies) with ordinality t (count, n)
         where app_id = ${appId} and hour >= ${from} group by n order by n`.execute(db)
      return rows.map(({ count }) => count)
    },

    busiestMinute: async (appId: string, from: string): Promise<number> => {
      const { rows } = await sql<{ most: number }>`
        select coalesce(max(count), 0) as most
          from (select sum(t.count) as count from usage_hours, unnest(minutes) with ordinality t (count, n)
                 where app_id = ${appId} and hour >= ${from} group by hour, n) minutes`.execute(db)
      return rows[0]!.most
    },

    /** The most frequent refusals of the period. */
    refusals: async (appId: string, from: string, limit: number): Promise<ShownRefusal[]> => {
      const { rows } = await sql<ShownRefusal>`
        select method, route, status, reason, sum(times) as times, max(last_at) as "lastAt"
          from usage_refusals where app_id = ${appId} and day >= (${from}::timestamptz)::date
         group by method, route, status, reason
        having max(last_at) >= ${from}
         order by times desc, "lastAt" desc, method, route, status, reason limit ${limit}`.execute(db)
      return rows
    },

    /** Deletes usage older than is shown. */
    removeOld: async (): Promise<void> => {
      await sql`delete from usage_hours where hour < date_trunc('day', now()) - make_interval(days => ${KEPT_DAYS})`.execute(
        db,
      )
      await sql`delete from usage_refusals where day < current_date - ${KEPT_DAYS}::int`.execute(db)
    },
  }
}
export type UsageStore = ReturnType<typeof usageStore>

/** Stores at most MAX_KINDS causes per app and day; the rest count as OTHER. */
async function addRefusals(trx: Kysely<AnyTables>, refusals: Tallied['refusals']) {
  await sql`
    with given as (
      select g."appId" as app_id, (to_timestamp(g.day / 1000.0))::date as day, g.method, g.route, g.status, g.reason,
             g.times, to_timestamp(g."lastAt" / 1000.0) as last_at
        from jsonb_to_recordset(${JSON.stringify(refusals)}::jsonb) g ("appId" uuid, day bigint, method text, route text,
             status smallint, reason text, times int, "lastAt" bigint)
        join apps a on a.id = g."appId" and a.deleted_at is null),
    marked as (
      select g.*, g.reason <> ${OTHER} and not exists (
               select from usage_refusals r where r.app_id = g.app_id and r.day = g.day and r.method = g.method
                  and r.route = g.route and r.status = g.status and r.reason = g.reason) as is_new
        from given g),
    numbered as (
      select m.*, count(*) filter (where is_new) over (partition by app_id, day
                    order by times desc, method, route, status, reason)
                  + (select count(*) from usage_refusals r
                      where r.app_id = m.app_id and r.day = m.day and r.reason <> ${OTHER}) as kinds
        from marked m)
    insert into usage_refusals as u (app_id, day, method, route, status, reason, times, last_at)
    select app_id, day, method, route, status,
           case when is_new and kinds > ${MAX_KINDS} then ${OTHER} else reason end as shown_reason, sum(times), max(last_at)
      from numbered group by app_id, day, method, route, status, shown_reason
    on conflict (app_id, day, method, route, status, reason) do update
      set times = u.times + excluded.times, last_at = greatest(u.last_at, excluded.last_at)`.execute(trx)
}
