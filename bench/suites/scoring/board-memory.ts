import pg from 'pg'
import { bytesOfBoard, bytesOfKey } from '../../../server/modules/scoring/ranks/memory/rank-index-cache.ts'
import { runSql } from '../../databases/temporary-database.ts'
import { eachOnce } from '../../load/closed-loop.ts'
import { send } from '../../load/http-client.ts'
import { metricOf } from '../../measure/metric.ts'
import { withAppService } from '../../processes/board-service.ts'
import type { Comparison } from '../../record/comparison.ts'

const CLIENTS = 16
/** Players of a board. */
const PLAYERS = 10
/** Boards that the budget has room for, of those that are requested. */
const SHARE = 0.2
const BYTES = bytesOfBoard + bytesOfKey * PLAYERS
/** Measurements on the way. */
const STEPS = 10

/**
 * Memory of a service after a rank was requested on each of many boards, beside CAIRN_RANK_BYTES, which has room for a fifth
 * of them. The boards are those of segments, each with ten players.
 * @param url a PostgreSQL that may create databases @param size boards
 */
export function benchBoardMemory(url: string, size = 100_000): Promise<Comparison[]> {
  const budget = Math.ceil(size * SHARE * BYTES)
  return withAppService(
    url,
    async ({ service, databaseUrl, app: { id: app, apiKey } }) => {
      await runSql(databaseUrl, seed(app, size))
      await runSql(databaseUrl, 'vacuum analyze')
      const players = await playersOf(databaseUrl)
      const rank = ({ id, n }: { id: string; n: number }) =>
        send(`${service.url}/api/v1/apps/players/${id}/global-ranking?miniGameTypeId=${app}&segment=room:${n}`, {
          headers: { 'x-app-api-key': apiKey },
        })
      await eachOnce(CLIENTS, players.slice(0, size / 1000), rank) // statements and connections
      const before = await service.memoryInUse()
      const megabytes: number[] = []
      for (let step = 0; step < STEPS; step++) {
        await eachOnce(CLIENTS, players.slice((step * size) / STEPS, ((step + 1) * size) / STEPS), rank)
        megabytes.push((await service.memoryInUse()) - before)
      }
      const known = (await metricOf(service.url, 'cairn_rank_bytes')) / 2 ** 20
      const limit = budget / 2 ** 20
      const most = Math.max(...megabytes)
      return [
        {
          name: `memory after ${size.toLocaleString('en')} boards were requested / CAIRN_RANK_BYTES for a fifth of them`,
          ours: { megabytes: megabytes.at(-1), mostMegabytes: most, countedMegabytes: known },
          peer: { megabytes: limit },
          ratio: most / limit,
          target: '≤ 1.1',
        },
      ]
    },
    { settings: { CAIRN_RANK_BYTES: String(budget) } },
  )
}

async function playersOf(url: string): Promise<{ id: string; n: number }[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    "select id, replace(display_name, 'Player ', '')::int as n from players order by 2",
  )
  await client.end()
  return rows
}

/** A type of the app's own ID. The players are in rooms of their own, with others that are only on the board. */
const seed = (app: string, size: number) => `
  insert into mini_game_types (app_id, id, name, name_key, description, scored, segments)
    values ('${app}', '${app}', 'Bench', 'bench', '', true, '{room}');
  insert into game_sessions (app_id, id, type_key) values ('${app}', '${app}', '${app}');
  insert into players (app_id, id, display_name, name_key)
    select '${app}', gen_random_uuid(), 'Player ' || n, 'player ' || n from generate_series(1, ${size}) n;
  insert into player_attributes (app_id, player_id, attributes)
    select app_id, id, jsonb_build_object('room', replace(display_name, 'Player ', '')) from players;
  insert into session_players (app_id, session_id, player_id, type_key, score, scored_at)
    select app_id, '${app}', id, '${app}', random() * 1000, now() from players;
  insert into player_best (app_id, type_key, player_id, score, rank_key, session_id, achieved_at)
    select app_id, type_key, player_id, score, score, session_id, scored_at from session_players;
  insert into segment_best (app_id, board_key, player_id, score, rank_key, session_id, achieved_at, version)
    select b.app_id, segment_key(b.type_key, b.segments[1]), case n when 1 then b.player_id else gen_random_uuid() end,
           b.score + 1 - n, b.score + 1 - n, b.session_id, now(), 1
      from player_best b, generate_series(1, ${PLAYERS}) n;`
