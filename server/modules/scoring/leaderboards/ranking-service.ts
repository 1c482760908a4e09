import { HttpError } from '../../../platform/errors.ts'
import type { RankProvider } from '../ranks/rank-provider.ts'
import type { TypeChoice } from '../schema.ts'
import type { GameTypes } from '../types/service.ts'
import { defaultGame } from '../types/store.ts'
import type { Best, RankingStore } from './ranking-store.ts'
import type { PlayerRanking } from './schema.ts'

type Deps = {
  store: RankingStore
  types: GameTypes
  /** Asked before SQL. */
  index: RankProvider
}

/** Who stands where: 1 + the number of players of the same app and type with a better highest score (1-2-2-4). */
export function rankingService({ store, types, index }: Deps) {
  async function ranked(appId: string, { typeKey, typeName, score, rankKey }: Best): Promise<PlayerRanking> {
    const known = await index.above(appId, typeKey, [rankKey])
    const above = known?.[0] ?? (await store.above(appId, typeKey, rankKey))
    return {
      highestScore: score,
      ranking: above + 1,
      miniGameTypeName: typeName,
      miniGameTypeId: typeKey === defaultGame ? null : typeKey,
    }
  }

  return {
    /** A player's rank on one board. @throws 404 for an unknown type or player, or one without a written score */
    async ofPlayer(appId: string, playerId: string, choice: TypeChoice): Promise<PlayerRanking> {
      const type = await types.choose(appId, choice)
      const typeKey = type?.id ?? defaultGame
      const best = await store.best(appId, playerId, typeKey)
      if (!best) throw new HttpError(404, 'Player not found or has no ranking')
      return ranked(appId, { ...best, typeKey, typeName: type?.name ?? null })
    },

    /** How many players are ranked on a board. */
    size: async (appId: string, typeKey: string): Promise<number> =>
      (await index.size(appId, typeKey)) ?? store.size(appId, typeKey),

    /** A player's ranks, one for each type with a written score: the default game first, then types by name. */
    async allOfPlayer(appId: string, playerId: string): Promise<PlayerRanking[]> {
      const bests = await store.bests(appId, playerId)
      return Promise.all(bests.map((best) => ranked(appId, best)))
    },
  }
}
export type RankingService = ReturnType<typeof rankingService>
