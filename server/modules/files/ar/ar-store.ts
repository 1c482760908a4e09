import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'

export type ArStore = ReturnType<typeof arStore>

/** Preview images of models, in SQL. */
export const arStore = (db: Kysely<AnyTables>) => ({
  /** The preview key of a public scan of this file. */
  previewOf: async (fileId: number): Promise<string | null> => {
    const { rows } = await sql<{ key: string | null }>`
      select preview_key as key from scans where file_id = ${fileId} and visibility = 'public'`.execute(db)
    return rows[0]?.key ?? null
  },
})
