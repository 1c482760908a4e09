import type { FastifyInstance } from 'fastify'
import type { Database } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/logging/log.ts'
import { scheduleEvery } from '../../../platform/scheduler.ts'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import { historyCleanup } from '../history/history-cleanup.ts'
import { periodTable } from '../leaderboards/board-sql.ts'
import { leaderboardStore } from '../leaderboards/store.ts'
import { seasonEnd } from '../seasons/season-end.ts'
import type { SeasonStore } from '../seasons/store.ts'
import type { SegmentBoards } from '../segments/segment-boards.ts'
import type { PeriodBoards } from './period-boards.ts'
import { periodCleanup } from './period-cleanup.ts'

type Deps = {
  db: Database
  periods: PeriodBoards
  seasons: SeasonStore
  segments: SegmentBoards
  /** Tells all processes to discard the rank indexes of boards, named by app and key. */
  discard: (boards: string[]) => Promise<unknown>
  ownUrls: OwnUrls
  log: Log
}

const SEASONS_MS = 5_000
const CLEAN_MS = 60_000
const HISTORY_MS = 3_600_000

/** What periods need without a request: ends of seasons, boards that a process left unfilled, and old boards; and the end of histories. */
export function schedulePeriodWork(
  app: FastifyInstance,
  { db, periods, seasons, segments, discard, ownUrls, log }: Deps,
): void {
  const boards = leaderboardStore(db.pool, { ownUrls, table: periodTable })
  const cleanUp = periodCleanup({ pool: db.pool, discard })
  scheduleEvery(app, {
    everyMs: SEASONS_MS,
    work: seasonEnd({ db: db.kysely, seasons, boards }),
    onError: (error) => log.error({ err: error }, 'failed to publish ended seasons'),
  })
  scheduleEvery(app, {
    everyMs: CLEAN_MS,
    work: async () => {
      await periods.finish()
      await segments.finish()
      await cleanUp()
    },
    onError: (error) => log.error({ err: error }, 'failed to remove leaderboards of past periods'),
  })
  scheduleEvery(app, {
    everyMs: HISTORY_MS,
    work: historyCleanup(db.pool),
    onError: (error) => log.error({ err: error }, 'failed to remove old scores from the history'),
  })
}
