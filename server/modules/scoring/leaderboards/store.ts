import type pg from 'pg'
import { coalesce } from '../../../platform/concurrency/coalesce.ts'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import type { Place, TopText } from '../ranks/tops/kept-top.ts'
import { defaultGame } from '../types/store.ts'
import { assignRanks, type RankedRow } from './assign-ranks.ts'
import { type BoardTable, boardStatements, typeTable } from './board-sql.ts'
import { entryColumns } from './entry-sql.ts'
import { limitAround, type MiniGameLeaderboard } from './schema.ts'

const allBoardsSql = `
  select t.id as "typeKey", t.name as "typeName", e.*
    from (select '${defaultGame}'::uuid as id, null as name, null as name_key
          union all
          select m.id, m.name, m.name_key from mini_game_types m where m.app_id = $1 and m.hidden_at is null) t
    left join lateral (
      select ${entryColumns}
        from (select * from player_best pb
               where pb.app_id = $1 and pb.type_key = t.id and pb.rank_key is not null
               order by pb.rank_key desc, pb.achieved_at, pb.player_id limit $2) b
        join players p on p.app_id = b.app_id and p.id = b.player_id ${typeTable.place}) e on true
   order by t.name_key nulls first, t.id, e."rankKey" desc, e."achievedAt"::timestamptz, e."playerId"`

/** Entries on each side of a player by default. A number in the text lets PostgreSQL keep its plan, which takes as long as reading. */
const USUAL_EACH = limitAround - 1

type TopRow = TopText & { isPlain: boolean }

type Options = { ownUrls: Pick<OwnUrls, 'written' | 'publicUrl'>; isReplicated?: boolean; table?: BoardTable }

/**
 * Leaderboards of types, or of periods, in SQL. Statements are named, so that each connection plans them once.
 * @param isReplicated the pool may ask a replica: what one caller is shown may be older than what another has written
 */
export function leaderboardStore(pool: pg.Pool, { ownUrls, isReplicated = false, table = typeTable }: Options) {
  const statements = boardStatements(table)
  const [around, aroundUsual] = [statements.boardAround('$4'), statements.boardAround(USUAL_EACH)]
  const query = async <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) =>
    (await pool.query<Row>({ name: `${table.statements} ${name}`, text, values })).rows

  const entries = async <Row extends RankedRow>(name: string, text: string, values: unknown[]): Promise<Row[]> => {
    const rows = await query<Row>(name, text, values)
    for (const row of rows) row.playerImageUrl = ownUrls.written(row.playerImageUrl)
    return rows
  }

  async function readTop(appId: string, boardKey: string, limit: number): Promise<TopText | undefined> {
    const [row] = await query<TopRow>('board_text', statements.boardText, [appId, boardKey, limit, ownUrls.publicUrl()])
    return row!.isPlain ? row : undefined
  }
  const shareTop = coalesce<TopText | undefined>()

  return {
    /** The best of a board, or those after a place of it. */
    board: (appId: string, boardKey: string, limit: number, after?: Place): Promise<RankedRow[]> =>
      after
        ? entries('board_after', statements.boardAfter, [
            appId,
            boardKey,
            limit,
            after.rankKey,
            after.achievedAt,
            after.playerId,
          ])
        : entries('board', statements.board, [appId, boardKey, limit]),

    /** The best of a board as JSON; undefined where a score is written in another way than JavaScript writes it. */
    topText: (appId: string, boardKey: string, limit: number): Promise<TopText | undefined> =>
      isReplicated
        ? readTop(appId, boardKey, limit)
        : shareTop(`${appId} ${boardKey} ${limit}`, () => readTop(appId, boardKey, limit)),

    /** A player and up to `each` entries before and after it; empty when the player is not ranked. */
    around: (appId: string, boardKey: string, playerId: string, each: number): Promise<RankedRow[]> =>
      each === USUAL_EACH
        ? entries('board_around_usual', aroundUsual, [appId, boardKey, playerId])
        : entries('board_around', around, [appId, boardKey, playerId, each]),

    /** Up to `each` entries before a place and after it. */
    near: (appId: string, boardKey: string, { rankKey, achievedAt, playerId }: Place, each: number) =>
      entries('board_near', statements.boardNear, [appId, boardKey, each, rankKey, achievedAt, playerId]),

    /** The entries of some players, best first. */
    boardOf: (appId: string, boardKey: string, playerIds: string[]): Promise<RankedRow[]> =>
      entries('board_of', statements.boardOf, [appId, boardKey, playerIds]),

    /** Whether the app has this player, ranked or not. */
    hasPlayer: async (appId: string, playerId: string): Promise<boolean> =>
      (await query('has_player', 'select from players where app_id = $1 and id = $2', [appId, playerId])).length > 0,

    /** The default game first, then types by name; boards without entries too. */
    async allBoards(appId: string, limit: number): Promise<MiniGameLeaderboard[]> {
      type Row = RankedRow & { typeKey: string; typeName: string | null; playerId: string | null }
      const boards = new Map<string, { typeName: string | null; rows: RankedRow[] }>()
      for (const { typeKey, typeName, ...row } of await entries<Row>('all_boards', allBoardsSql, [appId, limit])) {
        const board = boards.get(typeKey) ?? { typeName, rows: [] }
        boards.set(typeKey, board)
        if (row.playerId !== null) board.rows.push(row)
      }
      return [...boards].map(([typeKey, { typeName, rows }]) => ({
        miniGameTypeId: typeKey === defaultGame ? null : typeKey,
        miniGameTypeName: typeName,
        leaderboard: assignRanks(rows),
      }))
    },

    /** How many entries stand before a place, and how many of those have a better score; counted one by one. */
    async countBefore(appId: string, boardKey: string, { rankKey, achievedAt, playerId }: Place) {
      const values = [appId, boardKey, rankKey, achievedAt, playerId]
      return (await query<{ earlier: number; above: number }>('place', statements.place, values))[0]!
    },
  }
}
export type LeaderboardStore = ReturnType<typeof leaderboardStore>
