import { z } from 'zod'
import { badRequest, HttpError, invalid } from '../../../platform/errors.ts'
import { cutPage, decodeCursor, encodeCursor, momentInCursor, type Page } from '../../../platform/http/pages.ts'
import { isId } from '../../../platform/ids.ts'
import type { RankProvider } from '../ranks/rank-provider.ts'
import type { GameSession, TypeChoice } from '../schema.ts'
import type { GameTypes } from '../types/service.ts'
import { defaultGame } from '../types/store.ts'
import { assignRanks, type RankedRow } from './assign-ranks.ts'
import type { BoardPageQuery, BoardQuery, LeaderboardEntry, MiniGameLeaderboard } from './schema.ts'
import type { SessionBoardStore } from './session-board-store.ts'
import type { LeaderboardStore, Place } from './store.ts'

type Deps = {
  store: LeaderboardStore
  sessionBoards: SessionBoardStore
  types: GameTypes
  session: (appId: string, id: string) => Promise<GameSession>
  /** Asked before SQL. */
  index: Pick<RankProvider, 'above'>
  /** How many are ranked on a board. */
  size: (appId: string, typeKey: string) => Promise<number>
}

/** What of a board is shown, and the board it is of. Entries are JSON, with commas between. */
export type BoardPage = Omit<MiniGameLeaderboard, 'leaderboard'> & { entries: string } & Omit<Page<never>, 'rows'>

const PlaceCursor = z.tuple([z.number(), momentInCursor, z.uuid()])
const limitOfBoard = 100
const limitAround = 11

/** Who is best: boards of types, and of single game sessions. */
export function leaderboardService({ store, sessionBoards, types, session, index, size }: Deps) {
  /** Ranks of entries that do not begin at the top: from the rank index, else counted. */
  async function rankedAt(appId: string, typeKey: string, rows: RankedRow[]): Promise<LeaderboardEntry[]> {
    const first = rows[0]
    if (!first) return []
    const keys = [...new Set(rows.map(({ rankKey }) => rankKey))]
    const above = await index.above(appId, typeKey, keys)
    let next = 0
    if (above) return assignRanks(rows, () => above[next++]! + 1)
    const before = await store.countBefore(appId, typeKey, first)
    return assignRanks(rows, (_row, place) => (place === 0 ? before.above : before.earlier + place) + 1)
  }

  async function around(appId: string, typeKey: string, playerId: string, limit: number): Promise<LeaderboardEntry[]> {
    const rows = isId(playerId) ? await store.around(appId, typeKey, playerId, limit - 1) : []
    const middle = rows.findIndex((row) => row.playerId === playerId.toLowerCase())
    if (middle < 0) {
      if (isId(playerId) && (await store.hasPlayer(appId, playerId)))
        throw new HttpError(404, 'This player has no ranking on this leaderboard')
      throw invalid([{ code: 'custom', message: 'There is no such player', path: ['aroundPlayerId'] }])
    }
    const from = Math.max(0, Math.min(middle - Math.floor((limit - 1) / 2), rows.length - limit))
    return rankedAt(appId, typeKey, rows.slice(from, from + limit))
  }

  async function board(appId: string, typeKey: string, limit: number, cursor: string | undefined) {
    const after = placeOf(cursor)
    const top = after ? undefined : await store.topText(appId, typeKey, limit)
    if (top) return { entries: top.entries, next: top.last && encodeCursor(valuesOf(top.last)) }
    const rows = await store.board(appId, typeKey, limit + 1, after)
    const { rows: shown, next } = cutPage(rows, limit, valuesOf)
    return { entries: textOf(after ? await rankedAt(appId, typeKey, shown) : assignRanks(shown)), next }
  }

  return {
    /**
     * One board: from its top, after a cursor, or around a player.
     * @throws 404 for an unknown type, or for a player without a ranking; 400 for an unknown player, or when id and name disagree
     */
    async ofType(appId: string, { limit, cursor, aroundPlayerId, ...choice }: BoardQuery): Promise<BoardPage> {
      if (cursor !== undefined && aroundPlayerId !== undefined)
        throw badRequest('cursor and aroundPlayerId name different places on the board: send one of them')
      const type = await types.choose(appId, choice)
      const typeKey = type?.id ?? defaultGame
      const [shown, total] = await Promise.all([
        aroundPlayerId === undefined
          ? board(appId, typeKey, limit ?? limitOfBoard, cursor)
          : around(appId, typeKey, aroundPlayerId, limit ?? limitAround).then((rows) => ({
              entries: textOf(rows),
              next: undefined,
            })),
        size(appId, typeKey),
      ])
      return { ...named(type), ...shown, total }
    },

    /** All boards of an app: the default game first, then types by name. */
    all: (appId: string, limit: number): Promise<MiniGameLeaderboard[]> => store.allBoards(appId, limit),

    /** The board of one session: written scores alone, ranked among each other. @throws 404 */
    async ofSession(appId: string, sessionId: string, { limit, cursor }: BoardPageQuery): Promise<BoardPage> {
      const type = (await session(appId, sessionId)).miniGameType
      const of = { appId, sessionId, ascending: type?.sortOrder === 'asc' }
      const { rows, total } = await sessionBoards.page(of, limit + 1, placeOf(cursor))
      const { rows: shown, next } = cutPage(rows, limit, valuesOf)
      const entries = shown.map(({ rankKey, achievedAt, ...entry }) => entry)
      return { ...named(type), entries: textOf(entries), next, total }
    },

    /** Which board a request names. @throws 404 for an unknown type, 400 when id and name disagree */
    async choose(appId: string, choice: TypeChoice) {
      const type = await types.choose(appId, choice)
      return { typeKey: type?.id ?? defaultGame, ...named(type) }
    },
  }
}
export type LeaderboardService = ReturnType<typeof leaderboardService>

const named = (type: { id: string; name: string } | null | undefined) => ({
  miniGameTypeId: type?.id ?? null,
  miniGameTypeName: type?.name ?? null,
})

function placeOf(cursor: string | undefined): Place | undefined {
  const values = decodeCursor(cursor, PlaceCursor)
  return values && { rankKey: values[0], achievedAt: values[1], playerId: values[2] }
}

const textOf = (entries: LeaderboardEntry[]): string => entries.map((entry) => JSON.stringify(entry)).join()

const valuesOf = ({ rankKey, achievedAt, playerId }: Place) => [rankKey, achievedAt, playerId]
