import type pg from 'pg'
import { batchLoader } from '../../../platform/concurrency/batch-loader.ts'
import { type BoardTable, typeTable } from '../leaderboards/board-sql.ts'

/** A player's best on one board. `typeName` is null for the default game. */
export type Best = { typeKey: string; typeName: string | null; score: number; rankKey: number }

const bestsSql = `
  select b.type_key as "typeKey", t.name as "typeName", b.score, b.rank_key as "rankKey"
    from player_best b left join mini_game_types t on t.app_id = b.app_id and t.id = b.type_key
   where b.app_id = $1 and b.player_id = $2 and b.rank_key is not null and t.hidden_at is null
   order by t.name_key nulls first`

/** Bests and how they compare, in SQL. Statements are named, so that each connection plans them once. */
export function rankingStore(pool: pg.Pool, { name: table, key, statements }: BoardTable = typeTable) {
  const onBoard = `from ${table} b where b.app_id = $1 and b.${key} = $2`
  const bestSql = (players: string) => `
    select b.player_id as "playerId", b.score, b.rank_key as "rankKey" ${onBoard} and b.player_id ${players}
       and b.rank_key is not null`
  /** With an array, PostgreSQL plans each time, because it expects more than one player. */
  const [oneBestSql, someBestsSql] = [bestSql('= $3'), bestSql('= any($3::uuid[])')]
  const aboveSql = `select count(*) as count ${onBoard} and b.rank_key > $3`
  const sizeSql = `select count(*) as count ${onBoard} and b.rank_key is not null`

  const query = async <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) =>
    (await pool.query<Row>({ name: `${statements} ${name}`, text, values })).rows
  const readBest = batchLoader<Pick<Best, 'score' | 'rankKey'>>({
    read: async (board, playerIds) => {
      const [appId, boardKey] = board.split(' ')
      const [playerId, ...others] = playerIds
      const bests = await (others.length === 0
        ? query<Best & { playerId: string }>('best', oneBestSql, [appId, boardKey, playerId])
        : query<Best & { playerId: string }>('bests of players', someBestsSql, [appId, boardKey, playerIds]))
      return new Map(bests.map((best) => [best.playerId, best]))
    },
  })

  return {
    /** A player's best on one board, whose type is known and not hidden; undefined while it has no written score there. */
    best: (appId: string, playerId: string, boardKey: string): Promise<Pick<Best, 'score' | 'rankKey'> | undefined> =>
      readBest(`${appId} ${boardKey}`, playerId.toLowerCase()),

    /** A player's bests on all boards, the default game first, then types by name. */
    bests: (appId: string, playerId: string): Promise<Best[]> => query('bests', bestsSql, [appId, playerId]),

    /** How many players of a board are better, counted one by one. */
    above: async (appId: string, boardKey: string, rankKey: number): Promise<number> =>
      (await query<{ count: number }>('above', aboveSql, [appId, boardKey, rankKey]))[0]!.count,

    /** How many players of a board are ranked, counted one by one. */
    size: async (appId: string, boardKey: string): Promise<number> =>
      (await query<{ count: number }>('size', sizeSql, [appId, boardKey]))[0]!.count,
  }
}
export type RankingStore = ReturnType<typeof rankingStore>
