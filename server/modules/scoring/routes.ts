import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { scoreHistoryRoutes } from './history/routes.ts'
import type { ScoreHistory } from './history/score-history.ts'
import { hookRoutes } from './hooks/routes.ts'
import type { HookService } from './hooks/service.ts'
import { importRoutes } from './imports/routes.ts'
import type { ScoreImports } from './imports/service.ts'
import { leaderboardRoutes } from './leaderboards/routes.ts'
import type { LeaderboardService } from './leaderboards/service.ts'
import type { LiveBoards } from './live/live-boards.ts'
import { streamRoutes } from './live/stream-routes.ts'
import type { StreamTokens } from './live/stream-tokens.ts'
import { playerScoreRoutes } from './player-scores/player-score-routes.ts'
import type { PlayerScoreService } from './player-scores/player-score-service.ts'
import type { RankingService } from './rankings/ranking-service.ts'
import type { ScoreService } from './scores/service.ts'
import type { SeasonExport } from './seasons/export.ts'
import type { SeasonRecount } from './seasons/recount.ts'
import { seasonRecountRoutes } from './seasons/recount-routes.ts'
import { seasonRoutes } from './seasons/routes.ts'
import type { SeasonService } from './seasons/service.ts'
import type { SeasonStore } from './seasons/store.ts'
import { sessionRoutes } from './sessions/routes.ts'
import type { SessionService } from './sessions/service.ts'
import { sessionPlayerRoutes } from './sessions/session-player-routes.ts'
import type { SessionPlayerService } from './sessions/session-players.ts'
import { typeRoutes } from './types/routes.ts'
import type { GameTypes } from './types/service.ts'
import type { TypeStore } from './types/store.ts'

export type ScoringParts = {
  typeStore: TypeStore
  types: GameTypes
  sessions: SessionService
  sessionPlayers: SessionPlayerService
  scores: ScoreService
  hooks: HookService
  playerScores: PlayerScoreService
  scoreHistory: ScoreHistory
  seasonStore: SeasonStore
  seasons: SeasonService
  seasonExport: SeasonExport
  seasonRecount: SeasonRecount
  importScores: ScoreImports
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
      await keyed.register(scoreHistoryRoutes(parts))
      await keyed.register(leaderboardRoutes(parts))
      await keyed.register(seasonRoutes(parts))
      await keyed.register(importRoutes(parts))
    })
    await app.register(hookRoutes({ service: parts.hooks, guards: parts.guards }))
    await app.register(streamRoutes(parts))
    await app.register(seasonRecountRoutes(parts))
  }
