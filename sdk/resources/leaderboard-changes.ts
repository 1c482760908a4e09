import type { LeaderboardEntry, MiniGameLeaderboard } from '../generated/types.gen.ts'
import type { StreamEvent } from '../http/event-stream.ts'

/** The `entries` event of a leaderboard stream. */
type Changes = { changed: (LeaderboardEntry & { index: number })[]; removed: string[] }

/** Applies a stream event to a leaderboard. `board` replaces it. `entries` first removes the removed and changed entries, then inserts each changed entry at its index, in the given order. Ranks follow from the order. */
export function applyLeaderboardEvent(board: MiniGameLeaderboard, { event, data }: StreamEvent): MiniGameLeaderboard {
  if (event === 'board') return data as MiniGameLeaderboard
  if (event !== 'entries') return board
  const { changed, removed } = data as Changes
  const gone = new Set([...removed, ...changed.map(({ playerId }) => playerId)])
  const entries = board.leaderboard.filter(({ playerId }) => !gone.has(playerId))
  for (const { index, ...entry } of changed) entries.splice(index, 0, entry)
  return { ...board, leaderboard: withRanks(entries) }
}

/** Equal scores share a rank: 1-2-2-4. */
function withRanks(entries: LeaderboardEntry[]): LeaderboardEntry[] {
  let ranking = 0
  return entries.map((entry, index) => {
    if (entry.playerScore !== entries[index - 1]?.playerScore) ranking = index + 1
    return { ...entry, ranking }
  })
}
