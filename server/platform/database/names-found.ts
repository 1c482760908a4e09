import { type RawBuilder, sql } from 'kysely'
import { containing } from './patterns.ts'

/** From so many rows on a search does not look through all names for any part of them: it looks up the beginnings of words. */
const MANY = 10_000
/** So many of a larger table a search finds; the rest by a longer text. */
const MOST_FOUND = 1_000

type Names = {
  table: string
  /** Of which app; without it all. */
  appId?: string
  /** The table's `id`, as the statement calls it. */
  id: RawBuilder<unknown>
  /** What any part is looked for in. */
  text: RawBuilder<unknown>
  /** What the indexes by words have (migration 0048), in the table's own columns. */
  words: readonly string[]
  /** Which of one name come first, where names are not unique; its index has it behind the word. */
  order?: string
}

/**
 * The condition that a row is called so. The work is bounded however many rows there are: few are gone through, of many
 * those are taken in which a word of a name begins with the text, which may go on over the words behind it.
 * @param rows how many there are @param search whatever its case
 */
export function isNamed(
  { table, appId, id, text, words, order }: Names,
  rows: number,
  search: string,
): RawBuilder<boolean> {
  if (rows < MANY) return sql<boolean>`${text} ilike ${containing(search)}`
  const within = appId === undefined ? sql`true` : sql`app_id = ${appId}`
  const begin = sql`from_word(lower(${search}), 1)`
  const ofWords = words.map((word) => {
    const ordered = sql`${sql.raw(word)} collate "C"`
    return sql`(select id from ${sql.table(table)} where ${within} and ${ordered} between ${begin} and ${begin} || chr(1114111)
      order by ${ordered}${order === undefined ? sql`` : sql.raw(`, ${order}`)} limit ${MOST_FOUND})`
  })
  return sql<boolean>`${id} = any(array(
    select id from (${sql.join(ofWords, sql` union `)}) as named order by id limit ${MOST_FOUND}))`
}
