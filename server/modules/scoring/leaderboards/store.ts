import type pg from 'pg'
import { coalesce } from '../../../platform/concurrency/coalesce.ts'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import { defaultGame } from '../types/store.ts'
import { assignRanks, type RankedRow } from './assign-ranks.ts'
import { entryColumns, entryJson } from './entry-sql.ts'
import type { MiniGameLeaderboard } from './schema.ts'

/** Where a board continues: after the entry with this key, time (as PostgreSQL writes it in UTC) and player. */
export type Place = { rankKey: number; achievedAt: string; playerId: string }

const joined = `
  join players p on p.app_id = b.app_id and p.id = b.player_id
  join session_players sp on sp.app_id = b.app_id and sp.session_id = b.session_id and sp.player_id = b.player_id`

/** Best first; of equal scores the one reached earlier, then by player id. An index has this order. */
const order = 'rank_key desc, achieved_at, player_id'
const backwards = 'rank_key, achieved_at desc, player_id desc'

const onBoard = 'select * from player_best where app_id = $1 and type_key = $2 and rank_key is not null'

/** Each part of these reads no more of the index than it returns, however many share a score. */
const later = (key: string, at: string, id: string, limit: string) => `
  select * from (
    (${onBoard} and rank_key = ${key} and (achieved_at, player_id) > (${at}, ${id}) order by ${order} limit ${limit})
    union all
    (${onBoard} and rank_key < ${key} order by ${order} limit ${limit})) l
   order by ${order} limit ${limit}`
const earlier = (key: string, at: string, id: string, limit: string) => `
  select * from (
    (${onBoard} and rank_key = ${key} and (achieved_at, player_id) < (${at}, ${id}) order by ${backwards} limit ${limit})
    union all
    (${onBoard} and rank_key > ${key} order by ${backwards} limit ${limit})) e
   order by ${backwards} limit ${limit}`

const shown = (bests: string) =>
  `select ${entryColumns} from (${bests}) b ${joined} order by b.${order.replaceAll(', ', ', b.')}`

/** The top of a board: $1 app, $2 type key, $3 entries. */
export const boardSql = shown(`${onBoard} order by ${order} limit $3`)

/**
 * The top of a board as one JSON text with ranks: reading and serialising a thousand columns takes the process twice as
 * long. $3 entries, $4 the public address; also the place of the last entry if there are more. PostgreSQL writes 0 and
 * scores from 0.0001 to below 10^15 as JavaScript does. With any other score `isPlain` is false and the text must not be
 * used: 10^15 would be 1e+15, which not every client reads as an integer.
 */
export const boardTextSql = `
  select string_agg(entry, ',' order by n) filter (where n <= $3) as entries,
         coalesce(bool_and(score = 0 or (abs(score) >= 1e-4 and abs(score) < 1e15)), true) as "isPlain",
         max(rank_key) filter (where n = $3 and found > $3) as "rankKey",
         max(achieved_at) filter (where n = $3 and found > $3)::text as "achievedAt",
         max(player_id::text) filter (where n = $3 and found > $3) as "playerId"
    from (select ${entryJson} as entry, b.score, b.rank_key, b.achieved_at, b.player_id, count(*) over () as found,
                 row_number() over (order by b.${order.replaceAll(', ', ', b.')}) as n
            from (${onBoard} order by ${order} limit $3 + 1) b ${joined}) e`
const boardAfterSql = shown(later('$4', '$5::timestamptz', '$6::uuid', '$3'))
/** A player with up to $3 entries on each side, or nothing when it is not ranked. */
const boardAroundSql = `
  with me as materialized (${onBoard} and player_id = $4)
  ${shown(`
    select * from me
    union all select e.* from me cross join lateral (${earlier('me.rank_key', 'me.achieved_at', 'me.player_id', '$3')}) e
    union all select l.* from me cross join lateral (${later('me.rank_key', 'me.achieved_at', 'me.player_id', '$3')}) l`)}`

const allBoardsSql = `
  select t.id as "typeKey", t.name as "typeName", e.*
    from (select '${defaultGame}'::uuid as id, null as name, null as name_key
          union all
          select m.id, m.name, m.name_key from mini_game_types m where m.app_id = $1 and m.hidden_at is null) t
    left join lateral (
      select ${entryColumns}
        from (select * from player_best pb
               where pb.app_id = $1 and pb.type_key = t.id and pb.rank_key is not null
               order by pb.rank_key desc, pb.achieved_at, pb.player_id limit $2) b ${joined}) e on true
   order by t.name_key nulls first, t.id, e."rankKey" desc, e."achievedAt"::timestamptz, e."playerId"`

const placeSql = `
  select count(*) as earlier, count(*) filter (where rank_key > $3) as above from player_best
   where app_id = $1 and type_key = $2
     and (rank_key > $3 or (rank_key = $3 and (achieved_at, player_id) < ($4::timestamptz, $5::uuid)))`

type Top = { entries: string; last: Place | undefined }
type TopRow = { entries: string | null; isPlain: boolean } & { [Name in keyof Place]: Place[Name] | null }

type Options = { ownUrls: Pick<OwnUrls, 'written' | 'publicUrl'>; isReplicated?: boolean }

/**
 * Leaderboards of types, in SQL. Statements are named, so that each connection plans them once.
 * @param isReplicated the pool may ask a replica: what one caller is shown may be older than what another has written
 */
export function leaderboardStore(pool: pg.Pool, { ownUrls, isReplicated = false }: Options) {
  const query = async <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) =>
    (await pool.query<Row>({ name, text, values })).rows

  const entries = async <Row extends RankedRow>(name: string, text: string, values: unknown[]): Promise<Row[]> => {
    const rows = await query<Row>(name, text, values)
    for (const row of rows) row.playerImageUrl = ownUrls.written(row.playerImageUrl)
    return rows
  }

  async function readTop(appId: string, typeKey: string, limit: number): Promise<Top | undefined> {
    const [row] = await query<TopRow>('board_text', boardTextSql, [appId, typeKey, limit, ownUrls.publicUrl()])
    const { entries, isPlain, rankKey, achievedAt, playerId } = row!
    if (!isPlain) return undefined
    return {
      entries: entries ?? '',
      last: rankKey === null ? undefined : { rankKey, achievedAt: achievedAt!, playerId: playerId! },
    }
  }
  const shareTop = coalesce<Top | undefined>()

  return {
    /** The best of a board, or those after a place of it. */
    board: (appId: string, typeKey: string, limit: number, after?: Place): Promise<RankedRow[]> =>
      after
        ? entries('board_after', boardAfterSql, [
            appId,
            typeKey,
            limit,
            after.rankKey,
            after.achievedAt,
            after.playerId,
          ])
        : entries('board', boardSql, [appId, typeKey, limit]),

    /** The best of a board as JSON, with commas between, and where it goes on; undefined where a score is written in another way than JavaScript writes it. */
    topText: (appId: string, typeKey: string, limit: number): Promise<Top | undefined> =>
      isReplicated
        ? readTop(appId, typeKey, limit)
        : shareTop(`${appId} ${typeKey} ${limit}`, () => readTop(appId, typeKey, limit)),

    /** A player and up to `each` entries before and after it; empty when the player is not ranked. */
    around: (appId: string, typeKey: string, playerId: string, each: number): Promise<RankedRow[]> =>
      entries('board_around', boardAroundSql, [appId, typeKey, each, playerId]),

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
    async countBefore(appId: string, typeKey: string, { rankKey, achievedAt, playerId }: Place) {
      const values = [appId, typeKey, rankKey, achievedAt, playerId]
      return (await query<{ earlier: number; above: number }>('place', placeSql, values))[0]!
    },
  }
}
export type LeaderboardStore = ReturnType<typeof leaderboardStore>
