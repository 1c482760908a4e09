import { openDatabase } from '../../platform/database/database.ts'
import { boardCheck } from './board-check.ts'
import { countAboveEach, readBoard } from './board-reader.ts'
import { rankBoards } from './boards.ts'
import { scoreCalls } from './score-calls.ts'
import { scoreApplication, scoreConnections } from './score-connections.ts'
import { scoreWriter } from './score-writer.ts'

type Parts = {
  /** The primary. */
  url: string
  /** New with every start of the process: it tells our statements from those a crashed one left behind. */
  processId: string
  /** A board that could not be loaded or checked; ranks come from SQL meanwhile. */
  onError: (error: unknown) => void
  /** A rank that differed from the database; its board is rebuilt. Never to be expected. */
  onMismatch: (board: { appId: string; typeKey: string; key: number; index: number; database: number }) => void
  /** A score of a board was written, whether it moved a best or not. */
  onWrite?: (appId: string, typeKey: string) => void
}

/** Two lanes of score groups, batches and deletions beside them, two loads. */
const connectionsAtMost = 10
/** Shorter than what the client waits, so that a slow statement has a known outcome. */
const statementTimeoutMs = 10_000

/** The write path of scores and the rank indexes it feeds, on connections of their own. Nothing connects before the first use. */
export function openRanks({ url, processId, onError, onMismatch, onWrite }: Parts) {
  const applicationName = scoreApplication + processId
  const database = openDatabase({ url, applicationName, max: connectionsAtMost, statementTimeoutMs })
  const { pool } = database
  const connections = scoreConnections({ pool, applicationName })
  const boards = rankBoards({
    fence: connections.fence,
    read: (appId, typeKey) => readBoard(pool, appId, typeKey),
    onError,
    onWrite,
  })
  const calls = scoreCalls({ connections, boards })
  const writer = scoreWriter({ save: calls.save, saveGroup: calls.saveGroup })
  const check = boardCheck({
    boards,
    countAboveEach: (appId, typeKey, keys) => countAboveEach(pool, appId, typeKey, keys),
    settled: calls.settled,
    onMismatch,
    onError,
  })

  return {
    boards,
    calls,
    writer,
    /** Comparisons of ranks with the database since the start, and how many differed. */
    counters: check.counters,

    /** Begins to compare ranks with the database. */
    start: () => check.start(),

    /** Waits for the writes under way, then lets go of the connections. */
    async stop(): Promise<void> {
      check.stop()
      await calls.settled()
      await database.close()
    },
  }
}
