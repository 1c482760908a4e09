import type pg from 'pg'
import { LOCK_FAMILIES } from '../../../platform/database/locks/locks.ts'
import { untilEarlierWritesEnd } from '../periods/earlier-writes.ts'
import { LOAD_TIMEOUT } from '../ranks/memory/board-loader.ts'

/** Players with a best, after one of them, whose segments may be others. */
const playersSql = `
  select b.player_id as id from player_best b
   where b.app_id = $1 and b.type_key = $2 and b.player_id > $3
     and (b.segments is not null
       -- With "exists", every batch would read the attributes of all players.
       or (select true from player_attributes a where a.app_id = b.app_id and a.player_id = b.player_id))
   order by 1 limit $4`
const NOBODY = '00000000-0000-0000-0000-000000000000'
/** Players of a batch: their rows are locked meanwhile. */
const BATCH = 500

type Deps = {
  pool: pg.Pool
  /** Gives players of a type the segments of their attributes, on boards that had not ended at a moment: now, if null. */
  refresh: (appId: string, typeKey: string, players: string[], since: string | null) => Promise<void>
}

/** The segments of mini game types, in SQL on the primary. */
export function segmentStore({ pool, refresh }: Deps) {
  /** While the segments of a type are not ready: `mark` changes with every change of it, `since` is when they changed. */
  const unreadyType = async (client: pg.ClientBase, appId: string, typeKey: string) => {
    const text = `
      select xmin::text as mark, segments_changed_at::text as since from mini_game_types
       where app_id = $1 and id = $2 and not are_segments_ready`
    return (await client.query<{ mark: string; since: string | null }>(text, [appId, typeKey])).rows[0]
  }

  async function refreshAll(
    client: pg.ClientBase,
    appId: string,
    typeKey: string,
    since: string | null,
  ): Promise<void> {
    await untilEarlierWritesEnd(client)
    let after = NOBODY
    for (;;) {
      const { rows } = await client.query<{ id: string }>(playersSql, [appId, typeKey, after, BATCH])
      const players = rows.map(({ id }) => id)
      if (players.length > 0) await refresh(appId, typeKey, players, since)
      if (players.length < BATCH) return
      after = players.at(-1)!
    }
  }

  return {
    /** Whether all players have the segments that the type declares, or a period had ended when these were changed. */
    async isReady(appId: string, typeKey: string, endsAt: string | null = null): Promise<boolean> {
      const text = `
        select from mini_game_types
         where app_id = $1 and id = $2 and not are_segments_ready and ($3::timestamptz <= segments_changed_at) is not true`
      return (await pool.query(text, [appId, typeKey, endsAt])).rowCount === 0
    },

    /** Gives all players the segments that the type declares, in short transactions. Does nothing while another process does it. */
    async fill(appId: string, typeKey: string): Promise<void> {
      const client = await pool.connect()
      let isBroken = true
      try {
        await client.query(`set statement_timeout = '${LOAD_TIMEOUT}'`)
        const lock = [LOCK_FAMILIES.segments, typeKey]
        const { rows } = await client.query('select pg_try_advisory_lock($1, hashtext($2)) as held', lock)
        while (rows[0].held) {
          const type = await unreadyType(client, appId, typeKey)
          if (!type) break
          await refreshAll(client, appId, typeKey, type.since)
          // Not if the segments changed again meanwhile.
          await client.query(
            'update mini_game_types set are_segments_ready = true where app_id = $1 and id = $2 and xmin::text = $3',
            [appId, typeKey, type.mark],
          )
        }
        if (rows[0].held) await client.query('select pg_advisory_unlock($1, hashtext($2))', lock)
        await client.query('reset statement_timeout')
        isBroken = false
      } finally {
        client.release(isBroken)
      }
    },

    /** Types whose players do not all have their segments. */
    unready: async (): Promise<{ appId: string; typeKey: string }[]> =>
      (
        await pool.query(
          'select app_id as "appId", id as "typeKey" from mini_game_types where not are_segments_ready limit 100',
        )
      ).rows,
  }
}
export type SegmentStore = ReturnType<typeof segmentStore>
