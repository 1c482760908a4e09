import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely'
import { encodeCursor } from '../../http/pages.ts'
import type { AnyTables } from '../database.ts'

/** Rows read at once. A list with more is read as a long page. */
export const BATCH_ROWS = 1000

/** A row, or the JSON of several as bytes. */
type Row = object | Uint8Array

/** A page whose rows arrive as JSON, in batches. */
export type LongPage = {
  count: number
  next: string | undefined
  total: number
  batches: AsyncGenerator<Row[]>
}

/** Rows as one JSON array: parsed, or from the thread as the bytes of its elements. */
export type JsonArray = { text: object[] | Uint8Array | null }

type Asked = {
  limit: number
  total: number
  /** Selects `id` and `cursorAt` of up to limit + 1 rows in the order of the list. */
  keys: Expression<unknown>
  /** Selects the rows of some IDs in their order, as one JSON array in the column `text`. */
  jsonOf: (ids: RawBuilder<unknown>) => RawBuilder<JsonArray>
}

/**
 * Reads the keys of a page and its first rows, and the others in the thread of large reads while they are sent. Rows
 * deleted meanwhile are left out.
 */
export async function longPage(
  db: Kysely<AnyTables>,
  bulk: Kysely<AnyTables>,
  { limit, total, keys, jsonOf }: Asked,
): Promise<LongPage> {
  // IDs are only passed on: as texts of arrays, nobody parses them here.
  const { rows } = await sql<{ ids: string; count: number; last: [string, string] | null }>`
    select array_agg(id order by place)::text as ids, count(*) as count,
           (array_agg(json_build_array("cursorAt", id) order by place desc))[1] as last
      from (select *, row_number() over () as place from (${keys}) as listed) as numbered
     group by place > ${limit}, (place - 1) / ${BATCH_ROWS}::int order by min(place)`.execute(db)
  const shown = rows.slice(0, Math.ceil(limit / BATCH_ROWS))
  const hasMore = rows.length > shown.length
  async function* batches() {
    for (const { ids } of shown) {
      const { rows } = await jsonOf(sql`${ids}::uuid[]`).execute(shown.length > 1 ? bulk : db)
      yield rows.flatMap<Row>(({ text }) => text ?? [])
    }
  }
  const rest = batches()
  // Before the response begins, so that a failure is one.
  const { value: first } = await rest.next()
  async function* all() {
    if (first) yield first
    yield* rest
  }
  return {
    count: shown.reduce((sum, { count }) => sum + count, 0),
    next: hasMore ? encodeCursor(shown.at(-1)!.last!) : undefined,
    total,
    batches: all(),
  }
}
