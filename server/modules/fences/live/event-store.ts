import type { Pool } from 'pg'

/** An event as positions have published it. */
export type StoredEvent = { playerId: string; event: { type: string; data: object } }

/** How long events are kept, for clients that reconnect. */
const KEPT_MINUTES = 10
/** What one read returns at most: the newest. */
const MOST = 5000
const REMOVED_AT_A_TIME = 5000

const found = `
  select coalesce(json_agg(json_build_object('playerId', player_id, 'event', event) order by id), '[]')
    from (select id, player_id, event from fence_events
           where app_id = $1 and transaction >= pg_snapshot_xmin($2::pg_snapshot)
             and not pg_visible_in_snapshot(transaction, $2::pg_snapshot)
             and at > clock_timestamp() - interval '${KEPT_MINUTES} minutes'`

/** Events at fences, in SQL: each is found by the snapshots of PostgreSQL that see it. */
export function fenceEventStore(pool: Pool) {
  return {
    /** The present snapshot, and the events that it sees and an earlier one does not; none without one. */
    async since(appId: string, snapshot: string | undefined): Promise<{ snapshot: string; events: StoredEvent[] }> {
      const { rows } = await pool.query<{ snapshot: string; events: StoredEvent[] | null }>({
        name: 'fence_events_since',
        text: `
          select pg_current_snapshot()::text as snapshot, case when $2::text is not null then (${found}
             and pg_visible_in_snapshot(transaction, pg_current_snapshot())
           order by id desc limit ${MOST}) e) end as events`,
        values: [appId, snapshot ?? null],
      })
      return { snapshot: rows[0]!.snapshot, events: rows[0]!.events ?? [] }
    },

    /** The events that a snapshot sees and an earlier one does not. @param playerId only those of this player */
    async between(
      appId: string,
      { earlier, snapshot, playerId }: { earlier: string; snapshot: string; playerId: string | undefined },
    ): Promise<StoredEvent[]> {
      const { rows } = await pool.query<{ events: StoredEvent[] }>({
        name: 'fence_events_between',
        text: `
          select (${found}
             and pg_visible_in_snapshot(transaction, $3::pg_snapshot) and ($4::uuid is null or player_id = $4::uuid)
           order by id desc limit ${MOST}) e) as events`,
        values: [appId, earlier, snapshot, playerId ?? null],
      })
      return rows[0]!.events
    },

    /** From now on, events of these apps are stored, for some minutes. */
    async willStream(appIds: string[]): Promise<void> {
      await pool.query(
        `insert into fence_settings (app_id, streamed_at)
         select a.id, clock_timestamp() from apps a where a.id = any($1::uuid[]) order by 1
         on conflict (app_id) do update set streamed_at = excluded.streamed_at
          where fence_settings.streamed_at is null or fence_settings.streamed_at < clock_timestamp() - interval '30 seconds'`,
        [appIds],
      )
    },

    /** Removes events that are no longer kept. */
    async removeOld(): Promise<void> {
      const text = `
        delete from fence_events where id = any(array(
          select id from fence_events where at < clock_timestamp() - interval '${KEPT_MINUTES} minutes' order by id limit ${REMOVED_AT_A_TIME}))`
      while (((await pool.query(text)).rowCount ?? 0) >= REMOVED_AT_A_TIME);
    },
  }
}
export type FenceEventStore = ReturnType<typeof fenceEventStore>
