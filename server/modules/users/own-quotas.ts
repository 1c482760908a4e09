import { type Kysely, sql } from 'kysely'
import type { UserCaller } from '../../platform/credentials/callers.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import { type Quotas, quotaOf, quotaUse } from '../../platform/quotas.ts'
import type { QuotaUse } from '../../platform/schema.ts'

type Owned = Record<'apps' | 'zones' | 'zonePositions' | 'imports', number>

/** Returns one entry for each quota of users: its limit, and how much of it the user has used. */
export function ownQuotas(db: Kysely<AnyTables>, quotas: Quotas) {
  return async (user: UserCaller): Promise<QuotaUse[]> => {
    const { rows } = await sql<Owned>`
      select (select count(*) from apps where owner_id = ${user.id} and deleted_at is null) as apps,
             (select count(*) from zones where user_id = ${user.id}) as zones,
             (select coalesce(sum(coalesce(positions, count_positions(boundary))), 0)::float8
                from zones where user_id = ${user.id}) as "zonePositions",
             (select count(*) from csv_uploads
               where user_id = ${user.id} and status in ('PENDING', 'PROCESSING')) as imports`.execute(db)
    const owned = rows[0]!
    return (['apps', 'zones', 'zonePositions', 'imports'] as const).map((name) =>
      quotaUse(name, owned[name], quotaOf(user, quotas[name])),
    )
  }
}
