import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { defaultGame } from '../../server/modules/scoring/types/store.ts'
import { runSql, withTemporaryDatabase } from '../databases/temporary-database.ts'
import { startChild } from './child.ts'

/** A service with its address, its CPU time (microseconds) and its memory in use after a collection (megabytes). */
export type Server = { url: string; cpu: () => Promise<number>; memoryInUse: () => Promise<number> }
type App = { id: string; apiKey: string }
export type BoardService = { service: Server; databaseUrl: string; app: App; newApp: () => Promise<App> }

type Options = {
  /** Of the service process: that of another checkout runs another commit. */
  script?: string
  /** CAIRN_* settings. */
  settings?: Record<string, string>
}

/**
 * Runs the service in its own process, on a database of its own with one app; removed after `use`.
 * @param url a PostgreSQL that may create databases
 */
export function withAppService<T>(
  url: string,
  use: (parts: BoardService) => Promise<T>,
  { script = 'service-process.ts', settings = {} }: Options = {},
): Promise<T> {
  return withTemporaryDatabase(url, async (databaseUrl) => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-service-'))
    const environment = { CAIRN_BENCH_SETTINGS: JSON.stringify(settings) }
    const service = await startChild<{ url: string; token: string }>(script, [databaseUrl, folder], environment)
    try {
      const newApp = () => newBenchApp(service.url, service.token)
      return await use({ service, databaseUrl, app: await newApp(), newApp })
    } finally {
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

/**
 * The same with `size` players in the default game of the app.
 * @param players the number with rows of their own; the others are only on the board
 */
export const withBoardService = <T>(
  url: string,
  size: number,
  use: (parts: BoardService) => Promise<T>,
  { players = size, ...options }: Options & { players?: number } = {},
): Promise<T> =>
  withAppService(
    url,
    async (parts) => {
      await runSql(parts.databaseUrl, seedBoard(parts.app.id, size, players))
      return use(parts)
    },
    options,
  )

/** Creates an app over HTTP. */
export async function newBenchApp(url: string, token: string): Promise<App> {
  const answer = await fetch(`${url}/api/v1/apps`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', description: 'Bench' }),
  })
  return (await answer.json()) as App
}

/** The ids of some players of an app. */
export async function somePlayers(databaseUrl: string, app: string, most: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from players where app_id = $1 limit $2', [app, most])
  await client.end()
  return rows.map(({ id }) => id)
}

/** Creates a board of `size` players with one session, whose id is that of the app. */
const seedBoard = (app: string, size: number, players: number) => `
  insert into game_sessions (app_id, id, type_key) values ('${app}', '${app}', '${defaultGame}');
  insert into players (app_id, id, display_name, name_key)
    select '${app}', gen_random_uuid(), 'Player ' || n, 'player ' || n from generate_series(1, ${players}) n;
  insert into player_best (app_id, type_key, player_id, score, rank_key, session_id, achieved_at)
    select app_id, '${defaultGame}', id, k, k, '${app}', now() from (select app_id, id, random() * 1e9 as k from players) p;
  insert into session_players (app_id, session_id, player_id, type_key, score, scored_at)
    select app_id, '${app}', player_id, '${defaultGame}', score, now() from player_best;
  ${size > players ? 'alter table player_best drop constraint player_best_app_id_player_id_fkey;' : ''}
  insert into player_best (app_id, type_key, player_id, score, rank_key, session_id, achieved_at)
    select '${app}', '${defaultGame}', gen_random_uuid(), k, k, '${app}', now()
      from (select random() * 1e9 as k from generate_series(1, ${size - players})) q;
  analyze;`
