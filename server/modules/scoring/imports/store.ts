import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'

export type Best = { score: number; at: string }
export type NamedPlayer = { id: string; nameKey: string }

/** Players and their best scores, for many rows at a time, in SQL. */
export function importStore(db: Kysely<AnyTables>) {
  return {
    /** @param keys folded names */
    async playersNamed(appId: string, keys: string[]): Promise<NamedPlayer[]> {
      const { rows } = await sql<NamedPlayer>`
        select id, name_key as "nameKey" from players where app_id = ${appId} and name_key = any(${keys}::text[])`.execute(
        db,
      )
      return rows
    },

    async playersWithId(appId: string, ids: string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select id from players where app_id = ${appId} and id = any(${ids}::uuid[])`.execute(db)
      return rows.map(({ id }) => id)
    },

    /** Creates the players whose names are free. @returns those that were created */
    async createPlayers(
      appId: string,
      players: { id: string; displayName: string; nameKey: string }[],
    ): Promise<NamedPlayer[]> {
      const [ids, names, keys] = [
        players.map(({ id }) => id),
        players.map(({ displayName }) => displayName),
        players.map(({ nameKey }) => nameKey),
      ]
      const { rows } = await sql<NamedPlayer>`
        insert into players (app_id, id, display_name, name_key, created_at, updated_at)
        select ${appId}, i.id, i.name, i.key, clock_timestamp(), clock_timestamp()
          from unnest(${ids}::uuid[], ${names}::text[], ${keys}::text[]) i(id, name, key)
        on conflict (app_id, name_key) do nothing
        returning id, name_key as "nameKey"`.execute(db)
      return rows
    },

    /** The best scores of players, with the time as text in UTC to the microsecond. */
    async bests(appId: string, typeKey: string, playerIds: string[]): Promise<Map<string, Best>> {
      const { rows } = await sql<Best & { playerId: string }>`
        select b.player_id as "playerId", b.score,
               to_char(sp.scored_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
          from player_best b
          join session_players sp on sp.app_id = b.app_id and sp.session_id = b.session_id and sp.player_id = b.player_id
         where b.app_id = ${appId} and b.type_key = ${typeKey} and b.player_id = any(${playerIds}::uuid[])
           and b.rank_key is not null`.execute(db)
      return new Map(rows.map(({ playerId, ...best }) => [playerId, best]))
    },
  }
}
export type ImportStore = ReturnType<typeof importStore>
