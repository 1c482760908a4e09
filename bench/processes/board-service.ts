import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultGame } from '../../server/modules/scoring/types/store.ts'
import { runSql, withTemporaryDatabase } from '../databases/temporary-database.ts'
import { startChild } from './child.ts'

/** A service with its address and CPU time (microseconds). */
export type Server = { url: string; cpu: () => Promise<number> }
export type BoardService = { service: Server; databaseUrl: string; app: { id: string; apiKey: string } }

/**
 * Runs the service in its own process with an app whose default game has `size` players; removed after `use`.
 * @param url a PostgreSQL that may create databases
 * @param players the number with rows of their own; the others are only on the board
 * @param script of the service process: that of another checkout runs another commit
 */
export function withBoardService<T>(
  url: string,
  size: number,
  use: (parts: BoardService) => Promise<T>,
  players = size,
  script = 'service-process.ts',
): Promise<T> {
  return withTemporaryDatabase(url, async (databaseUrl) => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-service-'))
    const service = await startChild<{ url: string; token: string }>(script, [databaseUrl, folder])
    try {
      const app = await newBenchApp(service.url, service.token)
      await runSql(databaseUrl, seedBoard(app.id, size, players))
      return await use({ service, databaseUrl, app })
    } finally {
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

/** Creates an app over HTTP. */
export async function newBenchApp(url: string, token: string): Promise<{ id: string; apiKey: string }> {
  const answer = await fetch(`${url}/api/v1/apps`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', description: 'Bench' }),
  })
  return (await answer.json()) as { id: string; apiKey: string }
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
