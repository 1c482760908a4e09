import { type Kysely, sql } from 'kysely'
import type { PlayerClaims } from '../../platform/credentials/player-tokens.ts'
import type { AnyTables } from '../../platform/database/database.ts'

type Standing = 'normal' | 'hidden' | 'banned'
type TokenPlayer = { appId: string; userId: string | null; isBanned: boolean }

/** The records that player tokens depend on, in SQL. */
export function playerTokenStore(db: Kysely<AnyTables>) {
  return {
    /** A player as its tokens depend on it. */
    player: async (id: string): Promise<TokenPlayer | undefined> => {
      const { rows } = await sql<TokenPlayer>`
        select p.app_id as "appId", p.user_id as "userId", p.standing = 'banned' as "isBanned" from players p
          join apps a on a.id = p.app_id and a.deleted_at is null where p.id = ${id}`.execute(db)
      return rows[0]
    },

    /**
     * The standing of the player of a token; undefined unless the player exists, and the key works or the session is active
     * and still of the player's user.
     */
    standing: async ({ playerId, appId, issuedWith }: PlayerClaims): Promise<Standing | undefined> => {
      const holds =
        'keyId' in issuedWith
          ? sql`select from app_keys k where k.key_id = ${issuedWith.keyId} and k.app_id = p.app_id
                   and (k.expires_at is null or k.expires_at > clock_timestamp())`
          : sql`select from user_sessions s where s.id = ${issuedWith.sessionId}::uuid and s.user_id = p.user_id
                   and s.revoked_at is null and s.expires_at > clock_timestamp()`
      const { rows } = await sql<{ standing: Standing }>`
        select p.standing from players p
         where p.id = ${playerId} and p.app_id = ${appId} and exists (${holds})`.execute(db)
      return rows[0]?.standing
    },

    /** The places, from 0, of the claims of players who are not banned that `standing` would return one for. */
    left: async (claims: PlayerClaims[]): Promise<number[]> => {
      const keys = claims.map(({ issuedWith }) => ('keyId' in issuedWith ? issuedWith.keyId : null))
      const sessions = claims.map(({ issuedWith }) => ('sessionId' in issuedWith ? issuedWith.sessionId : null))
      const { rows } = await sql<{ n: number }>`
        select i.n::int - 1 as n
          from unnest(${claims.map(({ playerId }) => playerId)}::uuid[], ${claims.map(({ appId }) => appId)}::uuid[],
                      ${keys}::text[], ${sessions}::uuid[]) with ordinality i(player, app, key, session, n)
          join players p on p.id = i.player and p.app_id = i.app and p.standing <> 'banned'
         where exists (select from app_keys k where k.key_id = i.key and k.app_id = p.app_id
                         and (k.expires_at is null or k.expires_at > clock_timestamp()))
            or exists (select from user_sessions s where s.id = i.session and s.user_id = p.user_id
                         and s.revoked_at is null and s.expires_at > clock_timestamp())`.execute(db)
      return rows.map(({ n }) => n)
    },
  }
}
export type PlayerTokenStore = ReturnType<typeof playerTokenStore>
