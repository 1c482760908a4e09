import type { Pool, PoolClient } from 'pg'

/** The rows of a batch: apps, types and players by position. Their rows in player_best are locked. */
export type BatchKeys = [apps: string[], types: string[], players: string[]]

const KEYS = 'unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (app_id, type_key, player_id)'

/** What running boards of periods should have of the players, by the rule of recompute_period_best (0069_score_mode_boards.sql). */
const WRONG_OF_PERIODS = `
  select x.app_id, x.board_key, b.player_id, t.*
    from ${KEYS}
    join player_best b using (app_id, type_key, player_id)
    join period_boards x on x.app_id = b.app_id and x.type_key = b.type_key and x.closed_at is null and x.is_ready
     and x.starts_at <= clock_timestamp() and coalesce(x.ends_at, 'infinity') > clock_timestamp()
    left join period_best y on y.app_id = b.app_id and y.board_key = x.board_key and y.player_id = b.player_id
    left join lateral counted_score_of(b.app_id, b.type_key, b.player_id, x.starts_at) t on true
   where b.version >= 0  -- the player is not hidden
     and (y.score, y.rank_key, y.session_id, y.achieved_at)
      is distinct from (t.score, t.rank_key, t.session_id, t.achieved_at)`

const CORRECT_PERIODS = `
  insert into period_best as y
    (app_id, board_key, player_id, score, rank_key, session_id, achieved_at, joined_at, written_at, metadata, version)
  select w.app_id, w.board_key, w.player_id, w.score, w.rank_key, w.session_id, w.achieved_at, w.joined_at, w.written_at,
         w.metadata, 1 from (${WRONG_OF_PERIODS}) w
  on conflict (app_id, board_key, player_id) do update
    set score = excluded.score, rank_key = excluded.rank_key, session_id = excluded.session_id,
        achieved_at = excluded.achieved_at, joined_at = excluded.joined_at, written_at = excluded.written_at,
        metadata = excluded.metadata, version = y.version + 1
  returning y.app_id as app`

/** The copies that segments should have of these rows. @param from `k` with app_id, type_key and player_id */
const copiesOf = (from: string) => `
  select b.app_id, segment_key(b.type_key, s) as board_key, b.player_id, b.score, b.rank_key, b.session_id, b.achieved_at,
         null::timestamptz as joined_at, null::timestamptz as written_at, null::json as metadata, b.version
    from ${from} join player_best b using (app_id, type_key, player_id) cross join unnest(b.segments) s
   where b.rank_key is not null
  union all
  select y.app_id, segment_key(y.board_key, s), y.player_id, y.score, y.rank_key, y.session_id, y.achieved_at, y.joined_at,
         y.written_at, y.metadata, y.version
    from ${from} join period_boards x using (app_id, type_key)
    join period_best y on y.app_id = x.app_id and y.board_key = x.board_key and y.player_id = k.player_id
   cross join unnest(y.segments) s
   where y.rank_key is not null`

const WRONG_OF_SEGMENTS = `
  select c.* from (${copiesOf(KEYS)}) c
    left join segment_best y on y.app_id = c.app_id and y.board_key = c.board_key and y.player_id = c.player_id
   where (y.score, y.rank_key, y.session_id, y.achieved_at)
      is distinct from (c.score, c.rank_key, c.session_id, c.achieved_at)`

const CORRECT_SEGMENTS = `
  insert into segment_best as y
  select * from (${WRONG_OF_SEGMENTS}) w
  on conflict (app_id, board_key, player_id) do update
    set score = excluded.score, rank_key = excluded.rank_key, session_id = excluded.session_id,
        achieved_at = excluded.achieved_at, joined_at = excluded.joined_at, written_at = excluded.written_at,
        metadata = excluded.metadata, version = excluded.version
  returning y.app_id as app`

/** Copies of no row: of one app, and of these players if any are named. */
const strays = (ofPlayers: string) => `
  select y.board_key, y.player_id from segment_best y
   where y.app_id = $1 ${ofPlayers} and not exists (
     select from (${copiesOf(`(select b.app_id, b.type_key, b.player_id from player_best b where b.app_id = $1 ${ofPlayers.replace('y.', 'b.')}) k`)}) c
      where c.board_key = y.board_key and c.player_id = y.player_id)`

const STRAYS_AT_ONCE = 500

/** Checks or corrects the boards of running periods and of segments, for players whose bests are right and locked. @returns the app of each wrong row */
export async function settleBoards(client: PoolClient, keys: BatchKeys, isCheckOnly: boolean): Promise<string[]> {
  const statements = isCheckOnly
    ? [WRONG_OF_PERIODS, WRONG_OF_SEGMENTS].map((wrong) => `select app_id as app from (${wrong}) w`)
    : [CORRECT_PERIODS, CORRECT_SEGMENTS]
  const apps: string[] = []
  for (const text of statements)
    apps.push(...(await client.query<{ app: string }>(text, keys)).rows.map(({ app }) => app))
  return apps
}

/** The apps that have boards of segments. */
export async function appsWithSegments(pool: Pool, appId: string | undefined): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from apps a where ($1::uuid is null or id = $1)
        and exists (select from segment_best y where y.app_id = a.id)`,
    [appId ?? null],
  )
  return rows.map(({ id }) => id)
}

/** How many rows of segments belong to no player's best. */
export async function countStrays(pool: Pool, appId: string): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(`select count(*)::int as count from (${strays('')}) s`, [appId])
  return Number(rows[0]!.count)
}

/** Deletes some of them, once the players are locked. @returns how many; 0: there are none left */
export async function removeStrays(client: PoolClient, appId: string): Promise<number> {
  const { rows } = await client.query<{ board_key: string; player_id: string }>(
    `${strays('')} limit ${STRAYS_AT_ONCE}`,
    [appId],
  )
  const players = rows.map((row) => row.player_id)
  await client.query(
    `select from player_best where app_id = $1 and player_id = any ($2::uuid[])
      order by app_id, player_id, type_key for update`,
    [appId, players],
  )
  const { rowCount } = await client.query(
    `delete from segment_best d using (${strays('and y.player_id = any ($2::uuid[])')}) s
      where d.app_id = $1 and d.board_key = s.board_key and d.player_id = s.player_id`,
    [appId, players],
  )
  return rowCount ?? 0
}
