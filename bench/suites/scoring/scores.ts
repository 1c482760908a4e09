import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openRanks } from '../../../server/modules/scoring/ranks/ranks.ts'
import type { ScoreItem } from '../../../server/modules/scoring/scores/score-writes.ts'
import { defaultGame } from '../../../server/modules/scoring/types/store.ts'
import { runSql, withTemporaryDatabase } from '../../databases/temporary-database.ts'
import { bestOfTwo, closedLoop, type Throughput } from '../../load/closed-loop.ts'

export type ScoreBench = {
  name: string
  ours: Throughput
  peer: Throughput
  /** Ours to the peer's writes per second; for one client the peer's latency to ours. */
  ratio: number
  target: string
}

const players = 20_000
const sessions = 1_000
/** Each player is in five sessions of 100. */
const sessionsOfPlayer = 5

/**
 * Score writes on one app of 20,000 players and 1,000 sessions, with random scores: through the group writer (with the rank
 * index and the names in the response), through `save_score` alone, and as a bare one-row UPDATE without best scores and
 * ranks. In one process with one connection a client (the writer: two lanes).
 * @param url a PostgreSQL that may create databases @param ms length of each measurement
 */
export function benchScores(url: string, ms = 1500): Promise<ScoreBench[]> {
  return withTemporaryDatabase(url, async (own) => {
    const app = randomUUID()
    await runSql(own, seed(app))
    const items = await places(own, app)
    const playedDaily = randomUUID()
    await runSql(own, seed(playedDaily))
    await runSql(own, keepWindows(playedDaily))
    const dailyItems = await places(own, playedDaily)
    const [kept, unkept] = [randomUUID(), randomUUID()]
    for (const [of, days] of [
      [kept, 400],
      [unkept, 0],
    ] as const)
      await runSql(own, seed(of, of) + keepHistory(of, days))
    const [keptItems, unkeptItems] = [await places(own, kept), await places(own, unkept)]
    const pool = new pg.Pool({ connectionString: own, max: 64 })
    const fail = (error: unknown) => {
      throw error
    }
    const ranks = openRanks({ url: own, processId: randomUUID(), onError: fail, onMismatch: fail })
    try {
      await ranks.load(app, defaultGame)
      for (const key of await boardsOf(own, playedDaily)) await ranks.load(playedDaily, key)
      const some = (of = items): ScoreItem => ({
        ...of[Math.floor(Math.random() * of.length)]!,
        score: Math.random() * 1000,
      })
      const statement =
        (name: string, text: string, of = items) =>
        () => {
          const { appId, sessionId, playerId, score } = some(of)
          return pool.query({ name, text, values: [appId, sessionId, playerId, score] })
        }
      const bare = statement('bare', bareUpdate)
      const single = statement('single', 'select * from save_score($1, $2, $3, $4)')
      const writer = () => ranks.writer.save(some())
      const singleDaily = statement('single', 'select * from save_score($1, $2, $3, $4)', dailyItems)
      const singleOf = (of: typeof items) => statement('single', 'select * from save_score($1, $2, $3, $4)', of)
      const writerOf = (of: typeof items) => () => ranks.writer.save(some(of))
      const writerDaily = () => ranks.writer.save(some(dailyItems))
      const measure = (clients: number) =>
        bestOfTwo({
          bare: () => closedLoop(clients, ms, bare),
          single: () => closedLoop(clients, ms, single),
          writer: () => closedLoop(clients, ms, writer),
        })
      await closedLoop(64, ms, bare) // connections and plans
      await closedLoop(64, ms, single)
      await closedLoop(64, ms, writer)
      await closedLoop(64, ms, writerDaily)
      const [at1, at16, at64] = [await measure(1), await measure(16), await measure(64)]
      const daily = await bestOfTwo({
        single: () => closedLoop(16, ms, single),
        singleDaily: () => closedLoop(16, ms, singleDaily),
        writer: () => closedLoop(64, ms, writer),
        writerDaily: () => closedLoop(64, ms, writerDaily),
      })
      const history = await bestOfTwo({
        single: () => closedLoop(16, ms, singleOf(unkeptItems)),
        singleKept: () => closedLoop(16, ms, singleOf(keptItems)),
        writer: () => closedLoop(64, ms, writerOf(unkeptItems)),
        writerKept: () => closedLoop(64, ms, writerOf(keptItems)),
      })
      const rate = (name: string, ours: Throughput, peer: Throughput, target: string): ScoreBench => ({
        name,
        ours,
        peer,
        ratio: ours.perSecond / peer.perSecond,
        target,
      })
      return [
        rate('save_score / bare UPDATE, 16 clients', at16.single, at16.bare, '≥ 0.5'),
        rate('score writer / save_score, 16 clients', at16.writer, at16.single, '≥ 0.8'),
        rate('score writer / save_score, 64 clients', at64.writer, at64.single, '≥ 2'),
        rate('score writer / bare UPDATE, 64 clients', at64.writer, at64.bare, '≥ 1'),
        rate(
          'save_score with boards of day, week and month / without, 16 clients',
          daily.singleDaily,
          daily.single,
          '≥ 0.7',
        ),
        rate(
          'score writer with boards of day, week and month / without, 64 clients',
          daily.writerDaily,
          daily.writer,
          '≥ 0.7',
        ),
        rate('save_score with history / without, 16 clients', history.singleKept, history.single, '≥ 0.8'),
        rate('score writer with history / without, 64 clients', history.writerKept, history.writer, '≥ 0.8'),
        {
          ...rate('score writer / save_score, one client', at1.writer, at1.single, '≥ 0.91 (latency ≤ 1.1 of it)'),
          ratio: at1.single.p50Ms / at1.writer.p50Ms,
        },
      ]
    } finally {
      await ranks.stop()
      await pool.end()
    }
  })
}

const bareUpdate = `
  update session_players set score = $4, updated_at = clock_timestamp()
   where app_id = $1 and session_id = $2 and player_id = $3`

/** Keeps the boards of the current day, week and month of an app, with a score of every player. */
const keepWindows = (app: string) => `
  select open_window('${app}', '${defaultGame}', every) from unnest(array['day', 'week', 'month']) every;
  select count(s) from (select distinct on (player_id) * from session_players where app_id = '${app}') p,
    lateral save_score(p.app_id, p.session_id, p.player_id, random() * 1000) s;
  analyze;`

/** Gives an app a mini game type of its own ID that keeps scores for some days, and every place a score. */
const keepHistory = (app: string, days: number) => `
  insert into mini_game_types (app_id, id, name, name_key, description, scored, history_days)
    values ('${app}', '${app}', 'Bench', 'bench', '', true, ${days});
  update session_players set score = random() * 1000, scored_at = clock_timestamp(), updated_at = clock_timestamp()
    where app_id = '${app}';
  insert into player_best (app_id, type_key, player_id, score, rank_key, session_id, achieved_at)
    select distinct on (player_id) app_id, type_key, player_id, score, score, session_id, scored_at
      from session_players where app_id = '${app}' order by player_id, score desc
    on conflict (app_id, type_key, player_id) do update set score = excluded.score, rank_key = excluded.rank_key,
      session_id = excluded.session_id, achieved_at = excluded.achieved_at;
  analyze;`

const seed = (app: string, type = defaultGame) => `
  insert into users (id, issuer, subject) values ('${app}', 'bench', '${app}');
  insert into apps (id, owner_id, name, description, visibility) values ('${app}', '${app}', 'Bench', 'Bench', 'PRIVATE');
  insert into players (app_id, id, display_name, name_key)
    select '${app}', gen_random_uuid(), 'Player ' || n, 'player ' || n from generate_series(1, ${players}) n;
  insert into game_sessions (app_id, id, type_key)
    select '${app}', gen_random_uuid(), '${type}' from generate_series(1, ${sessions});
  insert into player_best (app_id, type_key, player_id) select app_id, '${type}', id from players
    where app_id = '${app}';
  insert into session_players (app_id, session_id, player_id, type_key)
    select p.app_id, g.id, p.id, '${type}'
      from (select app_id, id, row_number() over (order by id) as n from players where app_id = '${app}') p
      cross join generate_series(0, ${sessionsOfPlayer - 1}) k
      join (select id, row_number() over (order by id) - 1 as n from game_sessions where app_id = '${app}') g
        on g.n = (p.n * ${sessionsOfPlayer} + k) % ${sessions};
  analyze;`

/** The keys of the boards of an app. */
async function boardsOf(url: string, app: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ key: string }>(
    'select distinct board_key as key from board_keys where app_id = $1 and rank_key is not null',
    [app],
  )
  await client.end()
  return rows.map(({ key }) => key)
}

async function places(url: string, app: string): Promise<Omit<ScoreItem, 'score'>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Omit<ScoreItem, 'score'>>(
    'select app_id as "appId", session_id as "sessionId", player_id as "playerId" from session_players where app_id = $1',
    [app],
  )
  await client.end()
  return rows
}
