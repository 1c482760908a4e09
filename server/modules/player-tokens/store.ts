import { type Kysely, sql } from 'kysely'
import type { PlayerClaims } from '../../platform/credentials/player-tokens.ts'
import type { AnyTables } from '../../platform/database/database.ts'

/** The records that player tokens depend on, in SQL. */
export function playerTokenStore(db: Kysely<AnyTables>) {
  return {
    /** The app and the linked user of a player. */
    player: async (id: string): Promise<{ appId: string; userId: string | null } | undefined> => {
      const { rows } = await sql<{ appId: string; userId: string | null }>`
        select p.app_id as "appId", p.user_id as "userId" from players p
          join apps a on a.id = p.app_id and a.deleted_at is null where p.id = ${id}`.execute(db)
      return rows[0]
    },

    /** Whether the player exists, and the key works or the session is active and still of the player's user. */
    isAlive: async ({ playerId, appId, issuedWith }: PlayerClaims): Promise<boolean> => {
      const holds =
        'keyId' in issuedWith
          ? sql`select from app_keys k where k.key_id = ${issuedWith.keyId} and k.app_id = p.app_id
                   and (k.expires_at is null or k.expires_at > clock_timestamp())`
          : sql`select from user_sessions s where s.id = ${issuedWith.sessionId}::uuid and s.user_id = p.user_id
                   and s.revoked_at is null and s.expires_at > clock_timestamp()`
      const { rows } = await sql`
        select from players p where p.id = ${playerId} and p.app_id = ${appId} and exists (${holds})`.execute(db)
      return rows.length > 0
    },
  }
}
export type PlayerTokenStore = ReturnType<typeof playerTokenStore>
