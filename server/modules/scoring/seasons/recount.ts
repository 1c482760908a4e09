import { type Kysely, sql } from 'kysely'
import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import type { AppUser } from '../../../platform/credentials/callers.ts'
import type { Actor, AuditLog } from '../../../platform/database/audit.ts'
import type { AnyTables } from '../../../platform/database/database.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { isId } from '../../../platform/ids.ts'
import { LOAD_TIMEOUT } from '../ranks/memory/board-loader.ts'
import type { RankKeeper } from '../ranks/rank-provider.ts'
import { SHORTEST_NOTICE_SECONDS } from './store.ts'

export type RecountDeps = {
  db: Kysely<AnyTables>
  audit: AuditLog
  boards: Pick<RankKeeper, 'unload'>
  /** @throws 404 or 403 for a user without the needed role in the app */
  assertRole: (appId: string, user: AppUser) => Promise<unknown>
}
type Ended = {
  typeKey: string
  startsAt: string
  endsAt: string
  hasEnded: boolean
  isInHistory: boolean
  ascending: boolean
  /** The column score_mode. */
  mode: string
}

const endedSql = (appId: string, id: string) => sql<Ended>`
  select s.type_key as "typeKey", s.starts_at as "startsAt", s.ends_at as "endsAt", coalesce(t.ascending, false) as ascending,
         coalesce(t.score_mode, 'best') as mode,
         coalesce(s.ends_at < clock_timestamp() - make_interval(secs => ${SHORTEST_NOTICE_SECONDS}) and b.is_ready, false) as "hasEnded",
         coalesce(history_begins(s.app_id, s.type_key) <= s.ends_at, false) as "isInHistory"
    from seasons s join period_boards b on b.app_id = s.app_id and b.board_key = s.id and b.closed_at is null
    left join mini_game_types t on t.app_id = s.app_id and t.id = s.type_key
   where s.app_id = ${appId} and s.id = ${id} for update of b`

/**
 * The entries that differ. A session counts with the score that it had at the end if that was written in the season, or with
 * its current score if that is worse; not at all if the player was removed or is hidden by now, or the session was deleted.
 */
const changesSql = (appId: string, id: string, { typeKey, startsAt, endsAt, ascending, mode }: Ended) => sql`
  create temporary table recounted on commit drop as
  with key as (select ${ascending}::boolean as ascending, ${mode}::text as mode, ${startsAt}::timestamptz as starts, ${endsAt}::timestamptz as ends),
  counted as (
    select sp.player_id, sp.session_id, sp.score, sp.scored_at, sp.created_at as joined_at, sp.updated_at as written_at,
           sp.metadata
      from session_players sp, key
     where sp.app_id = ${appId} and sp.type_key = ${typeKey} and sp.scored_at is not null
       and sp.updated_at >= key.starts and sp.updated_at < key.ends
    union all
    select h.player_id, h.session_id, x.score, x.scored_at, x.joined_at, x.written_at, x.metadata
      from key, score_history h
      join session_players sp on sp.app_id = h.app_id and sp.session_id = h.session_id and sp.player_id = h.player_id
      cross join lateral (
        select sp.score, sp.scored_at, sp.created_at as joined_at,
               -- a correction does not make it the last score of the season
               case when key.mode like 'latest%' then h.written_at else sp.updated_at end as written_at, sp.metadata
         where case when (select ascending from key) then sp.score > h.score else sp.score < h.score end
        union all
        select h.score, h.scored_at, h.joined_at, h.written_at, h.metadata
         where case when (select ascending from key) then sp.score <= h.score else sp.score >= h.score end) x
     where h.app_id = ${appId} and h.type_key = ${typeKey} and h.replaced_at >= key.ends
       and h.written_at >= key.starts and h.written_at < key.ends and sp.scored_at is not null),
  best as (
    select c.player_id, x.*
      from (select player_id, array_agg(row(score, session_id, scored_at, joined_at, written_at, metadata)::session_score)
              from counted join players p on p.app_id = ${appId} and p.id = counted.player_id and p.standing = 'normal'
             group by 1) c(player_id, scores), key
     cross join lateral counted_score(key.mode, key.ascending, c.scores) x)
  select player_id, x.score, x.rank_key, x.session_id, x.achieved_at, x.joined_at, x.written_at, x.metadata
    from (select * from period_best where app_id = ${appId} and board_key = ${id}) b full join best x using (player_id)
   where (b.score, b.session_id, b.achieved_at, b.joined_at, b.written_at, b.metadata::text)
      is distinct from (x.score, x.session_id, x.achieved_at, x.joined_at, x.written_at, x.metadata::text)`

/** Recounts boards of ended seasons, one at a time. */
export function seasonRecount({ db, audit, boards, assertRole }: RecountDeps) {
  const limit = createConcurrencyLimiter({ maxConcurrent: 1 })

  const recount = (appId: string, id: string, actor: Actor): Promise<number> =>
    db.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = ${sql.lit(LOAD_TIMEOUT)}`.execute(trx)
      const season = isId(id) ? (await endedSql(appId, id).execute(trx)).rows[0] : undefined
      if (!season) throw notFound('Season')
      if (!season.hasEnded)
        throw conflict(`Only a season that ended at least ${SHORTEST_NOTICE_SECONDS} seconds ago can be recounted`)
      if (!season.isInHistory)
        throw conflict('The history of scores begins after the end of this season: it can no longer be recounted')
      await changesSql(appId, id, season).execute(trx)
      // A deletion of a player deletes these rows too: it has removed the player before this, or removes the entry after it.
      await sql`
        select from player_best b where b.app_id = ${appId} and b.type_key = ${season.typeKey}
           and b.player_id in (select player_id from recounted) order by b.player_id for update`.execute(trx)
      const { numAffectedRows } = await sql`
        insert into period_best as y
          (app_id, board_key, player_id, score, rank_key, session_id, achieved_at, joined_at, written_at, metadata, version)
        select ${appId}::uuid, ${id}::uuid, r.player_id, r.score, r.rank_key, r.session_id, r.achieved_at, r.joined_at, r.written_at,
               r.metadata, 1
          from recounted r join player_best b on b.app_id = ${appId} and b.type_key = ${season.typeKey} and b.player_id = r.player_id
        on conflict (app_id, board_key, player_id) do update
          set score = excluded.score, rank_key = excluded.rank_key, session_id = excluded.session_id,
              achieved_at = excluded.achieved_at, joined_at = excluded.joined_at, written_at = excluded.written_at,
              metadata = excluded.metadata,
              -- who was hidden at the end has a negative version, as in set_standing (0039_hidden_players.sql)
              version = y.version + 1
                + case when y.version < 0 and excluded.rank_key is not null then 4503599627370496 else 0 end`.execute(
        trx,
      )
      if (numAffectedRows) {
        await sql`insert into changes (topic, subjects) values ('ranks', ${[appId]})`.execute(trx)
        await sql`select new_rank_generation()`.execute(trx)
      }
      await audit.record([{ ...actor, action: 'season.recounted', subject: id, appId }], trx)
      return Number(numAffectedRows)
    })

  /**
   * Corrects the board of an ended season by what has been corrected in its sessions since. Every rank requested afterwards
   * includes it. @returns how many entries changed @throws 404, 403; 409 if the season has not ended, or long ago
   */
  return async (appId: string, id: string, user: AppUser, actor: Actor): Promise<number> => {
    if (!isId(appId)) throw notFound('App')
    await assertRole(appId, user)
    const app = appId.toLowerCase()
    const changed = await limit(() => recount(app, id.toLowerCase(), actor), { sender: app })
    if (changed > 0) await boards.unload(new Set([app]))
    return changed
  }
}
export type SeasonRecount = ReturnType<typeof seasonRecount>
