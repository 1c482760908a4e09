import pg from 'pg'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/platform/config.ts'
import { readSecret } from '../../server/platform/credentials/secrets.ts'
import { openEmbeddedDatabase } from '../../server/platform/database/embedded/embedded-database.ts'
import { migrate } from '../../server/platform/database/migrate/migrate.ts'
import { recountRows } from '../../server/platform/database/row-counts.ts'
import { createLog } from '../../server/platform/logging/log.ts'
import { MIGRATIONS } from '../../server/test/database.ts'
import { newBenchApp } from '../processes/board-service.ts'

/** Rows of each kind. */
export type Sizes = ReturnType<typeof sizesFor>

/** What belongs to that many players: 7.2 rows each. @param players a multiple of 500 */
export const sizesFor = (players: number) => ({
  players,
  boards: 10,
  sessions: players / 50,
  pins: players * 2,
  gcps: players / 5,
  zones: players / 500,
})

/** IDs follow from numbers, so that no lookup is needed: `idOf(7)` is player 7, type 7, session 7. */
export const idOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
const idSql = (n: string) => `('00000000-0000-4000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** A session of a player, with a score; the player also has one in the next session, and in the first after the last. */
export const sessionOf = (player: number, { sessions }: Sizes) => player % sessions

/** Towns of a hundred pins, some hundred metres wide. */
export const placeOf = (n: number) => ({
  latitude: ((Math.floor(n / 100) * 37) % 120) - 60 + Math.floor((n % 100) / 10) * 5e-4,
  longitude: ((Math.floor(n / 100) * 0.173) % 340) - 170 + (n % 10) * 5e-4,
})
const latitude = '((i / 100) * 37) % 120 - 60 + (i % 100) / 10 * 5e-4'
const longitude = '((i / 100) * 0.173) % 340 - 170 + i % 10 * 5e-4'
const GEO_POSE = `jsonb_build_object('position', jsonb_build_object('lat', ${latitude}, 'lon', ${longitude}, 'h', 34.5),
  'angles', jsonb_build_object('yaw', 12.5, 'pitch', 0, 'roll', 0))`

export type MixedWorld = { key: string; token: string; sizes: Sizes }

/** A data folder like after some months: an app with players, boards and sessions; pins, survey points and zones. The service is not running. */
export async function makeWorld(folder: string, sizes = sizesFor(100_000)): Promise<MixedWorld> {
  const box = await openEmbeddedDatabase({ dataDir: folder })
  const config = readConfig({ CAIRN_DATA_DIR: folder, CAIRN_LOG_LEVEL: 'silent' }, '')
  await migrate(box.url, MIGRATIONS)
  const secret = readSecret(undefined, folder)
  const app = await createApp({ config, databaseUrl: box.url, secret, log: createLog('silent') })
  try {
    const url = await app.start({ host: '127.0.0.1', port: 0 })
    const user = await app.localUser('bench')
    const { token } = await app.identity.openFor(user)
    const { id, apiKey } = await newBenchApp(url, token)
    await fill(box.url, id, sizes)
    return { key: apiKey, token, sizes }
  } finally {
    await app.stop()
    await box.stop()
  }
}

async function fill(url: string, app: string, { players, boards, sessions, pins, gcps, zones }: Sizes) {
  const each = (count: number) => `generate_series(0, ${count - 1}) i`
  const statements = [
    `insert into players (app_id, id, display_name, name_key) select '${app}', ${idSql('i')}, 'Player ' || i, 'player ' || i from ${each(players)}`,
    `insert into mini_game_types (app_id, id, name, name_key, description, scored, ascending)
       select '${app}', ${idSql('i')}, 'Game ' || i, 'game ' || i, 'A game', true, i = 9 from ${each(boards)}`,
    `insert into game_sessions (app_id, id, type_key, name) select '${app}', ${idSql('i')}, ${idSql(`i % ${boards}`)}, 'Round ' || i from ${each(sessions)}`,
    `insert into session_players (app_id, session_id, player_id, type_key, score, scored_at)
       select '${app}', ${idSql(`(i + k) % ${sessions}`)}, ${idSql('i')}, ${idSql(`(i + k) % ${sessions} % ${boards}`)}, floor(random() * 1e6), now()
         from ${each(players)}, generate_series(0, 1) k`,
    `insert into player_best (app_id, type_key, player_id, score, rank_key, session_id, achieved_at)
       select app_id, type_key, player_id, score, case when type_key = ${idSql('9')} then -score else score end, session_id, scored_at from session_players`,
    `insert into zones (title) select 'Zone ' || i from ${each(zones)}`,
    `insert into gcps (title, title_key, gcp_type, altitude, zone_id)
       select 'GCP ' || i, 'gcp ' || i, 'SINGLE', 12.5, 1 + i % ${zones} from ${each(gcps)}`,
    `insert into pins (title, latitude, longitude, geo_pose, content_type, zone_id, gcp_id)
       select 'Pin ' || i, ${latitude}, ${longitude}, ${GEO_POSE}, case when i < ${gcps} then 'GCP' else 'GLB' end,
              case when i < ${gcps} then 1 + i % ${zones} end, case when i < ${gcps} then 1 + i end from ${each(pins)}`,
  ]
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    for (const statement of statements) await client.query(statement)
    await recountRows(client)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
