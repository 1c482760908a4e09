import { type Kysely, sql } from 'kysely'
import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import type { Source } from './schema.ts'

export type SavedChoice = { source: Source; styleUrl: string | null; updatedAt: string }

export type BasemapStore = ReturnType<typeof basemapStore>

/** The basemap that ops chose, in SQL. */
export function basemapStore(db: Kysely<AnyTables>, audit: AuditLog) {
  return {
    /** @returns undefined if the settings decide */
    async get(): Promise<SavedChoice | undefined> {
      const { rows } = await sql<SavedChoice>`
        select source, style_url as "styleUrl", updated_at as "updatedAt" from basemap_choice`.execute(db)
      return rows[0]
    },

    /** Saves or forgets the choice, with an audit entry. */
    set: (choice: { source: Source; styleUrl: string | null } | null, actor: Actor): Promise<void> =>
      db.transaction().execute(async (trx) => {
        if (choice)
          await sql`
            insert into basemap_choice (source, style_url) values (${choice.source}, ${choice.styleUrl})
            on conflict (only_row) do update
               set source = excluded.source, style_url = excluded.style_url, updated_at = clock_timestamp()`.execute(
            trx,
          )
        else await sql`delete from basemap_choice`.execute(trx)
        const subject = choice?.styleUrl ?? choice?.source ?? 'settings'
        await audit.record([{ ...actor, action: 'basemap.chosen', subject }], trx)
      }),
  }
}
