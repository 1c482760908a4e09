import type pg from 'pg'
import type { LeaderboardEntry, MiniGameLeaderboard } from './schema.ts'
import { defaultGame } from './type-store.ts'

/** A player's best on one board. `typeName` is null for the default game. */
export type Best = { typeKey: string; typeName: string | null; score: number; rankKey: number }

const entries = (limit: string) => `
  select b.player_id as "playerId", p.display_name as "playerDisplayName", b.score as "playerScore",
         sp.created_at as "createdAt", sp.updated_at as "updatedAt", b.session_id as "gameSessionId",
         p.image_url as "playerImageUrl", p.user_id as "userId", b.rank_key, b.achieved_at
    from (select * from player_best pb
           where pb.app_id = $1 and pb.type_key = t.id and pb.rank_key is not null
           order by pb.rank_key desc, pb.achieved_at, pb.player_id limit ${limit}) b
    join players p on p.app_id = b.app_id and p.id = b.player_id
    join session_players sp on sp.app_id = b.app_id and sp.session_id = b.session_id and sp.player_id = b.player_id`

const columns = `
  e."playerId", e."playerDisplayName", e."playerScore", e."createdAt", e."updatedAt", e."gameSessionId",
  e."playerImageUrl", e."userId"`
const order = 'e.rank_key desc, e.achieved_at, e."playerId"'

/** Best first; of equal scores the one reached earlier, then by player id. */
export const boardSql = `
  select ${columns} from (select $2::uuid as id) t cross join lateral (${entries('$3')}) e order by ${order}`

const allBoardsSql = `
  select t.id as "typeKey", t.name as "typeName", ${columns}
    from (select '${defaultGame}'::uuid as id, null as name, null as name_key
          union all
          select m.id, m.name, m.name_key from mini_game_types m where m.app_id = $1 and m.hidden_at is null) t
    left join lateral (${entries('$2')}) e on true
   order by t.name_key nulls first, ${order}`

const bestSql = `
  select b.type_key as "typeKey", t.name as "typeName", b.score, b.rank_key as "rankKey"
    from player_best b left join mini_game_types t on t.app_id = b.app_id and t.id = b.type_key
   where b.app_id = $1 and b.player_id = $2 and b.rank_key is not null and t.hidden_at is null`

const aboveSql = `
  select count(*) as above from player_best b where b.app_id = $1 and b.type_key = $2 and b.rank_key > $3`

/** Leaderboards and bests, in SQL. Statements are named, so that each connection plans them once. */
export function rankingStore(pool: pg.Pool) {
  const query = async <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) =>
    (await pool.query<Row>({ name, text, values })).rows

  return {
    board: (appId: string, typeKey: string, limit: number): Promise<LeaderboardEntry[]> =>
      query('board', boardSql, [appId, typeKey, limit]),

    /** The default game first, then types by name; boards without entries too. */
    async allBoards(appId: string, limit: number): Promise<MiniGameLeaderboard[]> {
      type Row = LeaderboardEntry & { typeKey: string; typeName: string | null; playerId: string | null }
      const rows = await query<Row>('all_boards', allBoardsSql, [appId, limit])
      const boards = new Map<string, MiniGameLeaderboard>()
      for (const { typeKey, typeName, ...entry } of rows) {
        const miniGameTypeId = typeKey === defaultGame ? null : typeKey
        const board = boards.get(typeKey) ?? { miniGameTypeId, miniGameTypeName: typeName, leaderboard: [] }
        boards.set(typeKey, board)
        if (entry.playerId !== null) board.leaderboard.push(entry)
      }
      return [...boards.values()]
    },

    /** A player's best on one board, or undefined while it has no written score there. */
    best: async (appId: string, playerId: string, typeKey: string): Promise<Best | undefined> =>
      (await query<Best>('best', `${bestSql} and b.type_key = $3`, [appId, playerId, typeKey]))[0],

    /** A player's bests on all boards, the default game first, then types by name. */
    bests: (appId: string, playerId: string): Promise<Best[]> =>
      query('bests', `${bestSql} order by t.name_key nulls first`, [appId, playerId]),

    /** How many players of a board are better, counted one by one. */
    above: async (appId: string, typeKey: string, rankKey: number): Promise<number> =>
      (await query<{ above: number }>('above', aboveSql, [appId, typeKey, rankKey]))[0]!.above,
  }
}
export type RankingStore = ReturnType<typeof rankingStore>
