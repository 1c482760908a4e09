import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { reading } from '../../../platform/database/write-tracking.ts'

/** Which mini game types have rules, in SQL. */
export function ruleStore(db: Kysely<AnyTables>) {
  return {
    async ruledTypes(appId: string): Promise<Set<string>> {
      const { rows } = await sql<{ id: string }>`
        select id from mini_game_types where app_id = ${appId} and rules is not null`.execute(reading(db))
      return new Set(rows.map(({ id }) => id))
    },

    async typeOf(appId: string, sessionId: string): Promise<string | undefined> {
      const { rows } = await sql<{ key: string }>`
        select type_key as key from game_sessions where app_id = ${appId} and id = ${sessionId}`.execute(reading(db))
      return rows[0]?.key
    },
  }
}
