import { stringify } from 'csv-stringify/sync'
import { assignRanks, type RankedRow } from '../leaderboards/assign-ranks.ts'
import type { LeaderboardEntry } from '../leaderboards/schema.ts'
import type { LeaderboardStore } from '../leaderboards/store.ts'

const columns = [
  'ranking',
  'playerId',
  'playerDisplayName',
  'playerScore',
  'gameSessionId',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof LeaderboardEntry)[]

const PAGE = 1000

/** Reads the leaderboard of a season as CSV (RFC 4180) in pages, so that no reader holds a connection. */
export function seasonExport(boards: Pick<LeaderboardStore, 'board'>) {
  return async function* (appId: string, id: string): AsyncGenerator<string> {
    yield stringify([columns], { record_delimiter: 'windows' })
    let shown = 0
    let last: (RankedRow & { ranking: number }) | undefined
    for (;;) {
      const rows: RankedRow[] = await boards.board(appId, id, PAGE, last)
      const before = last
      const entries = assignRanks(rows, ({ rankKey }, place) =>
        before && place === 0 && rankKey === before.rankKey ? before.ranking : shown + place + 1,
      )
      if (entries.length > 0)
        yield stringify(
          entries.map((entry) => columns.map((name) => entry[name])),
          { quoted_string: true, escape_formulas: true, record_delimiter: 'windows' },
        )
      if (rows.length < PAGE) return
      shown += rows.length
      last = { ...rows.at(-1)!, ranking: entries.at(-1)!.ranking }
    }
  }
}
export type SeasonExport = ReturnType<typeof seasonExport>
