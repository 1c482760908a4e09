import type { Sql } from '../../sql.ts'

/** What a board shows of a player. */
export type CountedEntry = { playerId: string; playerScore: number; gameSessionId: string; ranking: number }
/** An entry with what it is ordered by: higher keys first, then lower ties. */
type Counted = Omit<CountedEntry, 'ranking'> & { key: number; tie: number }
export type Rules = { sortOrder: 'asc' | 'desc'; scoreMode: 'best' | 'latest' | 'sum'; ties: 'first' | 'last' | 'none' }
type Score = { playerId: string; sessionId: string; score: number; at: number; writtenAt: number }

/** Which scores of a type count: those written in a period, and of players with an attribute. */
export type Which = { typeId: string; from?: string; country?: string }

const micros = (column: string) => `(extract(epoch from ${column}) * 1e6)::float8`

/** The scores that count, read one by one. @param standing of their players */
async function scoresOf(sql: Sql, { typeId, from, country }: Which, standing: string): Promise<Score[]> {
  return sql<Score>(
    `select sp.player_id as "playerId", sp.session_id as "sessionId", sp.score, ${micros('sp.scored_at')} as at,
            ${micros('sp.updated_at')} as "writtenAt"
       from session_players sp join players p on p.app_id = sp.app_id and p.id = sp.player_id and p.standing::text = $4
       left join player_attributes a on a.app_id = p.app_id and a.player_id = p.id
      where sp.type_key = $1 and sp.scored_at is not null and sp.updated_at >= coalesce($2, '-infinity'::timestamptz)
        and ($3::text is null or a.attributes ->> 'country' = $3)`,
    [typeId, from, country, standing],
  )
}

/** What counts of the scores of one player. */
function countOf(scores: Score[], { sortOrder, scoreMode, ties }: Rules): Counted {
  const keyOf = (score: number) => (sortOrder === 'asc' ? 0 - score : score)
  const rank = ({ score, at, writtenAt }: Score) =>
    scoreMode === 'best'
      ? keyOf(score)
      : scoreMode === 'latest'
        ? writtenAt
        : score === 0
          ? Number.NEGATIVE_INFINITY
          : at
  const [shown] = scores.toSorted(
    (a, b) => compare(rank(b), rank(a)) || compare(a.at, b.at) || compare(a.sessionId, b.sessionId),
  )
  const { playerId, sessionId, at } = shown!
  const playerScore = scoreMode === 'sum' ? scores.reduce((sum, { score }) => sum + score, 0) : shown!.score
  const tie = ties === 'none' ? 0 : ties === 'last' ? -at : at
  return { playerId, playerScore, gameSessionId: sessionId, key: keyOf(playerScore), tie }
}

const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * A board worked out by counting, apart from the service. @param own a hidden player, which is shown where it would stand and
 * is not counted
 */
export async function countedBoard(sql: Sql, which: Which, rules: Rules, own?: string): Promise<CountedEntry[]> {
  const ofPlayers = (scores: Score[]) =>
    [...Map.groupBy(scores, ({ playerId }) => playerId).values()].map((all) => countOf(all, rules))
  const counted = ofPlayers(await scoresOf(sql, which, 'normal'))
  const hidden = own ? ofPlayers(await scoresOf(sql, which, 'hidden')).filter(({ playerId }) => playerId === own) : []
  return [...counted, ...hidden]
    .sort((a, b) => compare(b.key, a.key) || compare(a.tie, b.tie) || compare(a.playerId, b.playerId))
    .map(({ key, tie, ...entry }) => ({ ...entry, ranking: 1 + counted.filter((other) => other.key > key).length }))
}
