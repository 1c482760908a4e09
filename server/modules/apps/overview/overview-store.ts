import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { MAX_COUNTED } from '../../../platform/schema.ts'
import type { AppOverview } from './overview-schema.ts'

export type OwnedByApp = Record<'keys' | 'webhooks' | 'gameTypes' | 'hiddenGameTypes' | 'storageBytes', number>

/** The overview of an app, in SQL. */
export function overviewStore(db: Kysely<AnyTables>) {
  /** The best score of each board is the first entry of its index. */
  const topScore = async (appId: string): Promise<AppOverview['topScore']> => {
    const { rows } = await sql<NonNullable<AppOverview['topScore']>>`
      with boards as (
        select id, name, ascending from mini_game_types where app_id = ${appId} and hidden_at is null
        union all select '00000000-0000-0000-0000-000000000000', null, false)
      select top.score, top.player_id as "playerId", p.display_name as "displayName",
             nullif(b.id, '00000000-0000-0000-0000-000000000000') as "miniGameTypeId", b.name as "miniGameTypeName"
        from boards b
       cross join lateral (
         select * from player_best where app_id = ${appId} and type_key = b.id and rank_key is not null
          order by rank_key desc, achieved_at, player_id limit 1) top
        join players p on p.app_id = ${appId} and p.id = top.player_id
       order by b.ascending, top.rank_key desc, top.achieved_at, top.player_id limit 1`.execute(db)
    return rows[0] ?? null
  }

  return {
    /** How much an app has of each thing that has a quota. */
    owned: async (appId: string): Promise<OwnedByApp> => {
      const { rows } = await sql<OwnedByApp>`
        select (select count(*) from app_keys
                 where app_id = ${appId} and (expires_at is null or expires_at > clock_timestamp())) as keys,
               (select count(*) from webhook_endpoints where app_id = ${appId}) as webhooks,
               (select count(*) from mini_game_types where app_id = ${appId} and hidden_at is null) as "gameTypes",
               (select count(hidden_at) from mini_game_types where app_id = ${appId}) as "hiddenGameTypes",
               rows_counted('player_storage_bytes', ${appId}::uuid::text) as "storageBytes"`.execute(db)
      return rows[0]!
    },

    get: async (appId: string): Promise<Omit<AppOverview, 'quotas'>> => {
      const [{ rows }, top] = await Promise.all([
        sql<Omit<AppOverview, 'topScore' | 'quotas'>>`
          select rows_counted('players', ${appId}::uuid::text) as players,
                 (select count(*) from (
                   select from players where app_id = ${appId} and created_at > now() - interval '7 days' limit ${MAX_COUNTED}) as found) as "newPlayersThisWeek",
                 rows_counted('game_sessions', ${appId}::uuid::text) as "gameSessions",
                 rows_counted('game_sessions', ${appId}::uuid::text || ' open') as "runningGameSessions",
                 (select count(*) from mini_game_types where app_id = ${appId} and hidden_at is null) as "miniGameTypes"`.execute(
          db,
        ),
        topScore(appId),
      ])
      return { ...rows[0]!, topScore: top }
    },
  }
}
export type OverviewStore = ReturnType<typeof overviewStore>
