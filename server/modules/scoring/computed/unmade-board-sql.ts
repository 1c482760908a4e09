import { counted, isWanted, rankedStatements, rule } from './ranked-sql.ts'

/** Whether a player is in the segment of the attribute `name` with a value, both parameters. */
const inSegment = (player: string, name: number) =>
  `join player_attributes a on a.app_id = $1 and a.player_id = ${player}
     and a.attributes ->> $${name}::text = $${name + 1}::text`

/**
 * The scores that fill_period_board (0069_score_mode_boards.sql) counts. $1 is the app, $2 the type, $3 the key of the board,
 * then the segment if it has one, then the players. A period that has ended keeps what was recorded in it: it is over.
 */
function ofScores(hasSegment: boolean) {
  const players = hasSegment ? 6 : 4
  return rankedStatements(
    `${rule},
  period as materialized (
    select x.starts_at, coalesce(x.ends_at, 'infinity') as ends_at from period_boards x
     where x.app_id = $1 and x.board_key = $3 and x.closed_at is null),
  valid as (
    select sp.player_id, sp.session_id, sp.score, sp.scored_at, sp.created_at as joined_at, sp.updated_at as written_at,
           sp.metadata
      from session_players sp
      join players y on y.app_id = $1 and y.id = sp.player_id and y.standing = 'normal'
      ${hasSegment ? inSegment('sp.player_id', 4) : ''}
     where sp.app_id = $1 and sp.type_key = $2 and sp.scored_at is not null and ${isWanted('sp.player_id', players)}
       and sp.updated_at >= (select starts_at from period) and sp.updated_at < (select ends_at from period)),
  board as (${counted})`,
    players,
    'coalesce((select ends_at from period) <= clock_timestamp(), true)',
  )
}

/** Columns of the bests of all time, whose place in the session is read later, and of those of a period. */
const bestsOf = {
  player_best: {
    key: 'type_key',
    place: 'null::timestamptz as joined_at, null::timestamptz as written_at, null::json as metadata',
  },
  period_best: { key: 'board_key', place: 'b.joined_at, b.written_at, b.metadata' },
}

/** The bests of a board, of the players in a segment. $1 is the app, $2 the key of the board, $3 and $4 the segment, $5 the players. */
function ofBests(table: keyof typeof bestsOf) {
  const { key, place } = bestsOf[table]
  return rankedStatements(
    `board as (
    select b.player_id, b.session_id, b.score, b.rank_key, b.achieved_at, ${place}
      from ${table} b ${inSegment('b.player_id', 3)}
     where b.app_id = $1 and b.${key} = $2 and b.rank_key is not null and ${isWanted('b.player_id', 5)})`,
    5,
  )
}

export const unmadeStatements = {
  scores: ofScores(false),
  scoresOfSegment: ofScores(true),
  bests: ofBests('player_best'),
  periodBests: ofBests('period_best'),
}
