import type pg from 'pg'

/** A table that is there from the moment a restore empties the database until its rows are committed. */
export const RESTORE_MARK = 'unfinished_restore'

export const RESTORE_BROKE_OFF =
  'A restore into this database has not come to its end, and nothing may be served of it: run cairn restore again, or name an empty database'

/** What a restore that is under way, or was broken off, found when it began; undefined where there is none. */
export async function unfinishedRestore(client: pg.ClientBase): Promise<{ hadFiles: boolean } | undefined> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [RESTORE_MARK])
  if (!rows[0]!.there) return undefined
  const found = await client.query<{ hadFiles: boolean }>(`select had_files as "hadFiles" from ${RESTORE_MARK}`)
  return found.rows[0]
}
