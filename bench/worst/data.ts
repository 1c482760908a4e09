import { defaultGame } from '../../server/modules/scoring/types/store.ts'
import { runSql } from '../databases/temporary-database.ts'
import { idOf, seed } from '../growth/seed.ts'

/** Rows in each table, of one app and user. */
const ROWS = 20_000
/** Zones around one point, each with the maximum number of positions. */
const ZONES = 61
const POSITIONS = 10_000

export type Filled = { around: number; holding: number; comb: number; session: string }

/**
 * Builds a C-shaped ring with the maximum number of positions, open to the east: its box contains points that it does
 * not.
 */
function letterC(west: number): number[][] {
  const arc = (count: number, radius: number) =>
    Array.from({ length: count }, (_, i) => {
      const angle = (Math.PI / 6) * (1 + (10 * i) / (count - 1))
      return [west + radius * Math.cos(angle), 50 + radius * Math.sin(angle)]
    })
  const half = POSITIONS / 2
  const ring = [...arc(half, 1), ...arc(half - 1, 0.5).toReversed()]
  return [...ring, ring[0]!]
}

function circle(west: number): number[][] {
  const ring = Array.from({ length: POSITIONS - 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / (POSITIONS - 1)
    return [west + Math.cos(angle), 50 + Math.sin(angle)]
  })
  return [...ring, ring[0]!]
}

/** Builds a comb whose teeth each cross every latitude. */
export function comb(west: number): number[][] {
  const teeth = POSITIONS / 4 - 1
  const ring = Array.from({ length: teeth }, (_, i) => {
    const at = west + i * 0.002
    return [
      [at, 50.9],
      [at, 50],
      [at + 0.001, 50],
      [at + 0.001, 50.9],
    ]
  }).flat()
  return [...ring, [west + teeth * 0.002, 50.9], [west + 6, 51], [west, 51], ring[0]!]
}

export const polygon = (ring: number[][]) => ({ type: 'Polygon', coordinates: [ring] })

/** Fills the tables of an app and user with the most expensive zones, points and pins. */
export async function fill(
  databaseUrl: string,
  { app, user, webhook }: { app: string; user: string; webhook: string },
): Promise<Filled> {
  await seed(databaseUrl, { app, user, webhook, rows: ROWS, tables: [] })
  const [around, holding] = [20, 30]
  const combs = 40
  const zones = (title: string, ring: number[][], count: number) =>
    `insert into zones (title, user_id, boundary)
       select '${title}', '${user}', '${JSON.stringify(polygon(ring))}'::jsonb from generate_series(1, ${count});`
  await runSql(
    databaseUrl,
    `${zones('C', letterC(around), ZONES)} ${zones('Circle', circle(holding), ZONES)} ${zones('Comb', comb(combs), 1)}
     set session_replication_role = replica;
     update zones set outline = boundary_positions(boundary), outline_at = updated_at;
     update gcps set zone_id = (select max(id) from zones);
     update pins p set zone_id = (select max(id) from zones), latitude = 50.5, longitude = 40 + (p.id % 5000) * 0.001;
     insert into pins (title, content_type, latitude, longitude, user_id)
       select 'Pin ' || i, 'GLB', 10 + (i % 200) * 1e-3, 10 + (i / 200) * 1e-3, '${user}' from generate_series(1, ${ROWS}) i;
     insert into session_players (app_id, session_id, player_id, type_key, score, scored_at)
       select app_id, '${idOf(0)}', id, '${defaultGame}', 1, now() from players where app_id = '${app}' order by id limit 1000
       on conflict do nothing;
     reset session_replication_role;`,
  )
  return { around, holding, comb: combs, session: idOf(0) }
}
