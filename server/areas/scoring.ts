import { gameTypes } from '../modules/scoring/game-types.ts'
import { rankingStore } from '../modules/scoring/ranking-store.ts'
import { rankingService } from '../modules/scoring/rankings.ts'
import { openRanks } from '../modules/scoring/ranks.ts'
import { scoringRoutes } from '../modules/scoring/routes.ts'
import { scoreService } from '../modules/scoring/scores.ts'
import { sessionService } from '../modules/scoring/service.ts'
import { sessionStore } from '../modules/scoring/store.ts'
import { typeStore } from '../modules/scoring/type-store.ts'
import type { Guards } from '../platform/guards.ts'
import { newId } from '../platform/ids.ts'
import type { Platform } from '../platform/parts.ts'

/** Mini game types, game sessions, scores, leaderboards and rankings. */
export function scoringArea({ database, databaseUrl, log, metrics }: Platform) {
  const ranks = openRanks({
    url: databaseUrl,
    processId: newId(),
    onError: (error) => log.error({ err: error }, 'a rank index could not be loaded or checked'),
    onMismatch: (difference) => log.error(difference, 'a rank differed from the database; its board is rebuilt'),
  })
  metrics.gauge(
    'cairn_rank_mismatches',
    'Ranks that differed from the database since the start',
    () => ranks.counters.mismatches,
  )

  const types = typeStore(database.kysely)
  const typesOfGames = gameTypes({ store: types, newId })
  const sessions = sessionService({ store: sessionStore(database.kysely), types: typesOfGames, newId })
  const scores = scoreService({ save: ranks.writer.save, saveBatch: ranks.calls.saveBatch, session: sessions.get })
  const rankingsInSql = rankingStore(database.pool)
  const rankings = rankingService({ store: rankingsInSql, types: typesOfGames, aboveInMemory: ranks.boards.above })

  return {
    ranks,
    globalRankings: rankings.allOfPlayer,
    /** Mounted under /api/v1/apps. */
    routes: (guards: Guards) =>
      scoringRoutes({
        typeStore: types,
        types: typesOfGames,
        sessions,
        scores,
        rankingStore: rankingsInSql,
        rankings,
        guards,
      }),
  }
}
