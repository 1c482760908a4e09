import { badRequest, notFound } from '../../../platform/errors.ts'
import { isId } from '../../../platform/ids.ts'
import type { PeriodBoards } from '../periods/period-boards.ts'
import type { MiniGameType, TypeChoice } from '../schema.ts'
import type { SeasonStore } from '../seasons/store.ts'
import type { Segment } from '../segments/schema.ts'
import { segmentKey } from '../segments/segment.ts'
import type { SegmentBoards } from '../segments/segment-boards.ts'
import type { GameTypes } from '../types/service.ts'
import { defaultGame } from '../types/store.ts'
import type { BoardKind } from './board-sql.ts'
import type { BoardChoice, BoardPeriod } from './schema.ts'

type Choice = TypeChoice & Pick<BoardChoice, 'window' | 'season' | 'at' | 'segment'>
type Deps = {
  types: Pick<GameTypes, 'choose' | 'getWithHidden'>
  periods: PeriodBoards
  seasons: Pick<SeasonStore, 'get'>
  segments: SegmentBoards
}

/** A leaderboard: of a mini game type over all time, or of a period. */
export type Board = {
  appId: string
  key: string
  /** The key of the board of all players. */
  wholeKey: string
  typeKey: string
  /** Undefined for the default game. */
  type: MiniGameType | undefined
  /** Undefined for all time. */
  period: BoardPeriod | undefined
  /** Undefined for all players. */
  segment?: Segment | undefined
  /** The moment at which it is shown. Undefined: now, or after the end of a season. */
  at?: string | undefined
  /** What it has to be read from as long as its rows are not all there: scores of sessions, or the bests of all players. */
  unmade?: 'scores' | 'bests' | undefined
}

/** What kind of board it is. */
export const kindOf = ({ period, segment }: Pick<Board, 'period' | 'segment'>): BoardKind =>
  segment ? (period ? 'periodSegments' : 'segments') : period ? 'periods' : 'types'

/**
 * Finds the board that a request names.
 * @throws 404 for an unknown type or season; 400 when two members disagree, or for a segment
 * that the type does not declare
 */
export function boardChoice({ types, periods, seasons, segments }: Deps) {
  async function ofSeason(appId: string, id: string, { window, season, at, ...choice }: Choice): Promise<Board> {
    if (window !== undefined && window !== 'all')
      throw badRequest('window and season name different periods: send one of them')
    const found = isId(id) ? await seasons.get(appId, id) : undefined
    if (!found) throw notFound('Season')
    const { miniGameTypeId, startsAt, endsAt } = found
    if (at !== undefined && !(endsAt && Date.parse(at) >= Date.parse(endsAt)))
      throw badRequest(
        'at works with a season only after it has ended: send a time at or after its end, or only one of the two',
      )
    const chosen = await types.choose(appId, choice)
    if (chosen && chosen.id !== miniGameTypeId)
      throw badRequest('This season belongs to another mini game type: send only the season, or its own type')
    const type = chosen ?? (miniGameTypeId === null ? undefined : await types.getWithHidden(appId, miniGameTypeId))
    const key = found.id
    const typeKey = miniGameTypeId ?? defaultGame
    const isReady = await periods.ready({ appId, typeKey }, { key, startsAt, endsAt, isReady: found.isReady })
    const period = { window: null, seasonId: key, startsAt, endsAt }
    return { appId, key, wholeKey: key, typeKey, type, period, unmade: isReady ? undefined : 'scores' }
  }

  async function whole(appId: string, choice: Choice): Promise<Board> {
    const { window = 'all', season, at, ...ofType } = choice
    if (season !== undefined) return ofSeason(appId, season, choice)
    if (window !== 'all' && at !== undefined)
      throw badRequest('at works with the leaderboard of all time and ended seasons: send either at or window')
    const type = await types.choose(appId, ofType)
    const typeKey = type?.id ?? defaultGame
    if (window === 'all') return { appId, key: typeKey, wholeKey: typeKey, typeKey, type, period: undefined, at }
    const { key, isReady, ...times } = await periods.current({ appId, typeKey }, window, type?.timeZone ?? 'UTC')
    const period = { window, seasonId: null, startsAt: times.startsAt, endsAt: times.endsAt }
    return { appId, key, wholeKey: key, typeKey, type, period, unmade: isReady ? undefined : 'scores' }
  }

  return async (appId: string, { segment, ...choice }: Choice): Promise<Board> => {
    if (segment && choice.at !== undefined)
      throw badRequest('at works with leaderboards of all players: send either at or segment')
    const board = await whole(appId, choice)
    if (!segment) return board
    if (!board.type) throw badRequest('The default game has no segments: send a mini game type, or omit segment')
    if (!board.type.segments.includes(segment.name))
      throw badRequest(`"${segment.name}" is not a segment of this mini game type: add it to the segments of the type`)
    const isReady = await segments.ready(appId, board.typeKey, board.period?.endsAt)
    return {
      ...board,
      key: segmentKey(board.key, segment),
      segment,
      unmade: board.unmade ?? (isReady ? undefined : 'bests'),
    }
  }
}
export type ChooseBoard = ReturnType<typeof boardChoice>
