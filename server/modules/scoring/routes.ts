import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/guards.ts'
import type { GameTypes } from './game-types.ts'
import { leaderboardRoutes } from './leaderboard-routes.ts'
import type { RankingStore } from './ranking-store.ts'
import type { RankingService } from './rankings.ts'
import type { ScoreService } from './scores.ts'
import type { SessionService } from './service.ts'
import { sessionPlayerRoutes } from './session-player-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { typeRoutes } from './type-routes.ts'
import type { TypeStore } from './type-store.ts'

export type ScoringParts = {
  typeStore: TypeStore
  types: GameTypes
  sessions: SessionService
  scores: ScoreService
  rankingStore: RankingStore
  rankings: RankingService
  guards: Guards
}

/** Mounted under /api/v1/apps. Everything here needs an app's key and sees that app alone. */
export const scoringRoutes =
  (parts: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', parts.guards.app)
    await app.register(typeRoutes(parts))
    await app.register(sessionRoutes(parts))
    await app.register(sessionPlayerRoutes(parts))
    await app.register(leaderboardRoutes(parts))
  }
