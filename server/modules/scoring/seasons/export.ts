import { stringify } from 'csv-stringify/sync'
import type pg from 'pg'

const columns = [
  'ranking',
  'playerId',
  'playerDisplayName',
  'playerScore',
  'gameSessionId',
  'createdAt',
  'updatedAt',
] as const
type Row = Record<(typeof columns)[number], string | number>

const PAGE = 1000
const entriesSql = `
  declare entries no scroll cursor for
  select b.ranking, b.player_id as "playerId", p.display_name as "playerDisplayName", b.score as "playerScore",
         b.session_id as "gameSessionId", b.joined_at as "createdAt", b.written_at as "updatedAt"
    from (select *, rank() over (order by rank_key desc) as ranking from period_best
           where app_id = $1 and board_key = $2 and rank_key is not null) b
    join players p on p.app_id = b.app_id and p.id = b.player_id
   order by b.rank_key desc, b.achieved_at, b.player_id`

/** Reads the leaderboard of a season as CSV (RFC 4180), in pages of one snapshot, so that its size does not matter. */
export function seasonExport(pool: pg.Pool) {
  return async function* (appId: string, id: string): AsyncGenerator<string> {
    const client = await pool.connect()
    let isWhole = false
    try {
      await client.query('begin isolation level repeatable read read only')
      // The transaction may idle for as long as the reader does.
      await client.query('set local idle_in_transaction_session_timeout = 0')
      await client.query(entriesSql, [appId, id])
      yield stringify([columns], { record_delimiter: 'windows' })
      for (;;) {
        const { rows } = await client.query<Row>(`fetch ${PAGE} from entries`)
        if (rows.length === 0) break
        const cells = rows.map((row) => columns.map((name) => row[name]))
        yield stringify(cells, { quoted_string: true, escape_formulas: true, record_delimiter: 'windows' })
      }
      await client.query('commit')
      isWhole = true
    } finally {
      // The reader may stop in the middle, which is no error.
      client.release(!isWhole)
    }
  }
}
export type SeasonExport = ReturnType<typeof seasonExport>
