import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { lock } from '../../../platform/database/locks/locks.ts'
import type { PlayedHour } from './play-tally.ts'
import { merged, playersIn, readSketch, writeSketch } from './player-sketch.ts'

/** Hours of boards are kept for two days, days of players for five weeks, and sketches until the day can no longer grow. */
const KEPT = { boardDays: 2, days: 35, sketchDays: 2 }

/** Writes who played when, in SQL. */
export function activityWriter(db: Kysely<AnyTables>) {
  return {
    /**
     * Adds what a process has counted, except of deleted apps. Processes run one after the other, so that no count of
     * different players is lost and none waits for another in a circle.
     */
    add: (hours: PlayedHour[]): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await lock(trx, 'usage')
        const boards = hours.flatMap(({ appId, hour, writes }) =>
          [...writes].map(([typeKey, count]) => ({ appId, hour, typeKey, count })),
        )
        await sql`
          insert into board_hours as b (app_id, hour, type_key, writes)
          select g."appId", to_timestamp(g.hour / 1000.0), g."typeKey", g.count
            from jsonb_to_recordset(${JSON.stringify(boards)}::jsonb) g ("appId" uuid, hour bigint, "typeKey" uuid, count int)
            join apps a on a.id = g."appId" and a.deleted_at is null
          on conflict (app_id, hour, type_key) do update set writes = b.writes + excluded.writes`.execute(trx)
        for (const played of hours) await addPlayers(trx, played)
      }),

    /** Deletes what is no longer shown. */
    removeOld: async (): Promise<void> => {
      await sql`delete from board_hours where hour < now() - make_interval(days => ${KEPT.boardDays})`.execute(db)
      await sql`delete from active_days where day < current_date - ${KEPT.days}::int`.execute(db)
      await sql`
        update active_days set sketch = null
         where sketch is not null and day < current_date - ${KEPT.sketchDays}::int`.execute(db)
    },
  }
}

/** Adds the players of one app and hour to those of the day. */
async function addPlayers(trx: Kysely<AnyTables>, { appId, hour, players }: PlayedHour) {
  const day = new Date(hour).toISOString().slice(0, 10)
  const { rows } = await sql<{ sketch: Buffer | null }>`
    select sketch from active_days where app_id = ${appId} and day = ${day}::date`.execute(trx)
  const known = rows[0]?.sketch
  const whole = known ? merged(readSketch(known), players) : players
  const place = new Date(hour).getUTCHours() + 1
  await sql`
    insert into active_days as d (app_id, day, players, sketch)
    select id, ${day}::date, array_fill(0, array[${place - 1}::int]) || ${playersIn(whole)}::int
                       || array_fill(0, array[${24 - place}::int]), ${writeSketch(whole)}::bytea
      from apps where id = ${appId} and deleted_at is null
    on conflict (app_id, day) do update
      set players[${sql.raw(String(place))}] = excluded.players[${sql.raw(String(place))}], sketch = excluded.sketch`.execute(
    trx,
  )
}
