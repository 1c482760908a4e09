import type pg from 'pg'

/** A score as it was written: the time is in microseconds, by the clock of the database. */
export type Written = { n: number; playerId: string; sessionId: string; score: number; at: number }
/** A place on a board. */
export type Ranked = { playerId: string; playerScore: number; ranking: number }

const microseconds = (column: string) => `(extract(epoch from ${column}) * 1000000)::float8`

/** Every score that was written for a type and carries its number `n` as metadata: the current ones and those replaced since. */
export async function writtenScores(sql: pg.ClientBase, typeId: string): Promise<Written[]> {
  const part = (table: string, at: string) => `
    select (metadata ->> 'n')::int as n, player_id as "playerId", session_id as "sessionId", score, ${microseconds(at)} as at
      from ${table} where type_key = $1 and metadata is not null`
  const { rows } = await sql.query<Written>(
    `${part('session_players', 'updated_at')} union all ${part('score_history', 'written_at')}`,
    [typeId],
  )
  return rows
}

/**
 * The board of the scores written from one time and before another, by looking at all of them: of each session the last
 * score, of each player the best session, and 1 + the number of better players. Ordered by player.
 */
export function countedBoard(written: Written[], from: number, to: number): Ranked[] {
  const last = new Map<string, Written>()
  for (const one of written.toSorted((a, b) => a.at - b.at))
    if (one.at >= from && one.at < to) last.set(`${one.sessionId} ${one.playerId}`, one)
  const best = new Map<string, number>()
  for (const { playerId, score } of last.values()) best.set(playerId, Math.max(score, best.get(playerId) ?? score))
  const scores = [...best.values()]
  return inOrder(
    [...best].map(([playerId, playerScore]) => ({
      playerId,
      playerScore,
      ranking: 1 + scores.filter((score) => score > playerScore).length,
    })),
  )
}

/** What is compared of the entries of a board, ordered by player. */
export const inOrder = (entries: Ranked[]): Ranked[] =>
  entries
    .map(({ playerId, playerScore, ranking }) => ({ playerId, playerScore, ranking }))
    .sort((a, b) => (a.playerId < b.playerId ? -1 : 1))
