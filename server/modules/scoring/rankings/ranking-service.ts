import type { Viewer } from '../../../platform/credentials/callers.ts'
import { HttpError } from '../../../platform/errors.ts'
import type { RankedBoard } from '../computed/ranked-board.ts'
import { type Board, type ChooseBoard, kindOf } from '../leaderboards/board-choice.ts'
import type { BoardKind } from '../leaderboards/board-sql.ts'
import type { BoardChoice, PlayerRanking } from '../leaderboards/schema.ts'
import type { RankProvider } from '../ranks/rank-provider.ts'
import type { BoardTops } from '../ranks/tops/board-tops.ts'
import { defaultGame } from '../types/store.ts'
import type { HiddenScoreStore } from './hidden-score-store.ts'
import type { RankingStore } from './ranking-store.ts'

type Deps = {
  stores: Record<BoardKind, RankingStore>
  hiddenScores: HiddenScoreStore
  choose: ChooseBoard
  /** A board that is worked out at each request, because it is of the past or not made yet. */
  computed: (board: Board) => Pick<RankedBoard, 'one'> | undefined
  /** Asked before SQL. */
  index: RankProvider
  /** Asked before SQL for bests on boards of all players over all time; undefined if this process must not keep any. */
  tops: Pick<BoardTops, 'best'> | undefined
}

type Ranked = Pick<Board, 'appId' | 'key' | 'period' | 'segment'>

const unranked = () => new HttpError(404, 'Player not found or has no ranking')

/** Who stands where: 1 + the number of players of the same app and type with a better highest score (1-2-2-4). */
export function rankingService({ stores, hiddenScores, choose, computed, index, tops }: Deps) {
  const storeOf = (board: Ranked) => stores[kindOf(board)]

  function bestOf(board: Ranked, playerId: string) {
    const { appId, key } = board
    const read = () => storeOf(board).best(appId, playerId, key)
    return tops && kindOf(board) === 'types' ? tops.best(appId, key, playerId, read) : read()
  }

  async function rank(board: Ranked, rankKey: number): Promise<number> {
    const known = await index.above(board.appId, board.key, [rankKey])
    return (known?.[0] ?? (await storeOf(board).above(board.appId, board.key, rankKey))) + 1
  }

  /** The rank that a key which no player of the board has would get. */
  async function rankOutside(board: Ranked, rankKey: number): Promise<number> {
    const [known] = (await index.above(board.appId, board.key, [rankKey])) ?? []
    // The index counts at most all players but one.
    const isExact = known !== undefined && known < ((await index.size(board.appId, board.key)) ?? 0) - 1
    return (isExact ? known : await storeOf(board).above(board.appId, board.key, rankKey)) + 1
  }

  return {
    rankOutside,

    /**
     * A player's rank on one board.
     * @param counted called with the number of players of a past board, which is computed as a whole
     * @throws 404 for an unknown type or player, or one without a written score
     */
    async ofPlayer(
      appId: string,
      playerId: string,
      choice: BoardChoice,
      viewer?: Viewer,
      counted = (_players: number) => {},
    ): Promise<PlayerRanking> {
      const board = await choose(appId, choice)
      const type = { miniGameTypeName: board.type?.name ?? null, miniGameTypeId: board.type?.id ?? null }
      const readOwn = async () =>
        playerId === viewer?.hiddenPlayer ? hiddenScores.entry({ ...board, playerId }) : undefined
      const ranked = computed(board)
      if (ranked) {
        const own = board.at ? undefined : await readOwn()
        const found = await ranked.one(playerId, own)
        if (board.at) counted(found.total)
        if (found.score !== null) return { highestScore: found.score, ranking: found.ranking, ...type }
        if (own) return { highestScore: own.playerScore, ranking: found.above + 1, ...type }
        throw unranked()
      }
      const best = await bestOf(board, playerId)
      const own = best ? undefined : await readOwn()
      if (own) return { highestScore: own.playerScore, ranking: await rankOutside(board, own.rankKey), ...type }
      if (!best) throw unranked()
      return { highestScore: best.score, ranking: await rank(board, best.rankKey), ...type }
    },

    /** How many players are ranked on a board. */
    size: async (board: Board): Promise<number> =>
      (await index.size(board.appId, board.key)) ?? storeOf(board).size(board.appId, board.key),

    /** A player's ranks, one for each type with a written score: the default game first, then types by name. */
    async allOfPlayer(appId: string, playerId: string, viewer?: Viewer): Promise<PlayerRanking[]> {
      const isOwn = playerId === viewer?.hiddenPlayer
      const bests = await (isOwn ? hiddenScores : stores.types).bests(appId, playerId)
      const rankOf = isOwn ? rankOutside : rank
      return Promise.all(
        bests.map(async ({ typeKey: key, typeName, score, rankKey }) => ({
          highestScore: score,
          ranking: await rankOf({ appId, key, period: undefined }, rankKey),
          miniGameTypeName: typeName,
          miniGameTypeId: key === defaultGame ? null : key,
        })),
      )
    },
  }
}
export type RankingService = ReturnType<typeof rankingService>
