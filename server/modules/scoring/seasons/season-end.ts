import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { publishEvent } from '../../webhooks/outbox.ts'
import { assignRanks } from '../leaderboards/assign-ranks.ts'
import type { LeaderboardStore } from '../leaderboards/store.ts'
import { type SeasonStore, SHORTEST_NOTICE_SECONDS } from './store.ts'

type Deps = { db: Kysely<AnyTables>; seasons: Pick<SeasonStore, 'get'>; boards: Pick<LeaderboardStore, 'board'> }

const TOP = 100

/** Ended seasons whose event is due, after every score that counts in them was committed; each for one process. */
const dueSql = sql<{ appId: string; id: string }>`
  select app_id as "appId", id from seasons
   where ended_told_at is null
     and (app_id, id) in (select app_id, board_key from period_boards where is_ready)
     and ends_at < clock_timestamp() - make_interval(secs => ${SHORTEST_NOTICE_SECONDS})
   order by ends_at limit 20 for update skip locked`

/** Publishes season.ended, once for each season, with the top 100; and makes the next seasons of series that have begun. */
export function seasonEnd({ db, seasons, boards }: Deps) {
  return async (): Promise<void> => {
    const begun = await sql<{ appId: string; typeKey: string }>`
      select distinct app_id as "appId", type_key as "typeKey" from seasons
       where repeat_every is not null and not has_next and starts_at <= clock_timestamp()`.execute(db)
    for (const { appId, typeKey } of begun.rows)
      await sql`select open_seasons(${appId}, ${typeKey}, clock_timestamp())`.execute(db)
    await db.transaction().execute(async (trx) => {
      const { rows } = await dueSql.execute(trx)
      for (const { appId, id } of rows) {
        const found = await seasons.get(appId, id)
        if (found) {
          const { isReady, ...season } = found
          const leaderboard = assignRanks(await boards.board(appId, id, TOP))
          const data = { ...season, leaderboard }
          await publishEvent(trx, { type: 'season.ended', appId, userId: null, subject: id, data })
        }
        await sql`
          update seasons set ended_told_at = clock_timestamp() where app_id = ${appId} and id = ${id}`.execute(trx)
      }
    })
  }
}
