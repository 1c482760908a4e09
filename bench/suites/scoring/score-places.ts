import pg from 'pg'
import type { ScoreItem } from '../../../server/modules/scoring/scores/score-writes.ts'
import { defaultGame } from '../../../server/modules/scoring/types/store.ts'

/** Sessions of a player. */
const sessionsOfPlayer = 5

/** A player's place in a session, where a score is written. */
export type Place = Omit<ScoreItem, 'score'>

/** An app with places. */
export const seedPlaces = (app: string, type = defaultGame, players = 20_000) => `
  insert into users (id, issuer, subject) values ('${app}', 'bench', '${app}');
  insert into apps (id, owner_id, name, description, visibility) values ('${app}', '${app}', 'Bench', 'Bench', 'PRIVATE');
  ${addPlaces(app, type, players)}`

/** Gives an app players who are in sessions of a type, five each. */
export const addPlaces = (app: string, type: string, players: number) => `
  insert into players (app_id, id, display_name, name_key)
    select '${app}', gen_random_uuid(), 'Player ' || n, 'player ' || n from generate_series(1, ${players}) n;
  insert into game_sessions (app_id, id, type_key)
    select '${app}', gen_random_uuid(), '${type}' from generate_series(1, ${players / 20});
  insert into player_best (app_id, type_key, player_id) select app_id, '${type}', id from players
    where app_id = '${app}';
  insert into session_players (app_id, session_id, player_id, type_key)
    select p.app_id, g.id, p.id, '${type}'
      from (select app_id, id, row_number() over (order by id) as n from players where app_id = '${app}') p
      cross join generate_series(0, ${sessionsOfPlayer - 1}) k
      join (select id, row_number() over (order by id) - 1 as n from game_sessions where app_id = '${app}') g
        on g.n = (p.n * ${sessionsOfPlayer} + k) % ${players / 20};
  analyze;`

/** Gives an app a mini game type of its own ID that keeps scores for some days, and every place a score. */
export const keepHistory = (app: string, days: number) => `
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

/** Keeps the boards of the current day, week and month of a type of the app's own ID, with a score of every player. */
export const keepWindows = (app: string) => `
  select open_window('${app}', '${app}', every) from unnest(array['day', 'week', 'month']) every;
  select count(s) from (select distinct on (player_id) * from session_players where app_id = '${app}') p,
    lateral save_score(p.app_id, p.session_id, p.player_id, random() * 1000) s;
  analyze;`

/** The places of an app. */
export async function places(url: string, app: string): Promise<Place[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Place>(
    'select app_id as "appId", session_id as "sessionId", player_id as "playerId" from session_players where app_id = $1',
    [app],
  )
  await client.end()
  return rows
}

/** The keys of the boards of an app. */
export async function boardsOf(url: string, app: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ key: string }>(
    'select distinct board_key as key from board_keys where app_id = $1 and rank_key is not null',
    [app],
  )
  await client.end()
  return rows.map(({ key }) => key)
}
