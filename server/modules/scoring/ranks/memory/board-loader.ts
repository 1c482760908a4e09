import type pg from 'pg'
import type { Loaded } from './board-index.ts'
import { RankIndex } from './rank-index.ts'
import { sortKeys } from './sort-keys.ts'

/** Keys per row: 1 MiB, so that neither side builds millions of rows. */
const keysPerRow = 131_072

/** A board of 10 million takes about ten seconds, longer than the limit of a request. */
export const LOAD_TIMEOUT = '2min'

/** `float8send` is IEEE 754 big-endian; base64 because the driver returns bytea as text. */
const keysOfBoard = (perRow: number) => `
  declare board_keys no scroll cursor for
  select encode(string_agg(float8send(rank_key), ''), 'base64') as keys
    from (select rank_key, (row_number() over () - 1) / ${perRow} as part from board_keys
           where app_id = $1 and board_key = $2 and rank_key is not null) numbered
   group by part`

/** Reads the rank keys of a board in one snapshot. The pool must be that of the primary. */
export async function readBoard(pool: pg.Pool, appId: string, boardKey: string, perRow = keysPerRow): Promise<Loaded> {
  const { snapshot, chunks } = await inOneSnapshot(pool, async (client) => {
    await client.query(keysOfBoard(perRow), [appId, boardKey])
    const chunks: Buffer[] = []
    for (;;) {
      const { rows } = await client.query<{ keys: string }>('fetch 2 from board_keys')
      if (rows.length === 0) return chunks
      for (const row of rows) chunks.push(Buffer.from(row.keys, 'base64').swap64())
    }
  })
  const bytes = new Uint8Array(chunks.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of chunks) {
    bytes.set(part, at)
    at += part.length
  }
  return { snapshot, index: await RankIndex.fromSortedInTurns(await sortKeys(new Float64Array(bytes.buffer))) }
}

/** Counts for each of `keys` how many keys of a board are greater, in one snapshot. */
export async function countAboveEach(pool: pg.Pool, appId: string, boardKey: string, keys: number[]) {
  const { snapshot, chunks } = await inOneSnapshot(pool, async (client) => {
    const { rows } = await client.query<{ above: number }>(
      `select (select count(*) from board_keys b where b.app_id = $1 and b.board_key = $2 and b.rank_key > k.key) as above
         from unnest($3::float8[]) with ordinality k(key, n) order by k.n`,
      [appId, boardKey, keys],
    )
    return rows.map((row) => row.above)
  })
  return { snapshot, above: chunks }
}

async function inOneSnapshot<T>(pool: pg.Pool, read: (client: pg.PoolClient) => Promise<T>) {
  const client = await pool.connect()
  let broken = true
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local statement_timeout = '${LOAD_TIMEOUT}'`)
    const { rows } = await client.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
    const chunks = await read(client)
    await client.query('commit')
    broken = false
    return { snapshot: rows[0]!.snapshot, chunks }
  } finally {
    client.release(broken)
  }
}
