import { setImmediate } from 'node:timers/promises'
import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import type { Actor, AuditLog } from '../../../platform/database/audit.ts'
import { databaseError, retryTransaction } from '../../../platform/database/database-errors.ts'
import { HttpError, invalid, unavailable } from '../../../platform/errors.ts'
import type { GameSession, MiniGameType, NewGameSession, TypeChoice } from '../schema.ts'
import type { ImportedScore, ImportOutcome } from '../scores/score-writes.ts'
import { defaultGame } from '../types/store.ts'
import {
  type Board,
  bannedPlayer,
  boardOf,
  checkRow,
  improves,
  notBetter,
  notWritten,
  outOfBounds,
  type Refused,
  type Row,
  refuseRepeats,
  refuseSharedNames,
  unknownPlayer,
} from './check-rows.ts'
import type { Players } from './players.ts'
import { type FileRow, readScoreFile } from './read-file.ts'
import { reportOf } from './report.ts'
import type { ImportQuery, ImportReport } from './schema.ts'
import type { ImportStore } from './store.ts'
import { momentsBefore } from './values.ts'

type Deps = {
  store: ImportStore
  players: Players
  /** @throws 404, 400 */
  choose: (appId: string, choice: TypeChoice) => Promise<MiniGameType | undefined>
  createSession: (appId: string, session: NewGameSession) => Promise<GameSession>
  write: (appId: string, sessionId: string, scores: ImportedScore[]) => Promise<ImportOutcome[]>
  audit: AuditLog
  onError: (error: unknown) => void
}

export type ScoreFileUpload = { name: string | undefined; text: string }

/** Rows of a transaction. */
const BATCH = 500
/** Imports of a process that run at a time. */
const AT_ONCE = 2
const MAX_WAITING = 10

/** Imports the scores of a file. */
export function scoreImports({ store, players, choose, createSession, write, audit, onError }: Deps) {
  const limited = createConcurrencyLimiter({
    maxConcurrent: AT_ONCE,
    maxWaiting: MAX_WAITING,
    full: () => unavailable('Too many files of scores are being imported: retry later', 10),
  })

  /** Writes a batch, and notes for each of its rows what became of it. */
  async function writeBatch(appId: string, sessionId: string, batch: Row[], board: Board): Promise<void> {
    const scores = batch.map(({ playerId, score, at, isDated }) => ({ playerId: playerId!, score, at, isDated }))
    const outcomes = await retryTransaction(() => write(appId, sessionId, scores))
    batch.forEach((row, i) => {
      row.refused = refusalOf(outcomes[i]!, row, board)
    })
  }

  async function writeAll(appId: string, sessionId: string, rows: Row[], board: Board): Promise<void> {
    for (let at = 0; at < rows.length; at += BATCH) {
      const batch = rows.slice(at, at + BATCH)
      try {
        await writeBatch(appId, sessionId, batch, board)
      } catch (error) {
        onError(error)
        const isUnknown = error instanceof HttpError
        const refused = notWritten(
          isUnknown
            ? 'The database went away while this row was written: import the file again'
            : `This row could not be written${reasonOf(error)}: import the file again`,
        )
        for (const row of batch) row.refused = refused
        const later = notWritten('An earlier row could not be written: import the file again')
        for (const row of rows.slice(at + BATCH)) row.refused = later
        return
      }
    }
  }

  /** Skips the rows that are no better than what their players have. */
  async function refuseWorse(appId: string, typeKey: string, rows: Row[], board: Board): Promise<void> {
    for (let at = 0; at < rows.length; at += BATCH) {
      const batch = rows.slice(at, at + BATCH)
      const ids = batch.flatMap(({ playerId }) => playerId ?? [])
      const bests = await store.bests(appId, typeKey, ids)
      for (const row of batch) {
        const best = row.playerId === undefined ? undefined : bests.get(row.playerId)
        if (best && !improves(board, row, best)) row.refused = notBetter(board)
      }
    }
  }

  async function run(appId: string, { name, text }: ScoreFileUpload, query: ImportQuery, actor: Actor) {
    const type = await choose(appId, query)
    const board = boardOf(type)
    const file = await readScoreFile(text, query.format)
    if (query.board === undefined) refuseSeveralBoards(file.rows)

    const now = Date.now()
    const fallback = momentsBefore(now, file.rows.length)
    const rows: Row[] = []
    for (const found of file.rows) {
      // Where the last to reach a score is above, the first of the file is the last.
      const place = type?.ties === 'last' ? file.rows.length - 1 - rows.length : rows.length
      rows.push(checkRow(found, board, query.board, now, fallback(place)))
      if (rows.length % BATCH === 0) await setImmediate()
    }
    refuseSharedNames(rows, file.rows)
    const open = () => rows.filter((row) => !row.refused)

    await players.find(appId, open())
    if (!query.createPlayers) for (const row of open()) if (!row.playerId) row.refused = unknownPlayer(row.shownPlayer)
    refuseRepeats(rows, board, (row) => row.playerId ?? row.nameKey!)
    await refuseWorse(appId, type?.id ?? defaultGame, open(), board)

    let playersCreated = open().filter((row) => !row.playerId).length
    let gameSessionId: string | null = null
    if (!query.dryRun && open().length > 0) {
      const session = await createSession(appId, {
        miniGameTypeId: type?.id,
        name: `Import of ${name ?? 'scores'}`
          .replace(/\p{Cc}/gu, ' ')
          .slice(0, 255)
          .toWellFormed(),
        status: 'COMPLETED',
      })
      gameSessionId = session.id
      await audit.record([{ ...actor, action: 'leaderboard.imported', subject: session.id, appId }])
      playersCreated = await players.create(appId, open())
      await writeAll(appId, session.id, open(), board)
    }
    return reportOf({
      query,
      format: file.format,
      found: file.rows,
      rows,
      typeId: type?.id,
      gameSessionId,
      playersCreated,
    })
  }

  /**
   * Imports a file into a board, or only says what that would do. Rows with a fault do not stop the others.
   * @throws 404 for an unknown type, 400 and 413 for a file that cannot be read, 503 if too many are being imported
   */
  return (appId: string, upload: ScoreFileUpload, query: ImportQuery, actor: Actor): Promise<ImportReport> =>
    limited(() => run(appId, upload, query, actor), { sender: appId })
}
export type ScoreImports = ReturnType<typeof scoreImports>

/** Why a row was not written, if a client can know. */
function reasonOf(error: unknown): string {
  const known = databaseError(error)
  if (!known) return ''
  return known.status === 507 ? ', because the storage is full' : ', because the database is busy'
}

function refusalOf(outcome: ImportOutcome, { shownPlayer }: Row, board: Board): Refused | undefined {
  if (outcome === 'ok') return undefined
  if (outcome === 'not_better') return notBetter(board)
  if (outcome === 'out_of_bounds') return outOfBounds(board)
  if (outcome === 'banned') return bannedPlayer()
  if (outcome === 'no_player') return unknownPlayer(shownPlayer)
  return notWritten('The game session of the import was deleted meanwhile: import the file again')
}

/** @throws 400 */
function refuseSeveralBoards(rows: FileRow[]): void {
  const names = [...new Set(rows.flatMap(({ board }) => (board === undefined || board === '' ? [] : String(board))))]
  if (names.length < 2) return
  const some = names.slice(0, 10).map((name) => `"${name.slice(0, 60)}"`)
  const message = `The file has ${names.length} boards: choose one of ${some.join(', ')}${names.length > 10 ? ' and others' : ''}`
  throw invalid([{ code: 'board_required', message, path: ['board'] }])
}
