import type pg from 'pg'
import { LOAD_TIMEOUT } from '../memory/board-loader.ts'
import { parseSnapshot } from '../snapshot.ts'
import { type BoardKeys, type RankCommands, RECORD_BYTES } from './rank-scripts.ts'

/** A load without progress for so long is abandoned: another process may start one. */
const STANDSTILL_MS = 10_000
/** Records per call: Redis is blocked for a millisecond or two. */
const RECORDS_AT_ONCE = 500
/** Rows per fetch from PostgreSQL, so that memory does not grow with the board. */
const RECORDS_A_ROW = 20_000

const recordsOfBoard = `
  declare board_records no scroll cursor for
  select encode(string_agg(uuid_send(player_id) || float8send(rank_key), ''), 'base64') as records
    from (select player_id, rank_key, (row_number() over () - 1) / ${RECORDS_A_ROW} as part from board_keys
           where app_id = $1 and board_key = $2 and rank_key is not null) numbered
   group by part`

type Deps = {
  /** The primary. */
  pool: pg.Pool
  commands: RankCommands
  /** See rankFence. */
  fence: () => Promise<string>
}
type Board = { appId: string; boardKey: string; keys: BoardKeys; load: string }

/**
 * Loads a board into Redis from one snapshot during writes: changes that the snapshot has not seen are published to Redis
 * from before it is taken, and take precedence.
 * @param load a new ID @returns false if another load is in progress, or this one was overtaken
 */
export async function loadBoard({ pool, commands, fence }: Deps, { appId, boardKey, keys, load }: Board) {
  const generation = await fence()
  const client = await pool.connect()
  let broken = true
  try {
    // The first query that reads takes the snapshot.
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local statement_timeout = '${LOAD_TIMEOUT}'`)
    const isLoaded = await fillFrom(client)
    await client.query('rollback')
    broken = false
    return isLoaded
  } finally {
    client.release(broken)
  }

  async function fillFrom(client: pg.PoolClient): Promise<boolean> {
    const begun = await commands.cairnRankBegin(...keys, load, generation, STANDSTILL_MS)
    if (begun !== 'begun') return begun === 'loaded'
    const { rows } = await client.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
    const { xmin, xmax, running } = parseSnapshot(rows[0]!.snapshot)
    if (!(await commands.cairnRankOpened(...keys, load, xmin, xmax, `,${[...running, ''].join(',')}`))) return false
    await client.query(recordsOfBoard, [appId, boardKey])
    for (;;) {
      const { rows } = await client.query<{ records: string }>('fetch 1 from board_records')
      if (rows.length === 0) break
      const records = Buffer.from(rows[0]!.records, 'base64')
      const step = RECORDS_AT_ONCE * RECORD_BYTES
      for (let at = 0; at < records.length; at += step) {
        const some = records.subarray(at, at + step)
        if (!(await commands.cairnRankFill(...keys, load, some, STANDSTILL_MS))) return false
      }
    }
    return (await commands.cairnRankFinish(...keys, load)) === 1
  }
}
