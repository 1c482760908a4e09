import type { Cairn } from '@cairn/sdk'
import { saveCsv } from '../../../components/copy/csv.ts'
import type { Leaderboard } from './leaderboard.tsx'
import type { Period } from './period.ts'

/** Maximum number of rows in the file. */
const MAX_ROWS = 10_000

/** Saves a leaderboard of a period, or that of a session, as CSV (RFC 4180). Names are escaped so that spreadsheets do not run them as formulas. */
export async function exportLeaderboard(
  cairn: Cairn,
  { id, name }: Leaderboard,
  sessionId: string | undefined,
  period: Period,
): Promise<void> {
  const query = { limit: 1000, ...period, ...(id === 'default' ? {} : { miniGameTypeId: id }) }
  const list = sessionId ? cairn.leaderboards.ofSession(sessionId, { limit: 1000 }) : cairn.leaderboards.entries(query)
  const entries = await list.all({ atMost: MAX_ROWS })
  const rows = entries.map((entry) => [
    String(entry.ranking),
    entry.playerDisplayName,
    String(entry.playerScore),
    entry.updatedAt,
    entry.gameSessionId,
    entry.playerId,
  ])
  const lines = [['rank', 'player', 'score', 'reached', 'gameSessionId', 'playerId'], ...rows]
  const fileName = `${name.replace(/[^\p{L}\p{N} _-]/gu, '_')}.csv`
  saveCsv(lines, fileName)
}
