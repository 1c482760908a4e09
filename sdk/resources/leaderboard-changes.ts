import type { LeaderboardEntry, MiniGameLeaderboard } from '../generated/types.gen.ts'
import type { StreamEvent } from '../http/event-stream.ts'

/** The `entries` event of a board's stream. */
type Changes = { changed: (LeaderboardEntry & { index: number })[]; removed: string[] }

/** A board after an event of its stream. `board` is the whole board; `entries` is what changed: who was removed or changed is taken out, then each changed entry put in at its index, in the order given; ranks follow from the order. */
export function boardAfter(board: MiniGameLeaderboard, { event, data }: StreamEvent): MiniGameLeaderboard {
  if (event === 'board') return data as MiniGameLeaderboard
  if (event !== 'entries') return board
  const { changed, removed } = data as Changes
  const gone = new Set([...removed, ...changed.map(({ playerId }) => playerId)])
  const entries = board.leaderboard.filter(({ playerId }) => !gone.has(playerId))
  for (const { index, ...entry } of changed) entries.splice(index, 0, entry)
  return { ...board, leaderboard: ranked(entries) }
}

/** Equal scores share a rank: 1-2-2-4. */
function ranked(entries: LeaderboardEntry[]): LeaderboardEntry[] {
  let ranking = 0
  return entries.map((entry, index) => {
    if (entry.playerScore !== entries[index - 1]?.playerScore) ranking = index + 1
    return { ...entry, ranking }
  })
}
