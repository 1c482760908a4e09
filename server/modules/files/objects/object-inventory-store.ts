import type { ClientBase, Pool, PoolClient, QueryConfig } from 'pg'

/** An object that a record refers to. Only a file's record has its size and hash. */
export type NamedObject = { key: string; table: string; size: number | null; sha256: string | null }
export type ListedObject = { key: string; size: number; writtenAt: number }

const PAGE = 1000

/** All references to objects. */
const NAMED = `(
  select key, 'files' as table_name, size, sha256 from files
  union all select image_key, 'players', null, null from players where image_key is not null
  union all select distinct object_key, 'csv_uploads', null::bigint, null from csv_uploads u
             where not exists (select from files f where f.key = u.object_key)
  union all select preview_key, 'scans', null, null from scans where preview_key is not null)`

/** Comparing everything takes its time; the pool's timeouts are for requests. In milliseconds. */
const NO_TIMEOUT = 2 ** 31 - 1

/** Which objects the database refers to, in SQL. */
export function objectInventoryStore(pool: Pool) {
  return {
    unknownAmong: async (keys: string[]): Promise<string[]> => {
      const { rows } = await pool.query<{ key: string }>(
        'select key from unnest($1::text[]) as given (key) where not object_is_known(key)',
        [keys],
      )
      return rows.map(({ key }) => key)
    },

    /** Compares a list of objects with the records, in a temporary table, so that neither needs to fit in memory. */
    async compare<T>(work: (comparison: Comparison) => Promise<T>): Promise<T> {
      const client = await pool.connect()
      try {
        await client.query('set statement_timeout = 0')
        await client.query(
          'create temporary table listed_objects (key text primary key, size bigint not null, written_at timestamptz not null)',
        )
        return await work(comparison(client))
      } finally {
        // Closing the connection drops the table.
        client.release(true)
      }
    },
  }
}

export type ObjectInventoryStore = ReturnType<typeof objectInventoryStore>
export type Comparison = ReturnType<typeof comparison>

function comparison(client: PoolClient) {
  const ask = <Row extends object>(text: string, values: unknown[] = []) =>
    client.query<Row>({ text, values, query_timeout: NO_TIMEOUT } as QueryConfig)

  /** Pages through a query that takes the last key and a limit. */
  async function* paged<Row extends { key: string }>(query: string, values: unknown[] = []): AsyncGenerator<Row> {
    let after = ''
    for (;;) {
      const { rows } = await ask<Row>(`${query} limit ${PAGE}`, [after, ...values])
      yield* rows
      if (rows.length < PAGE) return
      after = rows.at(-1)!.key
    }
  }
  const named = `select n.key, n.table_name as "table", n.size, n.sha256, l.size as listed from ${NAMED} n
                   left join listed_objects l on l.key = n.key where n.key > $1`

  return {
    add: async (objects: ListedObject[]): Promise<void> => {
      await ask(
        `insert into listed_objects select key, size, to_timestamp(at / 1000.0)
           from unnest($1::text[], $2::bigint[], $3::float8[]) as given (key, size, at) on conflict do nothing`,
        [objects.map(({ key }) => key), objects.map(({ size }) => size), objects.map(({ writtenAt }) => writtenAt)],
      )
    },

    /** Call it once all are added: autovacuum does not analyze temporary tables. */
    allAdded: async (): Promise<void> => void (await ask('analyze listed_objects')),

    /** Referred to by records, and not listed. */
    missing: () => paged<NamedObject>(`${named} and l.key is null order by n.key`),

    /** Listed with another size than in the record. */
    ofOtherSize: () => paged<NamedObject & { listed: number }>(`${named} and l.size <> n.size order by n.key`),

    /** Listed with the size in the record: only the content may differ. */
    ofRightSize: () => paged<NamedObject>(`${named} and l.size = n.size order by n.key`),

    /** Listed, without a record. */
    unknown: (olderThanMs: number) =>
      paged<{ key: string; size: number }>(
        `select key, size from listed_objects where key > $1 and not object_is_known(key)
            and written_at < now() - make_interval(secs => $2) order by key`,
        [olderThanMs / 1000],
      ),

    isKnown: async (key: string): Promise<boolean> =>
      (await ask<{ known: boolean }>('select object_is_known($1) as known', [key])).rows[0]!.known,
  }
}

/** Queries for a backup, in its connection's snapshot. */
export const knownInSnapshot = {
  among: async (client: ClientBase, keys: string[]): Promise<{ key: string; isNamed: boolean }[]> => {
    const { rows } = await client.query<{ key: string; isNamed: boolean }>(
      `select key, exists (select from ${NAMED} n where n.key = given.key) as "isNamed"
         from unnest($1::text[]) as given (key) where object_is_known(key)`,
      [keys],
    )
    return rows
  },
  named: async (client: ClientBase): Promise<number> => {
    const { rows } = await client.query<{ count: string }>(`select count(distinct key) as count from ${NAMED} n`)
    return Number(rows[0]!.count)
  },
}

/**
 * A sample of referenced objects without a full scan: the first hundred files, which may be all, and others. @param
 * starts key-like strings: for each, the next key
 */
export async function someNamed(client: ClientBase, starts: string[]): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `select distinct next.key from unnest($1::text[]) as given (start)
       cross join lateral (select f.key from files f where f.key >= given.start order by f.key limit 1) next
     union (select key from files order by key limit 100)
     union (select image_key from players where image_key is not null limit 20)
     union (select preview_key from scans where preview_key is not null limit 20)`,
    [starts],
  )
  return rows.map(({ key }) => key)
}
