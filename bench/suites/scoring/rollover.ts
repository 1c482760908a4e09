import pg from 'pg'
import { periodCleanup } from '../../../server/modules/scoring/periods/period-cleanup.ts'
import { runSql } from '../../databases/temporary-database.ts'
import { closedLoop, eachOnce, loopWhile } from '../../load/closed-loop.ts'
import { send } from '../../load/http-client.ts'
import { withAppService } from '../../processes/board-service.ts'
import type { Comparison } from '../../record/comparison.ts'

const CLIENTS = 16
const MS = 4000
const PLAYERS = 10

/**
 * The end of a day on many boards at once, over HTTP. The first score on each board opens that of the new day, and the first
 * rank loads its index; beside them, the next score and rank on each. Then scores while the boards of the day before are
 * removed, beside scores without that.
 * @param url a PostgreSQL that may create databases @param size boards
 */
export function benchRollover(url: string, size = 10_000): Promise<Comparison[]> {
  return withAppService(url, async ({ service, databaseUrl, app: { id: app, apiKey } }) => {
    await runSql(databaseUrl, seed(app, size))
    await runSql(databaseUrl, 'vacuum analyze')
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
    pool.on('error', () => {}) // a connection that ends while the database is dropped
    try {
      const { rows: types } = await pool.query<{ id: string }>('select id from mini_game_types order by md5(id::text)')
      const { rows: players } = await pool.query<{ id: string }>('select id from players')
      const headers = { 'x-app-api-key': apiKey, 'content-type': 'application/json' }
      const apps = `${service.url}/api/v1/apps`
      const write = (player: number) => (type: { id: string }) =>
        send(`${apps}/game-sessions/${type.id}/players/${players[player]!.id}`, {
          method: 'PATCH',
          headers,
          body: JSON.stringify({ score: 2000 + Math.random() * 1000 }),
        })
      const rank = (type: { id: string }) =>
        send(`${apps}/players/${players[0]!.id}/global-ranking?miniGameTypeId=${type.id}&window=day`, { headers })
      const some = () => write(3)(types[Math.floor(Math.random() * types.length)]!)
      const boards = async (which: string) =>
        Number((await pool.query(`select count(*) from period_boards where ${which}`)).rows[0].count)

      await eachOnce(CLIENTS, types, rank)
      await runSql(databaseUrl, endDay)
      const [firstScore, nextScore] = [
        await eachOnce(CLIENTS, types, write(0)),
        await eachOnce(CLIENTS, types, write(1)),
      ]
      if ((await boards('ends_at > now()')) < size) throw new Error('not every board of the new day was opened')
      const [firstRank, nextRank] = [await eachOnce(CLIENTS, types, rank), await eachOnce(CLIENTS, types, rank)]
      const undisturbed = await closedLoop(CLIENTS, MS, some)
      let isRemoved = false
      const remove = periodCleanup({ pool, discard: async () => {} })
      const removal = (async () => {
        while ((await boards('ends_at < now()')) > 0) await remove()
        isRemoved = true
      })()
      const disturbed = await loopWhile(CLIENTS, () => !isRemoved, some)
      await removal
      const row = (name: string, ours: typeof firstScore, peer: typeof firstScore, target: string): Comparison => ({
        name,
        ours,
        peer,
        ratio: ours.perSecond / peer.perSecond,
        target,
      })
      const shown = size.toLocaleString('en')
      return [
        row(
          `the first score of a new day on each of ${shown} boards / the next on each`,
          firstScore,
          nextScore,
          '≥ 0.5',
        ),
        row(`the first rank of a new day on each of ${shown} boards / the next on each`, firstRank, nextRank, '≥ 0.3'),
        row(
          `scores while ${shown} boards of the day before are removed / scores alone`,
          disturbed,
          undisturbed,
          '≥ 0.5',
        ),
      ]
    } finally {
      await pool.end()
    }
  })
}

/** As if the day of all boards had ended. */
const endDay = `
  update period_boards set starts_at = starts_at - interval '2 days', ends_at = ends_at - interval '2 days'`

/** Types with a session of the same ID, in which all players have a score, and the board of the current day. */
const seed = (app: string, size: number) => `
  insert into mini_game_types (app_id, id, name, name_key, description, scored)
    select '${app}', gen_random_uuid(), 'Game ' || n, 'game ' || n, '', true from generate_series(1, ${size}) n;
  insert into game_sessions (app_id, id, type_key) select app_id, id, id from mini_game_types;
  insert into players (app_id, id, display_name, name_key)
    select '${app}', gen_random_uuid(), 'Player ' || n, 'player ' || n from generate_series(1, ${PLAYERS}) n;
  insert into session_players (app_id, session_id, player_id, type_key, score, scored_at)
    select t.app_id, t.id, p.id, t.id, random() * 1000, now() from mini_game_types t, players p;
  insert into player_best (app_id, type_key, player_id, score, rank_key, session_id, achieved_at)
    select app_id, type_key, player_id, score, score, session_id, scored_at from session_players;
  insert into board_windows (app_id, type_key, every, time_zone) select app_id, id, 'day', time_zone from mini_game_types;
  analyze;
  select open_periods(app_id, id, clock_timestamp()) from mini_game_types;
  analyze;
  alter table period_best disable trigger user;
  insert into period_best
      (app_id, board_key, player_id, score, rank_key, session_id, achieved_at, joined_at, written_at, version)
    select b.app_id, x.board_key, b.player_id, b.score, b.rank_key, b.session_id, b.achieved_at, now(), now(), 1
      from player_best b join period_boards x using (app_id, type_key);
  alter table period_best enable trigger user;`
