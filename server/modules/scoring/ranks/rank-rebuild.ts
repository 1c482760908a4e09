import type { Pool, PoolClient } from 'pg'
import { appsWithSegments, type BatchKeys, countStrays, removeStrays, settleBoards } from './board-rebuild.ts'

/** Players of a batch: their rows are locked meanwhile. */
const BATCH = 500

export type Rebuilt = { checked: number; corrected: number; missing: number }
type Position = { app: string; type: string; player: string }
type Options = { appId?: string | undefined; isCheckOnly: boolean; tell?: (soFar: Rebuilt) => void }

/** The best score of each player, by the rule of recompute_best (0067_score_modes.sql). */
const TRUE_BEST = `
  select b.app_id, b.type_key, b.player_id, x.score, x.rank_key, x.session_id, x.achieved_at
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (app_id, type_key, player_id)
    join player_best b using (app_id, type_key, player_id)
    left join lateral counted_score_of(b.app_id, b.type_key, b.player_id) x on true
   where b.version >= 0  -- the player is not hidden
     and (b.score, b.rank_key, b.session_id, b.achieved_at)
      is distinct from (x.score, x.rank_key, x.session_id, x.achieved_at)`

/**
 * Recomputes every player's best score from all scores, on the boards of types, running periods and segments, and corrects
 * those that differ; none should. Boards of periods that have ended stay: scores may have changed since. Safe beside a running
 * service: players are locked in batches like by a score, and every process reloads the boards of a corrected app.
 */
export function rankRebuild(pool: Pool) {
  const inTransaction = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const result = await work(client)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    } finally {
      client.release()
    }
  }

  const nextAfter = async (after: Position | undefined, appId: string | undefined): Promise<Position[]> => {
    const { rows } = await pool.query<Position>(
      `select app_id as app, type_key as type, player_id as player from player_best
        where ($1::uuid is null or (app_id, type_key, player_id) > ($1, $2::uuid, $3::uuid))
          and ($4::uuid is null or app_id = $4)
        order by app_id, type_key, player_id limit ${BATCH}`,
      [after?.app ?? null, after?.type ?? null, after?.player ?? null, appId ?? null],
    )
    return rows
  }

  const settle = (batch: Position[], isCheckOnly: boolean): Promise<number> =>
    inTransaction(async (client) => {
      const keys: BatchKeys = [
        batch.map(({ app }) => app),
        batch.map(({ type }) => type),
        batch.map(({ player }) => player),
      ]
      // A separate statement, so that it reads what the last holder of the lock committed.
      await client.query(
        `select from player_best where (app_id, type_key, player_id) in
           (select * from unnest($1::uuid[], $2::uuid[], $3::uuid[])) order by app_id, type_key, player_id for update`,
        keys,
      )
      if (isCheckOnly) {
        const { rowCount } = await client.query(TRUE_BEST, keys)
        return (rowCount ?? 0) + (await settleBoards(client, keys, true)).length
      }
      const { rows } = await client.query<{ app: string }>(
        `with best as (${TRUE_BEST})
         update player_best b set score = t.score, rank_key = t.rank_key, session_id = t.session_id,
                achieved_at = t.achieved_at, version = b.version + 1
           from best t where (b.app_id, b.type_key, b.player_id) = (t.app_id, t.type_key, t.player_id)
         returning b.app_id as app`,
        keys,
      )
      const wrong = [...rows.map(({ app }) => app), ...(await settleBoards(client, keys, false))]
      await unload(client, [...new Set(wrong)])
      return wrong.length
    })

  /** Boards in memory are unloaded when their process receives the change, those in Redis at once. */
  const unload = async (client: PoolClient, apps: string[]): Promise<void> => {
    if (apps.length === 0) return
    await client.query(`insert into changes (topic, subjects) values ('ranks', $1)`, [apps])
    await client.query('select new_rank_generation()')
  }

  /** Missing rows that registration creates. */
  const makeMissing = async (appId: string | undefined, isCheckOnly: boolean): Promise<number> => {
    const missing = `select distinct sp.app_id, sp.type_key, sp.player_id,
              case when p.standing = 'normal' then 0 else ${-(2 ** 52)} end
         from session_players sp join players p on p.app_id = sp.app_id and p.id = sp.player_id
        where ($1::uuid is null or sp.app_id = $1) and not exists (select from player_best b
         where (b.app_id, b.type_key, b.player_id) = (sp.app_id, sp.type_key, sp.player_id))`
    const { rowCount } = await pool.query({
      text: isCheckOnly
        ? missing
        : `insert into player_best (app_id, type_key, player_id, version) ${missing} on conflict do nothing`,
      values: [appId ?? null],
    })
    return rowCount ?? 0
  }

  /** Rows of segments that belong to no best. */
  const settleStrays = async (appId: string | undefined, isCheckOnly: boolean): Promise<number> => {
    let found = 0
    for (const id of await appsWithSegments(pool, appId)) {
      if (isCheckOnly) {
        found += await countStrays(pool, id)
        continue
      }
      const removeSome = () =>
        inTransaction(async (client) => {
          const removed = await removeStrays(client, id)
          if (removed > 0) await unload(client, [id])
          return removed
        })
      for (let removed = await removeSome(); removed > 0; removed = await removeSome()) found += removed
    }
    return found
  }

  /** @returns how many best scores exist, how many differed, and how many were missing */
  return async ({ appId, isCheckOnly, tell }: Options): Promise<Rebuilt> => {
    const done: Rebuilt = { checked: 0, corrected: 0, missing: await makeMissing(appId, isCheckOnly) }
    let batch = await nextAfter(undefined, appId)
    while (batch.length > 0) {
      done.corrected += await settle(batch, isCheckOnly)
      done.checked += batch.length
      tell?.(done)
      batch = await nextAfter(batch.at(-1), appId)
    }
    done.corrected += await settleStrays(appId, isCheckOnly)
    return done
  }
}
