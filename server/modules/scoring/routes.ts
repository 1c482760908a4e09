import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { GameTypes } from './game-types.ts'
import { leaderboardRoutes } from './leaderboard-routes.ts'
import type { LeaderboardService } from './leaderboards.ts'
import type { LiveBoards } from './live-boards.ts'
import { playerScoreRoutes } from './player-score-routes.ts'
import type { PlayerScoreService } from './player-scores.ts'
import type { RankingService } from './rankings.ts'
import type { ScoreService } from './scores.ts'
import type { SessionService } from './service.ts'
import { sessionPlayerRoutes } from './session-player-routes.ts'
import type { SessionPlayerService } from './session-players.ts'
import { sessionRoutes } from './session-routes.ts'
import { streamRoutes } from './stream-routes.ts'
import type { StreamTokens } from './stream-tokens.ts'
import { typeRoutes } from './type-routes.ts'
import type { TypeStore } from './type-store.ts'

export type ScoringParts = {
  typeStore: TypeStore
  types: GameTypes
  sessions: SessionService
  sessionPlayers: SessionPlayerService
  scores: ScoreService
  playerScores: PlayerScoreService
  leaderboards: LeaderboardService
  rankings: RankingService
  liveBoards: LiveBoards
  streamTokens: StreamTokens
  guards: Guards
}

/** Mounted under /api/v1/apps. Everything here needs an app's key (the stream: or a token made with one) and sees that app alone. */
export const scoringRoutes =
  (parts: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(async (keyed) => {
      keyed.addHook('onRequest', parts.guards.app)
      await keyed.register(typeRoutes(parts))
      await keyed.register(sessionRoutes(parts))
      await keyed.register(sessionPlayerRoutes(parts))
      await keyed.register(playerScoreRoutes(parts))
      await keyed.register(leaderboardRoutes(parts))
    })
    await app.register(streamRoutes(parts))
  }
