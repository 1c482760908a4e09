import { type Kysely, type RawBuilder, sql } from 'kysely'
import { MAX_COUNTED } from '../../schema.ts'
import type { AnyTables } from '../database.ts'
import { containing } from './patterns.ts'

/** So many of a larger table a search finds; the rest by a longer text. */
const MAX_FOUND = 1_000
/** So many that are called so, by each word, are looked at for what else is asked. */
const LOOKED_AT = 10_000

type Names = {
  table: string
  /** What statements call the table. */
  alias: string
  /** Of which app; without it all. */
  appId?: string
  /** What any part is looked for in. */
  text: RawBuilder<unknown>
  /** What the indexes by words have (from_word, 0001_shared.sql), in the table's own columns. */
  words: readonly string[]
  /** Which of one name come first, as its index has it behind the word; without it none in particular. */
  order?: string
}

/** A name from its first, its second and its third word on. @param name in the table's own columns, in small letters or folded */
export const threeWords = (name: string): string[] => [1, 2, 3].map((nth) => `from_word(${name}, ${nth})`)

/**
 * The condition that a row is called so. The work is bounded however many rows there are: fewer than are counted are gone
 * through for any part; of more, those are looked up, once for a list and its total, in which a word of a name begins with the
 * text, which may go on over the words behind it; names that end there come first. Greek's ς and σ are one letter, as in
 * from_word (0001_shared.sql).
 * @param rows how many there are, or MAX_COUNTED @param search whatever its case @param also what else is asked of a row
 */
export async function namedLike(
  db: Kysely<AnyTables>,
  { table, alias, appId, text, words, order }: Names,
  rows: number,
  search: string,
  also?: RawBuilder<unknown>,
): Promise<RawBuilder<boolean>> {
  if (rows < MAX_COUNTED)
    return sql<boolean>`translate(${text}, 'ς', 'σ') ilike translate(${containing(search)}, 'ς', 'σ')`
  const within = appId === undefined ? sql`true` : sql`app_id = ${appId}`
  const begin = sql`from_word(lower(${search}), 1)`
  const name = sql.raw(alias)
  const ofWords = words.map((word) => {
    const ordered = sql.raw(`${word} collate "C"${order === undefined ? '' : `, ${order}`}`)
    return sql`(select id, place from (
        select *, row_number() over (order by ${ordered}) as place from ${sql.table(table)}
         where ${within} and ${sql.raw(word)} collate "C" between ${begin} and ${begin} || chr(1114111)
         order by ${ordered} limit ${also ? LOOKED_AT : MAX_FOUND}) as ${name} where ${also ?? sql`true`} order by place limit ${MAX_FOUND})`
  })
  const found = await sql<{ id: string | number }>`
    select id from (${sql.join(ofWords, sql` union all `)}) as named
     group by id order by min(place), id limit ${MAX_FOUND}`.execute(db)
  return sql<boolean>`${name}.id = any(${found.rows.map(({ id }) => id)})`
}
