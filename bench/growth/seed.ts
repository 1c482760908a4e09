import pg from 'pg'
import { defaultGame } from '../../server/modules/scoring/types/store.ts'
import { recountRows } from '../../server/platform/database/row-counts.ts'

/** Row IDs follow from their number, so that requests can name them: `idOf(7)` is player 7, session 7, scan 7. */
export const idOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
const idSql = (n: string) => `('00000000-0000-4000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** Players of a session, and GCPs of a zone: constant for all table sizes. */
export const OF_ONE = 100

/** The position of GCP n: towns of 500 points some metres apart, so that the density is constant. */
export const pointOf = (n: number) => ({
  latitude: ((Math.floor(n / 500) * 37) % 120) - 60 + Math.floor((n % 500) / 25) * 1e-4,
  longitude: ((Math.floor(n / 500) * 0.173) % 350) - 175 + ((n % 500) % 25) * 1e-4,
})
const latitude = '((i / 500) * 37) % 120 - 60 + (i % 500) / 25 * 1e-4'
const longitude = '((i / 500) * 0.173) % 350 - 175 + (i % 500) % 25 * 1e-4'

const TABLES = [
  'players',
  'game_sessions',
  'session_players',
  'player_best',
  'zones',
  'gcps',
  'pins',
  'users',
  'user_sessions',
  'codes',
  'files',
  'scans',
  'audit_log',
  'idempotency_keys',
  'webhook_deliveries',
  'pgboss.job',
] as const

/**
 * Fills every table with `rows` rows (sessions and zones: a hundredth), like a service after some time: unused codes,
 * completed deliveries and jobs. Foreign keys are valid, but not checked.
 * @param tables only these; by default all
 */
export async function seed(
  url: string,
  { app, user, webhook, rows, tables }: { app: string; user: string; webhook: string; rows: number; tables: string[] },
) {
  const sessions = Math.ceil(rows / OF_ONE)
  const each = (count = rows) => `generate_series(0, ${count - 1}) i`
  const made = `timestamptz '2026-01-01' + i * interval '1 second'`
  const statements = [
    `insert into users (id, issuer, subject, email, first_name, username, username_key, created_at)
       select ${idSql('i')}, 'bench', i::text, 'user' || i || '@example.com', 'User', 'user' || i, 'user' || i, ${made} from ${each()}`,
    `insert into user_sessions (id, user_id, created_at, expires_at)
       select ${idSql('i')}, ${idSql('i')}, ${made}, now() + interval '10 days' from ${each()}`,
    `insert into players (app_id, id, display_name, name_key, created_at)
       select '${app}', ${idSql('i')}, 'Player ' || i, 'player ' || i, ${made} from ${each()}`,
    `insert into game_sessions (app_id, id, type_key, name, created_at)
       select '${app}', ${idSql('i')}, '${defaultGame}', 'Round ' || i, ${made} from ${each(sessions)}`,
    `insert into session_players (app_id, session_id, player_id, type_key, score, scored_at)
       select '${app}', ${idSql(`i / ${OF_ONE}`)}, ${idSql('i')}, '${defaultGame}', i, ${made} from ${each()}`,
    `insert into player_best (app_id, type_key, player_id, score, rank_key, session_id, achieved_at)
       select '${app}', '${defaultGame}', ${idSql('i')}, i, i, ${idSql(`i / ${OF_ONE}`)}, ${made} from ${each()}`,
    `insert into zones (title, user_id, boundary)
       select 'Zone ' || i, '${user}', null from ${each(sessions)}`,
    `insert into gcps (title, title_key, gcp_type, april_tag_id, altitude, zone_id, user_id, created_at)
       select 'GCP ' || i, 'gcp ' || i, 'SINGLE', case when i % 20 = 0 then (i / 20) % 51 end, 12.5, 1 + i / ${OF_ONE}, '${user}', ${made} from ${each()}`,
    `insert into pins (title, latitude, longitude, geo_pose, content_type, zone_id, gcp_id, user_id, created_at)
       select 'GCP ' || i, ${latitude}, ${longitude},
              jsonb_build_object('position', jsonb_build_object('lat', ${latitude}, 'lon', ${longitude}, 'h', 34.5),
                                 'angles', jsonb_build_object('yaw', 12.5, 'pitch', 0, 'roll', 0)),
              'GCP', 1 + i / ${OF_ONE}, 1 + i, '${user}', ${made} from ${each()}`,
    `insert into codes (id, digest, app_id, user_id, created_at, expires_at)
       select ${idSql('i')}, 'digest ' || i, '${app}', ${idSql('i')}, now() - interval '2 hours', now() - interval '1 hour' from ${each()}`,
    `insert into files (id, key, file_name, mime_type, size, sha256, user_id, created_at)
       select 1 + i, 'key-' || i, 'File ' || i || '.bin', 'application/octet-stream', 1000, encode(sha256(i::text::bytea), 'hex'), '${user}', ${made} from ${each()}`,
    `insert into scans (id, user_id, file_id, visibility, status, title, captured_at, captured_from)
       select ${idSql('i')}, '${user}', 1 + i, 'public', 'COMPLETED', 'Scan', ${made}, 'caller' from ${each()}`,
    `insert into audit_log (at, actor, action, subject)
       select ${made}, ${idSql('i')}::text, case when i % 10 = 0 then 'app.changed' else 'code.made' end, ${idSql('i')}::text from ${each()}`,
    `insert into idempotency_keys (scope, key, request, state, status, headers, body)
       select 'app:${app}', 'key-' || i, sha256(i::text::bytea), 'answered', 201, '{}', '{}' from ${each()}`,
    `insert into webhook_deliveries (app_id, endpoint_id, id, type, subject, data, status, settled_at)
       select '${app}', '${webhook}', ${idSql('i')}, 'webhook.test', i::text, '{"id": 1}', 'DELIVERED', now() from ${each()}`,
    `insert into pgboss.job (id, name, data, state, created_on, started_on, completed_on)
       select ${idSql('i')}, 'gcp-csv-import', '{}', 'completed', now() - interval '1 hour', now(), now() from ${each()}`,
  ]
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set session_replication_role = replica; set maintenance_work_mem = '256MB'`)
    const isWanted = (statement: string) => tables.length === 0 || tables.includes(/into (\S+)/.exec(statement)![1]!)
    for (const statement of statements.filter(isWanted)) await client.query(statement)
    await recountRows(client)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

/** Bytes on disk per row, with its share of the indexes. */
export async function bytesOfRows(client: pg.Client): Promise<Record<string, { row: number; indexes: number }>> {
  const bytes: Record<string, { row: number; indexes: number }> = {}
  for (const table of TABLES) {
    const parts =
      table === 'pgboss.job'
        ? `(select relid from pg_partition_tree('pgboss.job') where isleaf)`
        : `(values ('${table}'::regclass))`
    const { rows } = await client.query(
      `select sum(pg_table_size(relid))::float8 / nullif((select count(*) from ${table}), 0) as row,
              sum(pg_indexes_size(relid))::float8 / nullif((select count(*) from ${table}), 0) as indexes from ${parts} p (relid)`,
    )
    bytes[table] = { row: Math.round(rows[0].row), indexes: Math.round(rows[0].indexes) }
  }
  return bytes
}
