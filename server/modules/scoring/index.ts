import type { FastifyPluginAsync } from 'fastify'
import { publishChange } from '../../platform/changes/feed.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import { newId } from '../../platform/ids.ts'
import { APP_KEY } from '../../platform/live/record-stream.ts'
import type { Streams } from '../../platform/live/streams.ts'
import { newSecret } from '../../platform/outbound/signature.ts'
import type { Platform } from '../../platform/platform.ts'
import { quotaExceeded } from '../../platform/quotas.ts'
import { boardQueries } from './computed/board-queries.ts'
import { unmadeBoards } from './computed/unmade-boards.ts'
import { pastBoards } from './history/past-boards.ts'
import { scoreHistory } from './history/score-history.ts'
import { createHooks } from './hooks/hooks.ts'
import { HOOK_SECRETS } from './hooks/questions.ts'
import { importPlayers } from './imports/players.ts'
import { scoreImports } from './imports/service.ts'
import { importStore } from './imports/store.ts'
import { ruleCache } from './judging/rule-cache.ts'
import { ruleStore } from './judging/rule-store.ts'
import { type Board, boardChoice } from './leaderboards/board-choice.ts'
import { boardTables, periodTable, storesOf } from './leaderboards/board-sql.ts'
import { leaderboardService } from './leaderboards/service.ts'
import { sessionBoardStore } from './leaderboards/session-board-store.ts'
import { leaderboardStore } from './leaderboards/store.ts'
import { topReader } from './leaderboards/top-reader.ts'
import { BOARD_TOPIC, boardChangePublisher } from './live/board-change-publisher.ts'
import { GAME_TYPE, liveBoards } from './live/live-boards.ts'
import { streamStore } from './live/stream-store.ts'
import { streamTokens } from './live/stream-tokens.ts'
import { boardFills } from './periods/board-fill.ts'
import { periodBoards } from './periods/period-boards.ts'
import { periodStore } from './periods/period-store.ts'
import { schedulePeriodWork } from './periods/schedule.ts'
import { timeZoneCheck } from './periods/time-zones.ts'
import { playerScoreService } from './player-scores/player-score-service.ts'
import { playerScoreStore } from './player-scores/player-score-store.ts'
import { hiddenScoreStore } from './rankings/hidden-score-store.ts'
import { rankingService } from './rankings/ranking-service.ts'
import { rankingStore } from './rankings/ranking-store.ts'
import { topsForServing } from './ranks/coordinator/coordinator-tops.ts'
import { rankRebuild } from './ranks/rank-rebuild.ts'
import { DELETED_BOARDS, ranksOfProcess } from './ranks/ranks-of-process.ts'
import { followShown } from './ranks/tops/follow-shown.ts'
import { scoringRoutes } from './routes.ts'
import { scoreService } from './scores/service.ts'
import { seasonExport } from './seasons/export.ts'
import { type RecountDeps, seasonRecount } from './seasons/recount.ts'
import { seasonService } from './seasons/service.ts'
import { seasonStore } from './seasons/store.ts'
import { segmentBoards } from './segments/segment-boards.ts'
import { segmentStore } from './segments/segment-store.ts'
import { sessionService } from './sessions/service.ts'
import { sessionPlayerStore } from './sessions/session-player-store.ts'
import { sessionPlayerService } from './sessions/session-players.ts'
import { sessionStore } from './sessions/store.ts'
import { keptTypes } from './types/kept-types.ts'
import { gameTypes } from './types/service.ts'
import { defaultGame, typeStore } from './types/store.ts'

type Deps = {
  /** What leaderboards are streamed by. */
  streams: Streams
  /** Called for each score that a player reached, with the mini game type. */
  played: (appId: string, typeKey: string, playerId: string) => void
}

export type { LeaderboardEntry } from './leaderboards/schema.ts'
export type { Statement } from './scores/score-connections.ts'

export type Scoring = ReturnType<typeof createScoring>

/** Mini game types, game sessions, scores, leaderboards and rankings. */
export function createScoring(platform: Platform, { streams, played }: Deps) {
  const { config, audit, database, searches, reads, changes, ownUrls, quotas, secrets, log, metrics, network } =
    platform
  const { written } = ownUrls
  const boardsInSql = leaderboardStore(database.reading.pool, { ownUrls })
  const streamsInSql = streamStore(database.reading.pool)
  const live = liveBoards({
    read: boardsInSql.board,
    streams,
    onError: (error) => log.warn({ err: error }, 'failed to read a streamed leaderboard'),
  })
  streams.endWith(APP_KEY, streamsInSql.keysLeft)
  streams.endWith(GAME_TYPE, streamsInSql.typesLeft)
  metrics.gauge('cairn_leaderboard_streams', 'Leaderboard streams that are open', live.count)

  const processId = newId()
  const news = boardChangePublisher({
    processId,
    changes,
    publish: (subjects) => publishChange(database.kysely, BOARD_TOPIC, subjects),
    wroteElsewhere: live.wrote,
    wroteAny: live.wroteAny,
    onError: (error) => log.warn({ err: error }, 'failed to notify other processes of changed boards'),
  })

  const ranks = ranksOfProcess(platform, { processId, live, news, played })
  const { boards, tops } = ranks

  const typesInSql = typeStore(database.kysely, ownUrls)
  const checkTimeZone = timeZoneCheck(database.pool)
  const hooks = createHooks({ config, database, audit, network, secrets, metrics, log })
  const rules = ruleCache({ ...ruleStore(database.kysely), hooks: hooks.store.enabled })
  if (config.CAIRN_ROLE !== 'worker')
    changes.listen('judging', (appIds) => appIds.forEach(rules.forget), rules.forgetAll)
  const fills = boardFills({ onError: (error) => log.error({ err: error }, 'failed to fill a leaderboard') })
  const segments = segmentBoards({
    store: segmentStore({ pool: database.pool, refresh: ranks.calls.refreshSegments }),
    fills,
    onError: (error) => log.error({ err: error }, 'failed to fill the leaderboards of segments'),
  })
  const types = gameTypes({
    store: typesInSql,
    newId,
    most: quotas.gameTypes,
    checkTimeZone,
    rulesChanged: rules.forget,
    typeChanged: (appId) => chosen.forget(appId),
    segmentsChanged: segments.start,
  })
  const chosen = keptTypes(types)
  if (tops && config.CAIRN_ROLE !== 'worker') followShown(changes, { tops, types: chosen })
  const { deleteSession, removeFromSession, saveBatch, saveJudged, correct, review } = ranks.calls
  const store = sessionStore(database, { written })
  const sessions = sessionService({ store, types, newId, deleteWithScores: deleteSession })
  const sessionPlayers = sessionPlayerService({
    store: sessionPlayerStore(database, written),
    session: sessions.get,
    removeWithScore: removeFromSession,
  })
  const scores = scoreService({
    save: ranks.writer.save,
    saveBatch,
    saveJudged,
    correct,
    judging: rules.judging,
    decide: hooks.questions.decide,
    mostHeld: quotas.heldScores,
    session: sessions.get,
    written,
  })
  const importsInSql = importStore(database.kysely)
  const importScores = scoreImports({
    store: importsInSql,
    players: importPlayers({ store: importsInSql, newId }),
    choose: types.choose,
    createSession: sessions.create,
    write: ranks.calls.importBatch,
    audit,
    onError: (error) => log.error({ err: error }, 'failed to write scores of a file'),
  })
  const seasonsInSql = seasonStore(database.kysely)
  const periods = periodBoards({
    store: periodStore(database.pool),
    fills,
    onError: (error) => log.error({ err: error }, 'failed to fill the leaderboard of a period'),
  })
  const choose = boardChoice({ types: tops ? chosen : types, periods, seasons: seasonsInSql, segments })
  const query = boardQueries(searches.pool)
  const past = pastBoards({ pool: searches.pool, query, written })
  const unmade = unmadeBoards({ query, written })
  const computed = (board: Board) => (board.at ? past(board, board.at) : board.unmade ? unmade(board) : undefined)
  const playerScoresInSql = playerScoreStore(database.kysely)
  const hiddenScores = hiddenScoreStore(database.reading.pool, written)
  const isReplicated = reads.replica !== undefined
  const rankings = rankingService({
    hiddenScores,
    stores: storesOf((kind) => rankingStore(database.reading.pool, boardTables[kind])),
    choose,
    computed,
    index: boards,
    tops: isReplicated ? undefined : tops,
  })
  const stores = storesOf((kind) =>
    kind === 'types'
      ? leaderboardStore(reads.database.pool, { ownUrls, isReplicated })
      : // On the primary: a board may be made by the request that reads it.
        leaderboardStore(database.reading.pool, { ownUrls, table: boardTables[kind] }),
  )
  // A replica may be behind what the process has written.
  const readTop = topReader({ stores, tops: isReplicated ? undefined : tops, elsewhere: ranks.topsElsewhere?.read })
  if (platform.servingProcesses && tops)
    topsForServing(platform.servingProcesses, tops, (appId, key, limit) =>
      readTop({ appId, key, wholeKey: key, typeKey: key, type: undefined, period: undefined }, limit),
    )
  const leaderboards = leaderboardService({
    stores,
    readTop,
    choose,
    computed,
    sessionBoards: sessionBoardStore(reads.database.pool, written),
    session: sessions.get,
    index: boards,
    hiddenScores,
    size: rankings.size,
    rankOutside: rankings.rankOutside,
  })

  return {
    ranks,
    /** A new secret of a score hook, encrypted as it is stored. */
    newHookSecret: () => secrets.seal(HOOK_SECRETS, newSecret()),
    /** For what other modules score. */
    moveBest: ranks.calls.move,
    createSession: sessions.create,
    removeSession: sessions.remove,
    reviewScore: review,
    typeKeyOf: types.keyOf,
    defaultGame,
    checkTimeZone,
    /** The sort order of a mini game type; undefined without it. */
    sortOrderOf: async (appId: string, typeId: string) => (await typesInSql.get(appId, typeId))?.sortOrder,
    /** Works out every best again. */
    rebuild: rankRebuild(database.pool),
    globalRankings: rankings.allOfPlayer,
    /** A leaderboard, as a request for it reads it. */
    boardOfType: leaderboards.ofType,
    routes:
      (guards: Guards, { assertRole }: Pick<RecountDeps, 'assertRole'>): FastifyPluginAsync =>
      async (app) => {
        app.addHook('onClose', async () => news.stop())
        app.addHook('onClose', async () => hooks.close())
        schedulePeriodWork(app, {
          db: database,
          periods,
          seasons: seasonsInSql,
          segments,
          discard: (keys) => publishChange(database.kysely, DELETED_BOARDS, keys),
          ownUrls,
          log,
        })
        await app.register(
          scoringRoutes({
            typeStore: typesInSql,
            types,
            sessions,
            sessionPlayers,
            scores,
            hooks: hooks.service({ types, assertRole, changed: rules.forget }),
            playerScores: playerScoreService({ store: playerScoresInSql, types }),
            scoreHistory: scoreHistory({ db: database.kysely, types, hasPlayer: playerScoresInSql.hasPlayer }),
            seasonStore: seasonsInSql,
            seasons: seasonService({
              store: seasonsInSql,
              types,
              periods,
              checkTimeZone,
              newId,
              most: quotas.seasons,
              tooMany: () => quotaExceeded('seasons', quotas.seasons),
            }),
            seasonRecount: seasonRecount({ db: database.kysely, audit, boards, assertRole }),
            seasonExport: seasonExport(leaderboardStore(database.pool, { ownUrls, table: periodTable })),
            importScores,
            leaderboards,
            rankings,
            liveBoards: live,
            streamTokens: streamTokens({ secrets, store: streamsInSql }),
            guards,
          }),
          { prefix: '/api/v1/apps' },
        )
      },
  }
}
