import { z } from 'zod'
import type { Viewer } from '../../../platform/credentials/callers.ts'
import { badRequest, HttpError, invalid } from '../../../platform/errors.ts'
import { cutPage, decodeCursor, encodeCursor, momentInCursor, type Page } from '../../../platform/http/pages.ts'
import { isId } from '../../../platform/ids.ts'
import type { ComputedRows, RankedBoard } from '../computed/ranked-board.ts'
import type { HiddenScoreStore } from '../rankings/hidden-score-store.ts'
import type { RankProvider } from '../ranks/rank-provider.ts'
import type { Place } from '../ranks/tops/kept-top.ts'
import type { GameSession, TypeChoice } from '../schema.ts'
import { segmentText } from '../segments/segment.ts'
import { storedMode } from '../types/record.ts'
import { defaultGame } from '../types/store.ts'
import { assignRanks, entryOf, type RankedRow } from './assign-ranks.ts'
import { type Board, type ChooseBoard, kindOf } from './board-choice.ts'
import type { BoardKind } from './board-sql.ts'
import { insertOwn, isBefore, type Placed } from './insert-own.ts'
import {
  type BoardPageQuery,
  type BoardQuery,
  type LeaderboardEntry,
  limitAround,
  type MiniGameLeaderboard,
} from './schema.ts'
import type { SessionBoardStore } from './session-board-store.ts'
import type { LeaderboardStore } from './store.ts'
import type { TopReader } from './top-reader.ts'

type Deps = {
  stores: Record<BoardKind, LeaderboardStore>
  choose: ChooseBoard
  sessionBoards: SessionBoardStore
  /** A board that is worked out at each request, because it is of the past or not made yet. */
  computed: (board: Board) => RankedBoard | undefined
  session: (appId: string, id: string) => Promise<GameSession>
  /** Asked before SQL. */
  index: Pick<RankProvider, 'above'>
  readTop: TopReader
  hiddenScores: HiddenScoreStore
  /** How many are ranked on a board. */
  size: (board: Board) => Promise<number>
  /** The rank that a rank key of no player on the board would get. */
  rankOutside: (board: Board, rankKey: number) => Promise<number>
}

type Selection = Pick<BoardQuery, 'limit' | 'cursor' | 'aroundPlayerId' | 'playerIds'>

/** What of a board is shown, and the board it is of. Entries are JSON, with commas between; bytes if they were in memory. */
export type BoardPage = Omit<MiniGameLeaderboard, 'leaderboard'> & { entries: string | Buffer } & Omit<
    Page<never>,
    'rows'
  >

/** The place, and the board if it is of a period or segment: a window goes on to another board at midnight. Keys of segments are no version of a UUID. */
const PlaceCursor = z.tuple([z.number(), momentInCursor, z.uuid()]).rest(z.guid())
const limitOfBoard = 100

/** Who is best: boards of types, and of single game sessions. */
export function leaderboardService(parts: Deps) {
  const { stores, choose, sessionBoards, computed, session, index, readTop, hiddenScores, size, rankOutside } = parts
  const storeOf = (board: Board) => stores[kindOf(board)]

  /** Ranks of entries that do not begin at the top: from the rank index, else counted. */
  async function rankedAt(board: Board, rows: RankedRow[]): Promise<LeaderboardEntry[]> {
    const first = rows[0]
    if (!first) return []
    const keys = [...new Set(rows.map(({ rankKey }) => rankKey))]
    const above = await index.above(board.appId, board.key, keys)
    let next = 0
    if (above) return assignRanks(rows, () => above[next++]! + 1)
    const before = await storeOf(board).countBefore(board.appId, board.key, first)
    return assignRanks(rows, (_row, place) => (place === 0 ? before.above : before.earlier + place) + 1)
  }

  /** The error for a player around whom there are no entries. */
  async function unranked(appId: string, playerId: string): Promise<HttpError> {
    return isId(playerId) && (await stores.types.hasPlayer(appId, playerId))
      ? new HttpError(404, 'This player has no ranking on this leaderboard')
      : invalid([{ code: 'custom', message: 'There is no such player', path: ['aroundPlayerId'] }])
  }

  /** The score of a hidden player that reads a board, if it has one there. */
  async function ownRow(board: Board, viewer: Viewer | undefined): Promise<RankedRow | undefined> {
    const playerId = viewer?.hiddenPlayer
    return playerId ? hiddenScores.entry({ ...board, playerId }) : undefined
  }

  /** Its entry. */
  async function ownOn(board: Board, viewer: Viewer | undefined): Promise<Placed | undefined> {
    const row = await ownRow(board, viewer)
    return row && placedOf(row, await rankOutside(board, row.rankKey))
  }

  /** The entries around a hidden player, for itself. */
  async function aroundOwn(board: Board, own: Placed, limit: number): Promise<LeaderboardEntry[]> {
    const rows = await storeOf(board).near(board.appId, board.key, own.place, limit - 1)
    const middle = rows.filter(({ playerId, ...place }) => isBefore({ playerId, ...place }, own.place)).length
    const from = Math.max(0, Math.min(middle - Math.floor((limit - 1) / 2), rows.length + 1 - limit))
    const others = rows.slice(from, from + limit - 1)
    return entriesOf(insertOwn(placed(others, await rankedAt(board, others)), own))
  }

  async function around(board: Board, playerId: string, limit: number): Promise<LeaderboardEntry[]> {
    const { appId, key } = board
    const store = storeOf(board)
    const rows = isId(playerId) ? await store.around(appId, key, playerId, limit - 1) : []
    const middle = rows.findIndex((row) => row.playerId === playerId.toLowerCase())
    if (middle < 0) throw await unranked(appId, playerId)
    const from = Math.max(0, Math.min(middle - Math.floor((limit - 1) / 2), rows.length - limit))
    return rankedAt(board, rows.slice(from, from + limit))
  }

  async function page(board: Board, limit: number, cursor: string | undefined, own: Placed | undefined) {
    const { appId, key } = board
    const store = storeOf(board)
    const after = placeOf(cursor, key)
    const values = valuesOn(board)
    const top = after || own ? undefined : await readTop(board, limit)
    if (top) return { entries: top.entries, next: top.last && encodeCursor(values(top.last)) }
    const rows = await store.board(appId, key, limit + 1, after)
    if (own && (!after || isBefore(after, own.place))) {
      const ranked = after ? await rankedAt(board, rows) : assignRanks(rows)
      const all = insertOwn(placed(rows, ranked), own)
      const { rows: shown, next } = cutPage(all, limit, ({ place }) => values(place))
      return { entries: textOf(entriesOf(shown)), next }
    }
    const { rows: shown, next } = cutPage(rows, limit, values)
    return { entries: textOf(after ? await rankedAt(board, shown) : assignRanks(shown)), next }
  }

  /** Some players, ranked among each other. */
  async function among(board: Board, playerIds: string[], own: Placed | undefined): Promise<LeaderboardEntry[]> {
    const rows = await storeOf(board).boardOf(board.appId, board.key, playerIds)
    const entries = placed(rows, assignRanks(rows))
    if (!own || !playerIds.some((id) => id.toLowerCase() === own.place.playerId)) return entriesOf(entries)
    const ranking = 1 + rows.filter(({ rankKey }) => rankKey > own.place.rankKey).length
    return entriesOf(insertOwn(entries, { ...own, entry: { ...own.entry, ranking } }))
  }

  /** Entries of a board that is worked out. @param own the score of a hidden player that reads it */
  async function ofComputed(board: Board, ranked: RankedBoard, selection: Selection, own: RankedRow | undefined) {
    const { limit, cursor, aroundPlayerId, playerIds } = selection
    const withOwn = ({ rows, above }: ComputedRows): Placed[] =>
      own ? insertOwn(placed(rows, rows), placedOf(own, above + 1)) : placed(rows, rows)
    if (playerIds) {
      const isAsked = playerIds.some((id) => id.toLowerCase() === own?.playerId)
      const found = await ranked.among(playerIds, own)
      const all = isAsked ? withOwn(found) : placed(found.rows, found.rows)
      return { entries: textOf(entriesOf(all)), next: undefined, total: all.length }
    }
    if (aroundPlayerId !== undefined) {
      const most = limit ?? limitAround
      const isOwn = aroundPlayerId.toLowerCase() === own?.playerId
      const read = () => (own && isOwn ? ranked.aroundOwn(own, most) : ranked.around(aroundPlayerId, most))
      const found = isId(aroundPlayerId) ? await read() : undefined
      const all = found && (isOwn ? withOwn(found) : placed(found.rows, found.rows))
      if (!all?.length) throw await unranked(board.appId, aroundPlayerId)
      return { entries: textOf(entriesOf(all)), next: undefined, total: found!.total }
    }
    const most = limit ?? limitOfBoard
    const after = placeOf(cursor, board.key)
    const found = await ranked.page(most + 1, after, own)
    const all = own && after && !isBefore(after, own) ? placed(found.rows, found.rows) : withOwn(found)
    const { rows, next } = cutPage(all, most, ({ place }) => valuesOn(board)(place))
    return { entries: textOf(entriesOf(rows)), next, total: found.total }
  }

  return {
    /**
     * One board: from its top, after a cursor, or around a player.
     * @throws 404 for an unknown type, or for a player without a ranking; 400 for an unknown player, or when id and name disagree
     */
    async ofType(
      appId: string,
      { limit, cursor, aroundPlayerId, playerIds, ...choice }: BoardQuery,
      viewer?: Viewer,
    ): Promise<BoardPage> {
      if ([cursor, aroundPlayerId, playerIds].filter((one) => one !== undefined).length > 1)
        throw badRequest('cursor, aroundPlayerId and playerIds select different entries: send one of them')
      const board = await choose(appId, choice)
      const shown = {
        ...named(board.type),
        period: board.period,
        segment: board.segment && segmentText(board.segment),
        at: board.at,
      }
      const ranked = computed(board)
      if (ranked) {
        // A hidden player is not shown on boards of the past.
        const own = board.at ? undefined : await ownRow(board, viewer)
        return { ...shown, ...(await ofComputed(board, ranked, { limit, cursor, aroundPlayerId, playerIds }, own)) }
      }
      const own = await ownOn(board, viewer)
      if (playerIds) {
        const entries = await among(board, playerIds, own)
        return { ...shown, entries: textOf(entries), next: undefined, total: entries.length }
      }
      const [selected, total] = await Promise.all([
        aroundPlayerId === undefined
          ? page(board, limit ?? limitOfBoard, cursor, own)
          : (aroundPlayerId.toLowerCase() === own?.place.playerId
              ? aroundOwn(board, own, limit ?? limitAround)
              : around(board, aroundPlayerId, limit ?? limitAround)
            ).then((rows) => ({
              entries: textOf(rows),
              next: undefined,
            })),
        size(board),
      ])
      return { ...shown, ...selected, total }
    },

    /** All boards of an app: the default game first, then types by name. */
    all: (appId: string, limit: number): Promise<MiniGameLeaderboard[]> => stores.types.allBoards(appId, limit),

    /** The board of one session: written scores alone, ranked among each other. @throws 404 */
    async ofSession(
      appId: string,
      sessionId: string,
      { limit, cursor }: BoardPageQuery,
      viewer?: Viewer,
    ): Promise<BoardPage> {
      const type = (await session(appId, sessionId)).miniGameType
      const mode = type ? storedMode(type) : 'best'
      const of = { appId, sessionId, ascending: type?.sortOrder === 'asc', mode }
      const after = placeOf(cursor, sessionId)
      const { rows, total } = await sessionBoards.page(of, limit + 1, after)
      const playerId = viewer?.hiddenPlayer
      const typeKey = type?.id ?? defaultGame
      const own = playerId && (await hiddenScores.entry({ appId, playerId, typeKey, sessionId }))
      const entries = placed(rows, rows)
      const isHere = own && !(after && !isBefore(after, own))
      const all = isHere ? insertOwn(entries, placedOf(own, 1 + (await sessionBoards.above(of, own.rankKey)))) : entries
      const { rows: shown, next } = cutPage(all, limit, ({ place }) => valuesOf(place))
      return { ...named(type), entries: textOf(entriesOf(shown)), next, total }
    },

    /** Which board of all time a request names. @throws 404 for an unknown type, 400 when id and name disagree */
    async ofAllTime(appId: string, { miniGameTypeId, miniGameTypeName }: TypeChoice) {
      const { key: typeKey, type } = await choose(appId, { miniGameTypeId, miniGameTypeName })
      return { typeKey, ...named(type) }
    },
  }
}
export type LeaderboardService = ReturnType<typeof leaderboardService>

const named = (type: { id: string; name: string } | null | undefined) => ({
  miniGameTypeId: type?.id ?? null,
  miniGameTypeName: type?.name ?? null,
})

/** @throws 400 for a cursor of another board */
function placeOf(cursor: string | undefined, boardKey: string): Place | undefined {
  const values = decodeCursor(cursor, PlaceCursor)
  if (!values) return undefined
  const [rankKey, achievedAt, playerId, cursorBoard = boardKey] = values
  if (cursorBoard !== boardKey) {
    const message = 'This page is of another leaderboard, or of a window that has ended: read from the first page'
    throw invalid([{ code: 'custom', message, path: ['cursor'] }])
  }
  return { rankKey, achievedAt, playerId }
}

const placed = (
  rows: Place[],
  entries: Parameters<typeof entryOf>[0] extends infer Row ? (Row & { ranking: number })[] : never,
): Placed[] =>
  rows.map(({ rankKey, achievedAt, playerId }, i) => ({
    place: { rankKey, achievedAt, playerId },
    entry: entryOf(entries[i]!, entries[i]!.ranking),
  }))
const placedOf = (row: RankedRow, ranking: number): Placed => placed([row], [{ ...row, ranking }])[0]!
const entriesOf = (all: Placed[]): LeaderboardEntry[] => all.map(({ entry }) => entry)

const textOf = (entries: LeaderboardEntry[]): string => entries.map((entry) => JSON.stringify(entry)).join()

/** The values of a cursor of a board. */
const valuesOn =
  ({ key, period, segment }: Board) =>
  (place: Place) =>
    period || segment ? [...valuesOf(place), key] : valuesOf(place)

const valuesOf = ({ rankKey, achievedAt, playerId }: Place) => [rankKey, achievedAt, playerId]
