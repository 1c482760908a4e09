import type pg from 'pg'

/** A table that exists from the moment a restore empties the database until its rows are committed. */
export const RESTORE_MARK = 'unfinished_restore'

export const RESTORE_BROKE_OFF =
  'A restore into this database is incomplete, so it cannot be served: run cairn restore again, or use an empty database'

/** What an incomplete restore found when it began; undefined if there is none. */
export async function unfinishedRestore(client: pg.ClientBase): Promise<{ hadFiles: boolean } | undefined> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [RESTORE_MARK])
  if (!rows[0]!.there) return undefined
  const found = await client.query<{ hadFiles: boolean }>(`select had_files as "hadFiles" from ${RESTORE_MARK}`)
  return found.rows[0]
}
