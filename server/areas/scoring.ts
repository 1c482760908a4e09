import type { FastifyPluginAsync } from 'fastify'
import { BOARD_TOPIC, boardNews } from '../modules/scoring/board-news.ts'
import { gameTypes } from '../modules/scoring/game-types.ts'
import { leaderboardStore } from '../modules/scoring/leaderboard-store.ts'
import { leaderboardService } from '../modules/scoring/leaderboards.ts'
import { APP_KEY, GAME_TYPE, liveBoards } from '../modules/scoring/live-boards.ts'
import { playerScoreStore } from '../modules/scoring/player-score-store.ts'
import { playerScoreService } from '../modules/scoring/player-scores.ts'
import { rankRebuild } from '../modules/scoring/rank-rebuild.ts'
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
import { publishChange } from '../platform/changes/feed.ts'
import type { Guards } from '../platform/credentials/guards.ts'
import { newId } from '../platform/ids.ts'
import type { Streams } from '../platform/live/streams.ts'
import type { Platform } from '../platform/parts.ts'

type Needs = {
  /** What leaderboards are streamed by. */
  streams: Streams
}

/** Mini game types, game sessions, scores, leaderboards and rankings. */
export function scoringArea(
  { database, reads, databaseUrl, changes, ownFiles, quotas, secrets, redis, log, metrics }: Platform,
  { streams }: Needs,
) {
  const { written } = ownFiles
  const boardsInSql = leaderboardStore(database.pool, { ownFiles })
  const streamsInSql = streamStore(database.pool)
  const live = liveBoards({
    read: boardsInSql.board,
    streams,
    onError: (error) => log.warn({ err: error }, 'a streamed leaderboard could not be read'),
  })
  streams.endWith(APP_KEY, streamsInSql.keysLeft)
  streams.endWith(GAME_TYPE, streamsInSql.typesLeft)
  metrics.gauge('cairn_leaderboard_streams', 'Leaderboard streams that are open', live.count)

  const processId = newId()
  const news = boardNews({
    processId,
    changes,
    publish: (subjects) => publishChange(database.kysely, BOARD_TOPIC, subjects),
    wroteElsewhere: live.wrote,
    wroteAny: live.wroteAny,
    onError: (error) => log.warn({ err: error }, 'other processes were not told which boards were written to'),
  })

  const ranks = openRanks({
    url: databaseUrl,
    processId,
    redis,
    onError: (error) => log.error({ err: error }, 'a rank index could not be loaded or checked'),
    onMismatch: (difference) => log.error(difference, 'a rank differed from the database; its board is rebuilt'),
    onWrite: (appId, typeKey) => {
      live.wrote(appId, typeKey)
      news.wrote(appId, typeKey)
    },
  })
  metrics.gauge(
    'cairn_rank_mismatches',
    'Ranks that differed from the database since the start',
    () => ranks.counters.mismatches,
  )
  const { shared } = ranks
  if (shared) {
    metrics.gauge('cairn_rank_redis_away', '1 while ranks come from the database because Redis cannot be told', () =>
      Number(shared.isOut()),
    )
    metrics.gauge('cairn_rank_loads', 'Boards this process loaded into Redis', () => shared.reads.loads)
    metrics.gauge('cairn_rank_found', 'Ranks that Redis answered', () => shared.reads.found)
    metrics.gauge(
      'cairn_rank_missed',
      'Ranks that Redis could not answer: they came from the database',
      () => shared.reads.missed,
    )
  }

  const typesInSql = typeStore(database.kysely, ownFiles)
  const types = gameTypes({ store: typesInSql, newId, most: quotas.gameTypes })
  const { deleteSession, removeFromSession, saveBatch } = ranks.calls
  const store = sessionStore(database.kysely, written)
  const sessions = sessionService({ store, types, newId, deleteWithScores: deleteSession })
  const sessionPlayers = sessionPlayerService({
    store: sessionPlayerStore(database.kysely, written),
    session: sessions.get,
    removeWithScore: removeFromSession,
  })
  const scores = scoreService({ save: ranks.writer.save, saveBatch, session: sessions.get, written })
  const rankings = rankingService({
    store: rankingStore(database.pool),
    types,
    index: ranks.boards,
  })
  const leaderboards = leaderboardService({
    store: leaderboardStore(reads.database.pool, { ownFiles, isReplicated: reads.replica !== undefined }),
    sessionBoards: sessionBoardStore(reads.database.pool, written),
    types,
    session: sessions.get,
    index: ranks.boards,
    size: rankings.size,
  })

  return {
    ranks,
    /** Works out every best again. */
    rebuild: rankRebuild(database.pool),
    globalRankings: rankings.allOfPlayer,
    /** Mounted under /api/v1/apps. */
    routes:
      (guards: Guards): FastifyPluginAsync =>
      async (app) => {
        app.addHook('onClose', async () => news.stop())
        await app.register(
          scoringRoutes({
            typeStore: typesInSql,
            types,
            sessions,
            sessionPlayers,
            scores,
            playerScores: playerScoreService({ store: playerScoreStore(database.kysely), types }),
            leaderboards,
            rankings,
            liveBoards: live,
            streamTokens: streamTokens({ secrets, store: streamsInSql }),
            guards,
          }),
        )
      },
  }
}
