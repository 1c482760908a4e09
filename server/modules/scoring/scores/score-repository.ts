import { inBatches } from '../../../platform/database/query/batches.ts'
import { UnknownOutcome } from '../../../platform/errors.ts'
import type { PlayerAttributes, StandingChange } from '../../players/schema.ts'
import type { BoardChange, RankKeeper } from '../ranks/rank-provider.ts'
import { refuseScore, withoutScore } from './hidden-changes.ts'
import { inDatabase } from './metadata.ts'
import type { ScoreConnections, Statement } from './score-connections.ts'
import {
  deleteHistory,
  HISTORY_BATCH,
  importBatch,
  saveBatch,
  saveGroup,
  saveJudged,
  saveOne,
  withSegmentMoves,
} from './score-statements.ts'
import type {
  BatchResult,
  CorrectedScore,
  ImportedScore,
  ImportOutcome,
  JudgedResult,
  JudgedScore,
  Outcome,
  ReviewedScore,
  ScoreItem,
  ScoreResult,
} from './score-writes.ts'

/** What a write did to a player's best on the board of a period. */
type PeriodMove = { board: string; from: number | null; to: number | null; version: number }
type Moved = {
  type_key: string
  old_best: number | null
  new_best?: number | null
  version: number
  xid: string | null
  periods?: PeriodMove[] | null
  /** In the first row: what triggers did to the boards of segments, as JSON with commas between. */
  segmentMoves?: string | null
}
type ItemRow = Moved & ScoreResult & { n: number | null }

type Deps = {
  connections: ScoreConnections
  boards: Pick<RankKeeper, 'ready' | 'apply' | 'unload'>
  /** Called for each score that a player reached. */
  played?: ((appId: string, typeKey: string, playerId: string) => void) | undefined
}
/** The statements of scores that players reached now. */
const PLAYS = new Set(['save_score', 'save_scores_group', 'save_scores', 'save_judged_scores', 'record_check_in'])
/** The player whose best a row changes. */
type Whose = { appId: string; playerId: string }

/** The player of each row. */
export type PlayerOf<Row> = { id: string } | { column: keyof Row & string }

/**
 * The statements that move players' bests. Each applies what it did to the boards before it answers, and unloads the
 * boards it may have touched when its outcome is not known.
 */
export function scoreRepository({ connections, boards, played }: Deps) {
  const underWay = new Set<Promise<unknown>>()

  function call<Row extends Moved>(statement: Statement, appIds: string[], whose: (row: Row) => Whose): Promise<Row[]> {
    const answer = (async () => {
      try {
        const ready = boards.ready()
        if (ready) await ready
        const rows = await connections.run<Row>(withSegmentMoves(statement))
        const changes: BoardChange[] = []
        for (const row of rows) {
          if (row.xid === null) continue // nothing was written for this row
          const { appId, playerId } = whose(row)
          const { type_key: boardKey, old_best: from, new_best: to = null, version } = row
          const xid = Number(row.xid)
          const isHidden = version < 0
          if (played && PLAYS.has(statement.name)) played(appId, boardKey, playerId)
          const add = (change: BoardChange) => changes.push(isHidden ? withoutScore(change) : change)
          add({ appId, boardKey, playerId, from, to, xid, version })
          for (const { board, ...move } of row.periods ?? []) add({ appId, boardKey: board, playerId, ...move, xid })
        }
        for (const move of JSON.parse(`[${rows[0]?.segmentMoves ?? ''}]`) as BoardChange[])
          changes.push(move.version < 0 ? withoutScore(move) : move)
        const applied = boards.apply(changes)
        if (applied) await applied
        return rows
      } catch (error) {
        if (error instanceof UnknownOutcome) {
          const unloaded = boards.unload(new Set(appIds))
          if (unloaded) await unloaded
        }
        throw error
      }
    })()
    underWay.add(answer)
    const done = () => underWay.delete(answer)
    answer.then(done, done)
    return answer
  }

  return {
    /** One score in a transaction of its own. @throws 403 for a banned player */
    async save(item: ScoreItem): Promise<ScoreResult> {
      const { appId, sessionId, playerId, score, metadata } = item
      const values = [appId, sessionId, playerId, score, inDatabase(metadata)]
      const statement = { name: 'save_score', text: saveOne, values }
      const [row] = await call<ItemRow>(statement, [appId], () => item).catch(refuseScore)
      return row!
    },

    /** Scores of any apps in one transaction; one result an item, in the same order. */
    async saveGroup(items: ScoreItem[]): Promise<ScoreResult[]> {
      const values = [
        items.map((item) => item.appId),
        items.map((item) => item.sessionId),
        items.map((item) => item.playerId),
        items.map((item) => item.score),
        metadataOf(items),
      ]
      const statement = { name: 'save_scores_group', text: saveGroup, values }
      return call<ItemRow>(statement, values[0] as string[], (row) => items[row.n! - 1]!)
    },

    /** Scores of one session, all or nothing: all results are `ok`, or they name what is at fault. Players must not repeat. @throws 403 for a banned player */
    async saveBatch(
      appId: string,
      sessionId: string,
      scores: Pick<ScoreItem, 'playerId' | 'score' | 'metadata'>[],
    ): Promise<BatchResult[]> {
      const players = scores.map((item) => item.playerId)
      const values = [appId, sessionId, players, scores.map((item) => item.score), metadataOf(scores)]
      const rows = await call<ItemRow>({ name: 'save_scores', text: saveBatch, values }, [appId], (row) => ({
        appId,
        playerId: scores[row.n! - 1]!.playerId,
      })).catch(refuseScore)
      return rows.map((row) => ({ ...row, item: row.n === null ? null : row.n - 1 }))
    },

    /** Writes scores that were reached elsewhere, as far as they are better. Outcomes in the order of the scores. Players must not repeat. */
    async importBatch(appId: string, sessionId: string, scores: ImportedScore[]): Promise<ImportOutcome[]> {
      const players = scores.map(({ playerId }) => playerId)
      const column = <Name extends keyof ImportedScore>(name: Name) => scores.map((score) => score[name])
      const values = [appId, sessionId, players, column('score'), column('at'), column('isDated')]
      const statement = { name: 'import_scores', text: importBatch, values }
      const rows = await call<Moved & { n: number; outcome: ImportOutcome }>(statement, [appId], ({ n }) => ({
        appId,
        playerId: players[n - 1]!,
      }))
      const outcomes: ImportOutcome[] = []
      for (const { n, outcome } of rows) outcomes[n - 1] = outcome
      return outcomes
    },

    /** The same for a type with rules: what breaks one is held. @param quota of held scores: of the app, of one player */
    async saveJudged(
      appId: string,
      sessionId: string,
      scores: JudgedScore[],
      quota: { app: number; player: number },
    ): Promise<JudgedResult[]> {
      const column = <T>(of: (item: JudgedScore) => T) => scores.map(of)
      const values = [
        appId,
        sessionId,
        column(({ playerId }) => playerId),
        column(({ score }) => score),
        column(({ metadata }) => inDatabase(metadata)),
        quota.app,
        quota.player,
        column(({ hold }) => hold ?? null),
      ]
      const statement = { name: 'save_judged_scores', text: saveJudged, values }
      const rows = await call<Moved & JudgedResult & { n: number | null }>(statement, [appId], (row) => ({
        appId,
        playerId: scores[row.n! - 1]!.playerId,
      })).catch(refuseScore)
      return rows.map((row) => ({ ...row, item: row.n === null ? null : row.n - 1 }))
    },

    /** Accepts or rejects a held score. @returns the outcome of `review_score` */
    async review({ appId, id, state, note, actor, address }: ReviewedScore): Promise<string> {
      const text = 'select * from review_score($1, $2, $3, $4, $5, $6)'
      const statement = { name: 'review_score', text, values: [appId, id, state, note, actor, address] }
      const [row] = await call<Moved & { outcome: string; player_id: string }>(statement, [appId], (reviewed) => ({
        appId,
        playerId: reviewed.player_id,
      })).catch(refuseScore)
      return row!.outcome
    },

    /** Replaces a score of a session in any state. @throws 403 for a banned player */
    async correct({ appId, sessionId, playerId, score, metadata, actor, address }: CorrectedScore): Promise<Outcome> {
      const text = 'select * from correct_score($1, $2, $3, $4, $5, $6, $7)'
      const values = [appId, sessionId, playerId, score, inDatabase(metadata), actor, address]
      const [row] = await call<Moved & { outcome: Outcome }>({ name: 'correct_score', text, values }, [appId], () => ({
        appId,
        playerId,
      })).catch(refuseScore)
      return row!.outcome
    },

    /** @returns `ok`, `no_session` or `not_registered` */
    async removeFromSession(appId: string, sessionId: string, playerId: string): Promise<Outcome> {
      const text = 'select * from remove_player_from_session($1, $2, $3)'
      const statement = { name: 'remove_player_from_session', text, values: [appId, sessionId, playerId] }
      const [row] = await call<Moved & { outcome: Outcome }>(statement, [appId], () => ({ appId, playerId }))
      return row!.outcome
    },

    /** Deletes a session with its scores. One that is not there is no error. */
    async deleteSession(appId: string, sessionId: string): Promise<void> {
      const statement = {
        name: 'delete_session',
        text: 'select * from delete_session($1, $2)',
        values: [appId, sessionId],
      }
      await call<Moved & { player_id: string }>(statement, [appId], (row) => ({ appId, playerId: row.player_id }))
    },

    /** Deletes a player with all its scores. One that is not there is no error. */
    async deletePlayer(appId: string, playerId: string): Promise<void> {
      await inBatches(HISTORY_BATCH, async () => {
        const values = [appId, playerId]
        return (await connections.run<{ gone: number }>({ name: 'delete_history', text: deleteHistory, values }))[0]!
          .gone
      })
      const statement = {
        name: 'delete_player',
        text: 'select * from delete_player($1, $2)',
        values: [appId, playerId],
      }
      await call<Moved>(statement, [appId], () => ({ appId, playerId }))
    },

    /**
     * Runs the statement of another module that writes what it has to and moves a player's best. Its rows have the
     * columns of a move; without a move, `xid` is null. @param player its id, or the column that has it
     */
    move: <Row>(statement: Statement, appId: string, player: PlayerOf<Row>): Promise<Row[]> =>
      call<Moved & Row>(statement, [appId], (row) => ({
        appId,
        playerId: 'id' in player ? player.id : String(row[player.column]),
      })),

    /** Sets the standing of a player, takes its scores off boards or brings them back, and writes the audit entry. */
    async setStanding({ appId, playerId, standing, note, actor, address }: StandingChange): Promise<void> {
      const statement = {
        name: 'set_standing',
        text: 'select * from set_standing($1, $2, $3, $4, $5, $6)',
        values: [appId, playerId, standing, note, actor, address],
      }
      await call<Moved>(statement, [appId], () => ({ appId, playerId }))
    },

    /** Gives players of a type the segments of their attributes, on boards that had not ended at a moment: now, if null. */
    async refreshSegments(appId: string, typeKey: string, players: string[], since: string | null): Promise<void> {
      const text = 'select null as xid from refresh_segments_since($1, $2, $3, $4)'
      const values = [appId, typeKey, players, since]
      await call<Moved>({ name: 'refresh_segments', text, values }, [appId], noPlayer)
    },

    /** Replaces the attributes of a player; null removes them. @returns whether the player exists */
    async setAttributes(appId: string, playerId: string, attributes: PlayerAttributes | null): Promise<boolean> {
      const text = 'select null as xid, found from set_attributes($1, $2, $3) found'
      const statement = { name: 'set_attributes', text, values: [appId, playerId, attributes] }
      return (await call<Moved & { found: boolean }>(statement, [appId], noPlayer))[0]!.found
    },

    /** Resolves when every statement now under way has been answered and its changes applied. */
    async settled(): Promise<void> {
      await Promise.allSettled(underWay)
    },
  }
}

/** Null if no score has any, so that nothing is sent for each of them. */
const metadataOf = (items: Pick<ScoreItem, 'metadata'>[]): (string | null)[] | null =>
  items.some(({ metadata }) => metadata) ? items.map(({ metadata }) => inDatabase(metadata)) : null

/** Of statements whose moves are those of segments alone. */
const noPlayer = () => ({ appId: '', playerId: '' })
