import type { Pool } from 'pg'
import type { OwnUrls } from '../../platform/storage/own-urls.ts'

const PAGE = 1000

/** Stands for "no game type" in the tables of scores. */
const NO_TYPE = '00000000-0000-0000-0000-000000000000'

/** The kinds of lines in their order: a record comes before the records that refer to it. */
const PARTS: { kind: string; rows: string; key: string[]; without: string[] }[] = [
  { kind: 'app', rows: 'select *, id as app_id from apps', key: ['id'], without: ['app_id', 'deleted_at'] },
  {
    kind: 'apiKey',
    rows: `select app_id, key_id as id, kind as key_kind, name, created_at, nullif(expires_at, 'infinity') as ends_at, last_used_at
             from app_keys where expires_at is null or expires_at > now()`,
    key: ['id'],
    without: [],
  },
  { kind: 'member', rows: 'app_members', key: ['user_id'], without: [] },
  {
    kind: 'miniGameType',
    rows: 'mini_game_types',
    key: ['id'],
    without: ['name_key', 'are_segments_ready', 'segments_changed_at'],
  },
  {
    kind: 'player',
    rows: 'select p.*, a.attributes from players p left join player_attributes a on a.app_id = p.app_id and a.player_id = p.id',
    key: ['id'],
    without: ['name_key', 'image_key'],
  },
  { kind: 'gameSession', rows: 'game_sessions', key: ['id'], without: [] },
  { kind: 'sessionPlayer', rows: 'session_players', key: ['session_id', 'player_id'], without: [] },
  { kind: 'pastScore', rows: 'score_history', key: ['player_id', 'written_at', 'session_id'], without: [] },
  {
    kind: 'heldScore',
    rows: 'held_scores',
    key: ['id'],
    without: ['written_at', 'former_score', 'former_scored_at', 'former_updated_at', 'former_metadata'],
  },
  {
    kind: 'bestScore',
    rows: 'player_best',
    key: ['type_key', 'player_id'],
    without: ['rank_key', 'version', 'segments'],
  },
  {
    kind: 'season',
    rows: 'seasons',
    key: ['starts_at', 'id'],
    without: ['has_next', 'ended_told_at'],
  },
  {
    kind: 'seasonScore',
    rows: `select b.*, b.board_key as season_id from period_best b join seasons s on s.app_id = b.app_id and s.id = b.board_key
            where b.rank_key is not null`,
    key: ['season_id', 'player_id'],
    without: ['board_key', 'rank_key', 'version'],
  },
  { kind: 'playerStorage', rows: 'player_storage', key: ['player_id', 'key'], without: ['etag'] },
  { kind: 'fence', rows: 'fences', key: ['id'], without: [] },
  {
    kind: 'checkIn',
    rows: `select c.*, v.gcp_ids as proof_gcp_ids, v.accuracy as proof_accuracy
             from check_ins c left join check_in_proofs v on v.app_id = c.app_id and v.check_in_id = c.id`,
    key: ['created_at', 'id'],
    without: ['mark'],
  },
  { kind: 'appConfig', rows: 'app_configs', key: ['version'], without: [] },
  { kind: 'alertSettings', rows: 'alert_settings', key: ['app_id'], without: [] },
  {
    kind: 'alert',
    rows: 'select * from alerts where opened_at is not null',
    key: ['opened_at', 'id'],
    without: ['seen_at', 'gone_at'],
  },
  {
    kind: 'scoreHook',
    rows: `select *, case type_key when '${NO_TYPE}' then 'default' else type_key::text end as mini_game_type_id from score_hooks`,
    key: ['id'],
    without: ['type_key', 'secret', 'old_secret', 'old_secret_until'],
  },
  {
    kind: 'webhook',
    rows: 'select * from webhook_endpoints where deleted_at is null',
    key: ['id'],
    without: ['secret', 'old_secret', 'old_secret_until', 'deleted_at'],
  },
]

/** Columns whose name differs in the interface. */
const NAMES: Record<string, string> = { type_key: 'miniGameTypeId' }

/** Number of lines of each kind. */
export type ExportedApp = Record<string, number>

/**
 * Exports an app without its secrets, as one JSON object a line whose `kind` names the record, all from one snapshot. Of
 * a key it has what the list of keys shows. Members are named as in the interface. Rows are read in pages, so the size
 * does not matter. @returns undefined if the app does not exist
 */
export function appExport(pool: Pool, ownUrls: OwnUrls) {
  return async (appId: string): Promise<{ lines: AsyncGenerator<string>; counts: ExportedApp } | undefined> => {
    const { rowCount } = await pool.query('select from apps where id = $1 and deleted_at is null', [appId])
    if (rowCount === 0) return undefined
    const counts: ExportedApp = {}
    return { lines: linesOf(pool, appId, counts, ownUrls), counts }
  }
}

async function* linesOf(pool: Pool, appId: string, counts: ExportedApp, ownUrls: OwnUrls): AsyncGenerator<string> {
  const client = await pool.connect()
  let isWhole = false
  try {
    await client.query(`begin isolation level repeatable read read only`)
    // The transaction may idle for as long as the reader does.
    await client.query('set local idle_in_transaction_session_timeout = 0')
    for (const { kind, rows, key, without } of PARTS) {
      counts[kind] = 0
      const source = rows.includes(' ') ? `(${rows})` : rows
      const hidden = kind === 'app' ? without : [...without, 'app_id']
      await client.query(
        `declare lines no scroll cursor for select to_jsonb(t) - $2::text[] as row from ${source} t
          where t.app_id = $1 order by ${key.map((name) => `t.${name}`)}`,
        [appId, hidden],
      )
      for (;;) {
        const found = await client.query<{ row: Record<string, unknown> }>(`fetch ${PAGE} from lines`)
        counts[kind] += found.rows.length
        if (found.rows.length > 0)
          yield found.rows.map(({ row }) => `${JSON.stringify(ownUrls.writtenIn({ kind, ...named(row) }))}\n`).join('')
        if (found.rows.length < PAGE) break
      }
      await client.query('close lines')
    }
    await client.query('commit')
    isWhole = true
  } finally {
    // The reader may stop in the middle, which is no error.
    client.release(!isWhole)
  }
}

/** Renames columns to the interface's names and writes values as it does. */
const named = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      NAMES[name] ?? name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
      written(value),
    ]),
  )

function written(value: unknown): unknown {
  if (value === NO_TYPE) return null
  const isTime = typeof value === 'string' && /^\d{4,6}-\d\d-\d\dT[\d:.]+\+00:00$/.test(value)
  return isTime ? new Date(value).toISOString() : value
}
