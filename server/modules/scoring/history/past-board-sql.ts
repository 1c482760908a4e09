import { entryColumns } from '../leaderboards/entry-sql.ts'

/** A version of a score that ends or begins within this millisecond is told apart by the next one. */
const end = `($3::timestamptz + interval '1 millisecond')`

/** Whether a row is of one of the players that are asked for. */
const wanted = (column: string) => `($5::uuid[] is null or ${column} = any ($5))`

/**
 * The board of a type as it stood at a moment, ranked. $1 is the app, $2 the type, $3 the moment in milliseconds, $4 whether
 * lower is better, $5 the players to rank among each other, or null for all.
 *
 * The best of a player who wrote nothing since is the current one. A best may have changed since only if it was reached
 * since, or if a score was replaced or removed since: what counts of those players is worked out from the scores that were
 * valid at the moment, by counted_score (0096_ties.sql), which takes four times as long for each player: bests of many are
 * sorted at once. With ties `none`, a best does not tell when it was reached, and all players are worked out; with `last`, it has
 * that moment mirrored, and tie_order mirrors it back.
 * Players that are hidden now are left out. `written_at` is null where the place in the session has yet to be read.
 */
const ranked = `
  with rule as materialized (
    select coalesce((select t.score_mode from mini_game_types t where t.app_id = $1 and t.id = $2), 'best') as mode),
  moved as materialized (
    select b.player_id from player_best b
     where b.app_id = $1 and b.type_key = $2 and b.rank_key is not null and ${wanted('b.player_id')}
       and case split_part((select mode from rule), ' ', 2)
             when 'none' then true
             when 'last' then tie_order((select mode from rule), b.achieved_at) >= ${end}
             else b.achieved_at >= ${end} end
    union
    select h.player_id from score_history h
     where h.app_id = $1 and h.type_key = $2 and h.replaced_at >= ${end} and ${wanted('h.player_id')}),
  valid as (
    select sp.player_id, sp.session_id, sp.score, sp.scored_at, sp.created_at as joined_at, sp.updated_at as written_at,
           sp.metadata
      from moved m
      join players y on y.app_id = $1 and y.id = m.player_id and y.standing = 'normal'
      join session_players sp on sp.app_id = $1 and sp.player_id = m.player_id and sp.type_key = $2
     where sp.scored_at is not null and sp.updated_at < ${end}
    union all
    select h.player_id, h.session_id, h.score, h.scored_at, h.joined_at, h.written_at, h.metadata
      from score_history h join players y on y.app_id = $1 and y.id = h.player_id and y.standing = 'normal'
     where h.app_id = $1 and h.type_key = $2 and h.replaced_at >= ${end} and h.written_at < ${end} and ${wanted('h.player_id')}),
  board as (
    select b.player_id, b.session_id, b.score, b.rank_key, b.achieved_at, null::timestamptz as joined_at,
           null::timestamptz as written_at, null::json as metadata
      from player_best b
     where b.app_id = $1 and b.type_key = $2 and b.rank_key is not null and ${wanted('b.player_id')}
       and not exists (select from moved m where m.player_id = b.player_id)
    union all
    select * from (
      select distinct on (v.player_id) v.player_id, v.session_id, v.score, k.rank_key, v.scored_at, v.joined_at,
             v.written_at, v.metadata
        from valid v cross join lateral (select case when $4 then 0 - v.score else v.score end) k(rank_key)
       where (select mode from rule) = 'best'
       order by v.player_id, k.rank_key desc, v.scored_at, v.session_id) best
    union all
    select v.player_id, c.session_id, c.score, c.rank_key, c.achieved_at, c.joined_at, c.written_at, c.metadata
      from (select player_id, array_agg(row(score, session_id, scored_at, joined_at, written_at, metadata)::session_score)
              from valid where (select mode from rule) <> 'best' group by 1) v(player_id, scores)
     cross join rule cross join lateral counted_score(rule.mode, $4, v.scores) c),
  ranked as materialized (
    select *, rank() over (order by rank_key desc)::int as ranking,
           row_number() over (order by rank_key desc, achieved_at, player_id) as place
      from board)`

/** Entries of {@link ranked} and their number; one row without an entry if none matches. @param which reads the entries `b` */
const entries = (which: string) => `
  ${ranked}
  select (select count(*) from ranked) as total, e.* from (select) one left join lateral (
    select ${entryColumns}, b.ranking, b.place
      from (${which}) b
      join players p on p.app_id = $1 and p.id = b.player_id
      cross join lateral (
        select x.created_at, x.updated_at, x.session_id, x.metadata from session_players x
         where b.written_at is null and x.app_id = $1 and x.session_id = b.session_id and x.player_id = b.player_id
        union all
        select b.joined_at, b.written_at, b.session_id, b.metadata where b.written_at is not null) sp) e on true
   order by e.place`

export const pastBoardStatements = {
  /** The first $6 entries, or those after the rank key $7, reached at $8, of the player $9. */
  page: entries(`
    select * from ranked
     where $7::float8 is null or rank_key < $7 or (rank_key = $7 and (achieved_at, player_id) > ($8::timestamptz, $9::uuid))
     order by place limit $6`),

  /** $6 entries with the player $7 in the middle, as far as the ends of the board allow. */
  around: entries(`
    select r.* from ranked r, (select place from ranked where player_id = $7) me,
           lateral (select greatest(1, least(me.place - ($6::int - 1) / 2, (select count(*) from ranked) - $6 + 1))) f(first)
     where r.place >= f.first and r.place < f.first + $6`),

  /** The score and rank of the player $6, null if it has none, and how many are ranked. */
  one: `${ranked}
    select (select count(*) from ranked) as total, r.score, r.ranking
      from (select) one left join ranked r on r.player_id = $6`,
}

/** When the history of a type begins, or null if it keeps none; and whether the moment $3 is yet to come. */
export const beginningSql = `
  select h.begins::text as "begins", coalesce($3::timestamptz < h.begins, true) as "isBefore",
         $3::timestamptz > clock_timestamp() as "isFuture"
    from (select history_begins($1, $2)) h(begins)`
