import { type Kysely, type RawBuilder, sql } from 'kysely'
import { MAX_COUNTED } from '../../schema.ts'
import type { AnyTables } from '../database.ts'
import { containing } from './patterns.ts'

/** Maximum number of matches in a large table; a longer text finds the rest. */
const MAX_FOUND = 1_000
/** Maximum number of matches per word that are checked against other conditions. */
const LOOKED_AT = 10_000

type Names = {
  table: string
  /** The alias of the table. */
  alias: string
  /** Restricts the search to an app. */
  appId?: string
  /** The text to search. */
  text: RawBuilder<unknown>
  /** The indexed word expressions (from_word, 0001_shared.sql), in the table's own columns. */
  words: readonly string[]
  /** Order among equal names, as in the index; by default none. */
  order?: string
}

/** A name from its first, second and third word on. @param name in the table's own columns, in lower case or folded */
export const threeWords = (name: string): string[] => [1, 2, 3].map((nth) => `from_word(${name}, ${nth})`)

/**
 * The condition that a row's name matches. The work is bounded however many rows there are: up to MAX_COUNTED rows, any
 * part of the name matches; above, prefixes of its words, looked up once for a list and its total, with exact words
 * first. Greek ς and σ are one letter, as in from_word (0001_shared.sql). @param rows their number, or MAX_COUNTED
 * @param search in any case @param also further conditions
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
