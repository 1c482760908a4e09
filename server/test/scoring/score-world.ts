import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { defaultGame } from '../../modules/scoring/types/store.ts'

/** A small app for concurrency tests: few players and sessions, both sort orders, all score modes and ties, initial scores. */
export type World = { app: string; players: string[]; sessions: string[]; types: string[] }

/** Creates a {@link World} with every player in every session and about half of the places scored. */
export async function makeWorld(db: pg.Pool, size: { players: number; sessions: number }): Promise<World> {
  const ids = (count: number) => Array.from({ length: count }, () => randomUUID())
  const app = randomUUID()
  const players = ids(size.players)
  const sessions = ids(size.sessions)
  const made = ids(5)
  const types = [defaultGame, ...made]
  const owner = randomUUID()
  await db.query("insert into users (id, issuer, subject) values ($1, 'test', $2)", [owner, owner])
  await db.query(
    "insert into apps (id, owner_id, name, description, visibility) values ($1, $2, 'World', 'A test', 'PRIVATE')",
    [app, owner],
  )
  await db.query(
    `insert into players (app_id, id, display_name, name_key)
     select $1, id, 'Player ' || n, 'player ' || n from unnest($2::uuid[]) with ordinality p(id, n)`,
    [app, players],
  )
  await db.query(
    `insert into mini_game_types (app_id, id, name, name_key, description, ascending, score_mode)
     select $1, ($2::uuid[])[n], name, lower(name), '', ascending, mode
       from (values (1, 'Race', true, 'best'), (2, 'Hunt', false, 'best'), (3, 'Form', true, 'latest'),
                    (4, 'Points', false, 'sum last'), (5, 'Draw', true, 'best none')) t(n, name, ascending, mode)`,
    [app, made],
  )
  await db.query(
    `insert into game_sessions (app_id, id, type_key)
     select $1, id, ($3::uuid[])[1 + (n - 1) % cardinality($3)] from unnest($2::uuid[]) with ordinality s(id, n)`,
    [app, sessions, types],
  )
  await db.query(
    `insert into player_best (app_id, type_key, player_id)
     select $1, t, p from unnest($2::uuid[]) t, unnest($3::uuid[]) p`,
    [app, types, players],
  )
  await db.query(
    `insert into session_players (app_id, session_id, player_id, type_key)
     select g.app_id, g.id, p, g.type_key from game_sessions g, unnest($2::uuid[]) p where g.app_id = $1`,
    [app, players],
  )
  await db.query(
    `select save_scores_group(array_agg(app_id), array_agg(session_id), array_agg(player_id), array_agg(k))
     from (select app_id, session_id, player_id, (random() * 5)::int::float8 as k from session_players
            where app_id = $1 and random() < 0.5) q`,
    [app],
  )
  return { app, players, sessions, types }
}

/** What counts of the scores `sp` of a player in a type `t`, one row a group, worked out apart from the service. */
const counted = (groups: string, from: string) => {
  const first = (column: string) => `
    (array_agg(${column} order by
       case split_part(t.score_mode, ' ', 1)
                         when 'latest' then extract(epoch from sp.updated_at)
                         when 'sum' then (case when sp.score <> 0 then extract(epoch from sp.scored_at) else -1 end)
                         else (case when t.ascending then -sp.score else sp.score end)::numeric end desc,
       sp.scored_at, sp.session_id))[1]`
  return `
    select ${groups}, s.score, case when t.ascending then 0 - s.score else s.score end as rank_key, s.session_id,
           case split_part(t.score_mode, ' ', 2) when 'none' then timestamptz 'epoch'
                when 'last' then timestamptz 'epoch' - (s.scored_at - timestamptz 'epoch') else s.scored_at end as scored_at,
           s.created_at, s.updated_at
      from (select ${groups}, sp.app_id, t.id, case when t.score_mode like 'sum%' then sum(sp.score) else ${first('sp.score')} end as score,
                   ${['session_id', 'scored_at', 'created_at', 'updated_at'].map((name) => `${first(`sp.${name}`)} as ${name}`).join(', ')}
              from ${from}
              left join mini_game_types t on t.app_id = sp.app_id and t.id = sp.type_key
              join players p on p.app_id = sp.app_id and p.id = sp.player_id and p.standing = 'normal'
             where sp.scored_at is not null
             group by ${groups}, sp.app_id, t.app_id, t.id) s
      left join mini_game_types t on t.app_id = s.app_id and t.id = s.id`
}

/** Best scores that differ from the scores, including missing ones; must be empty. */
export async function wrongBests(db: pg.Pool, app: string): Promise<unknown[]> {
  const { rows } = await db.query(
    `with truth as (${counted('type_key, player_id', '(select * from session_players where app_id = $1) sp')}),
     best as (select * from player_best where app_id = $1)
     select coalesce(b.player_id, x.player_id) as player, b.score as have, x.score as want
       from best b full join truth x on x.type_key = b.type_key and x.player_id = b.player_id
      where (b.score, b.rank_key, b.session_id, b.achieved_at) is distinct from (x.score, x.rank_key, x.session_id, x.scored_at)
      union all
     select sp.player_id, null, sp.score from session_players sp
      where sp.app_id = $1 and not exists (
        select 1 from best b where b.type_key = sp.type_key and b.player_id = sp.player_id)`,
    [app],
  )
  return rows
}

/**
 * Gives each type of a world the board of the current day, a season that ends after some milliseconds, and one that begins
 * then: as one does that repeats.
 */
export async function addPeriods(db: pg.Pool, { app, types }: World, ms: number): Promise<void> {
  for (const type of types) {
    await db.query("select open_window($1, $2, 'day')", [app, type])
    await db.query(
      `with change as (select clock_timestamp() + make_interval(secs => $3 / 1000.0) as at)
       insert into period_boards (app_id, type_key, starts_at, ends_at)
       select $1::uuid, $2::uuid, clock_timestamp() - interval '1 second', at from change
       union all select $1, $2, at, null from change`,
      [app, type, ms],
    )
  }
  // Scores from before the boards were made.
  await db.query(
    `select fill_period_board(b.app_id, b.type_key, b.board_key, b.starts_at, b.ends_at, $2) from period_boards b
      where b.app_id = $1 and b.starts_at < clock_timestamp()`,
    [app, (await db.query('select array_agg(id) as ids from players where app_id = $1', [app])).rows[0].ids],
  )
}

/** Best scores of running periods that differ from the scores, and those of ended ones that were written after their end; must be empty. */
export async function wrongPeriodBests(db: pg.Pool, app: string): Promise<unknown[]> {
  const { rows } = await db.query(
    `with boards as (select * from period_boards where app_id = $1),
     truth as (
       ${counted(
         'board_key, player_id',
         `(select x.board_key, y.* from boards x
             join session_players y on y.app_id = x.app_id and y.type_key = x.type_key and y.updated_at >= x.starts_at
            where x.ends_at is null or x.ends_at > clock_timestamp()) sp`,
       )}),
     best as (
       select b.* from period_best b join boards x using (app_id, board_key)
        where x.ends_at is null or x.ends_at > clock_timestamp())
     select b.board_key, b.score as have, x.score as want
       from best b full join truth x on x.board_key = b.board_key and x.player_id = b.player_id
      where (b.score, b.rank_key, b.session_id, b.achieved_at, b.joined_at, b.written_at)
            is distinct from (x.score, x.rank_key, x.session_id, x.scored_at, x.created_at, x.updated_at)
      union all
     select b.board_key, b.score, null from period_best b join boards x using (app_id, board_key)
      where b.rank_key is not null and not (b.written_at >= x.starts_at and (x.ends_at is null or b.written_at < x.ends_at))`,
    [app],
  )
  return rows
}

/** The number of each rank key on each board of an app: `board key` → count. */
export async function boardsInSql(db: pg.Pool, app: string): Promise<Map<string, number>> {
  const { rows } = await db.query<{ type: string; key: number; count: number }>(
    `select board_key as type, rank_key as key, count(*) as count from board_keys
      where app_id = $1 and rank_key is not null group by 1, 2`,
    [app],
  )
  return new Map(rows.map(({ type, key, count }) => [`${type} ${key}`, count]))
}
