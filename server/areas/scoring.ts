import { gameTypes } from '../modules/scoring/game-types.ts'
import { leaderboardStore } from '../modules/scoring/leaderboard-store.ts'
import { leaderboardService } from '../modules/scoring/leaderboards.ts'
import { liveBoards } from '../modules/scoring/live-boards.ts'
import { rankingStore } from '../modules/scoring/ranking-store.ts'
import { rankingService } from '../modules/scoring/rankings.ts'
import { openRanks } from '../modules/scoring/ranks.ts'
import { scoringRoutes } from '../modules/scoring/routes.ts'
import { scoreService } from '../modules/scoring/scores.ts'
import { sessionService } from '../modules/scoring/service.ts'
import { sessionBoardStore } from '../modules/scoring/session-board-store.ts'
import { sessionPlayerStore } from '../modules/scoring/session-player-store.ts'
import { sessionPlayerService } from '../modules/scoring/session-players.ts'
import { sessionStore } from '../modules/scoring/store.ts'
import { streamStore } from '../modules/scoring/stream-store.ts'
import { streamTokens } from '../modules/scoring/stream-tokens.ts'
import { typeStore } from '../modules/scoring/type-store.ts'
import type { Guards } from '../platform/credentials/guards.ts'
import { newId } from '../platform/ids.ts'
import type { Platform } from '../platform/parts.ts'

/** Mini game types, game sessions, scores, leaderboards and rankings. */
export function scoringArea({ database, databaseUrl, secrets, log, metrics }: Platform) {
  const boardsInSql = leaderboardStore(database.pool)
  const streams = streamStore(database.pool)
  const live = liveBoards({
    read: boardsInSql.board,
    stillThere: streams.stillThere,
    onError: (error) => log.warn({ err: error }, 'a streamed leaderboard could not be read'),
  })
  metrics.gauge('cairn_leaderboard_streams', 'Leaderboard streams that are open', live.count)

  const ranks = openRanks({
    url: databaseUrl,
    processId: newId(),
    onError: (error) => log.error({ err: error }, 'a rank index could not be loaded or checked'),
    onMismatch: (difference) => log.error(difference, 'a rank differed from the database; its board is rebuilt'),
    onWrite: live.wrote,
  })
  metrics.gauge(
    'cairn_rank_mismatches',
    'Ranks that differed from the database since the start',
    () => ranks.counters.mismatches,
  )

  const typesInSql = typeStore(database.kysely)
  const types = gameTypes({ store: typesInSql, newId })
  const { deleteSession, removeFromSession, saveBatch } = ranks.calls
  const store = sessionStore(database.kysely)
  const sessions = sessionService({ store, types, newId, deleteWithScores: deleteSession })
  const sessionPlayers = sessionPlayerService({
    store: sessionPlayerStore(database.kysely),
    session: sessions.get,
    removeWithScore: removeFromSession,
  })
  const scores = scoreService({ save: ranks.writer.save, saveBatch, session: sessions.get })
  const rankings = rankingService({
    store: rankingStore(database.pool),
    types,
    aboveInMemory: ranks.boards.above,
    sizeInMemory: ranks.boards.size,
  })
  const leaderboards = leaderboardService({
    store: boardsInSql,
    sessionBoards: sessionBoardStore(database.pool),
    types,
    session: sessions.get,
    aboveInMemory: ranks.boards.above,
    size: rankings.size,
  })

  return {
    ranks,
    globalRankings: rankings.allOfPlayer,
    /** Mounted under /api/v1/apps. */
    routes: (guards: Guards) =>
      scoringRoutes({
        typeStore: typesInSql,
        types,
        sessions,
        sessionPlayers,
        scores,
        leaderboards,
        rankings,
        liveBoards: live,
        streamTokens: streamTokens({ secrets, store: streams }),
        guards,
      }),
  }
}
