import { entryColumns } from '../leaderboards/entry-sql.ts'

/** The rule `rule` of the type $2: the column score_mode, and whether lower is better. */
export const rule = `
  rule as materialized (
    select coalesce(t.score_mode, 'best') as mode, coalesce(t.ascending, false) as ascending
      from (select) one left join mini_game_types t on t.app_id = $1 and t.id = $2)`

/**
 * What counts of the scores `valid` of each player by {@link rule}, as counted_score (0096_ties.sql) says. That takes four times
 * as long for each player as sorting the bests of many at once.
 */
export const counted = `
  select * from (
    select distinct on (v.player_id) v.player_id, v.session_id, v.score, k.rank_key, v.scored_at as achieved_at,
           v.joined_at, v.written_at, v.metadata
      from valid v
     cross join lateral (select case when (select ascending from rule) then 0 - v.score else v.score end) k(rank_key)
     where (select mode from rule) = 'best'
     order by v.player_id, k.rank_key desc, v.scored_at, v.session_id) best
  union all
  select v.player_id, c.session_id, c.score, c.rank_key, c.achieved_at, c.joined_at, c.written_at, c.metadata
    from (select player_id, array_agg(row(score, session_id, scored_at, joined_at, written_at, metadata)::session_score)
            from valid where (select mode from rule) <> 'best' group by 1) v(player_id, scores)
   cross join rule cross join lateral counted_score(rule.mode, rule.ascending, v.scores) c`

/** Whether a row belongs to one of the players in the parameter of this number; null means all players. */
export const isWanted = (column: string, players: number) =>
  `($${players}::uuid[] is null or ${column} = any ($${players}))`

export type RankedStatements = { page: string; around: string; one: string }

/**
 * Statements that rank a board which is worked out at each request. A hidden player that reads it is at a place of its own,
 * and not counted: its rank is `above` + 1.
 * @param board common table expressions that end with the rows `board`; `written_at` is null where the place in the session
 * has yet to be read
 * @param last the number of its last parameter, the players to rank among each other, or null for all
 * @param isOver whether the board can no longer be worked out
 */
export function rankedStatements(board: string, last: number, isOver = 'false'): RankedStatements {
  const value = (n: number) => `$${last + n}`
  const all = `
  with ${board},
  ranked as materialized (
    select *, rank() over (order by rank_key desc)::int as ranking,
           row_number() over (order by rank_key desc, achieved_at, player_id) as place
      from board)`
  const summary = (ownKey: string) => `
    (select count(*) from ranked) as total, (select count(*) from ranked where rank_key > ${ownKey}::float8) as above,
    ${isOver} as "isOver"`
  /** One row without an entry if none matches. */
  const entries = (which: string, ownKey: string) => `
  ${all}
  select ${summary(ownKey)}, e.* from (select) one left join lateral (
    select ${entryColumns}, b.ranking, b.place
      from (${which}) b
      join players p on p.app_id = $1 and p.id = b.player_id
      cross join lateral (
        select x.created_at, x.updated_at, x.session_id, x.metadata from session_players x
         where b.written_at is null and x.app_id = $1 and x.session_id = b.session_id and x.player_id = b.player_id
        union all
        select b.joined_at, b.written_at, b.session_id, b.metadata where b.written_at is not null) sp) e on true
   order by e.place`

  return {
    /** The first $1 entries, or those after the rank key $2, reached at $3, of the player $4. $5 is the rank key of the reader. */
    page: entries(
      `select * from ranked
        where ${value(2)}::float8 is null or rank_key < ${value(2)}
           or (rank_key = ${value(2)} and (achieved_at, player_id) > (${value(3)}::timestamptz, ${value(4)}::uuid))
        order by place limit ${value(1)}`,
      value(5),
    ),

    /**
     * $1 entries with the player $2 in the middle, as far as the ends of the board allow. With a rank key $3, reached at
     * $4, the player is the reader, whose own entry is one of them and left out.
     */
    around: entries(
      `select r.* from ranked r,
              lateral (
                select m.place, 0 as own from ranked m where ${value(3)}::float8 is null and m.player_id = ${value(2)}
                union all
                select 1 + count(*), 1 from ranked m
                 where m.rank_key > ${value(3)}
                    or (m.rank_key = ${value(3)} and (m.achieved_at, m.player_id) < (${value(4)}::timestamptz, ${value(2)}))
                having ${value(3)} is not null) me,
              lateral (
                select greatest(1, least(me.place - (${value(1)}::int - 1) / 2,
                                         (select count(*) from ranked) + me.own - ${value(1)} + 1))) f(first)
        where r.place >= f.first and r.place < f.first + ${value(1)} - me.own`,
      value(3),
    ),

    /** The score and rank of the player $1, null if it has none. $2 is the rank key of the reader. */
    one: `${all}
    select ${summary(value(2))}, r.score, r.ranking
      from (select) one left join ranked r on r.player_id = ${value(1)}::uuid`,
  }
}
