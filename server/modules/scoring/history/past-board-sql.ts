import { counted, isWanted, rankedStatements, rule } from '../computed/ranked-sql.ts'

/** A version of a score that ends or begins within this millisecond is told apart by the next one. */
const end = `($3::timestamptz + interval '1 millisecond')`

const PLAYERS = 4
const wanted = (column: string) => isWanted(column, PLAYERS)

/**
 * The board of a type as it stood at a moment. $1 is the app, $2 the type, $3 the moment in milliseconds, $4 the players to
 * rank among each other, or null for all.
 *
 * The best of a player who wrote nothing since is the current one. A best may have changed since only if it was reached
 * since, or if a score was replaced or removed since: what counts of those players is worked out from the scores that were
 * valid at the moment. With ties `none`, a best does not tell when it was reached, and all players are worked out; with `last`,
 * it has that moment mirrored, and tie_order (0096_ties.sql) mirrors it back. Players that are hidden now are left out.
 */
const board = `
  ${rule},
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
    ${counted})`

export const pastBoardStatements = rankedStatements(board, PLAYERS)

/** When the history of a type begins, or null if it keeps none; and whether the moment $3 is yet to come. */
export const beginningSql = `
  select h.begins::text as "begins", coalesce($3::timestamptz < h.begins, true) as "isBefore",
         $3::timestamptz > clock_timestamp() as "isFuture"
    from (select history_begins($1, $2)) h(begins)`
