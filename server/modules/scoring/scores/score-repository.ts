import type { Actor } from '../../../platform/database/audit.ts'
import type { BoardChange, RankKeeper } from '../ranks/rank-provider.ts'
import { type ScoreConnections, type Statement, UnknownOutcome } from './score-connections.ts'

export type ScoreItem = { appId: string; sessionId: string; playerId: string; score: number }
export type Outcome = 'ok' | 'no_session' | 'not_running' | 'out_of_bounds' | 'not_registered'
/** A score that its type's rules judge. */
export type JudgedScore = { playerId: string; score: number; metadata?: object | undefined }
/** The decision about a held score, and who made it. */
export type ReviewedScore = Actor & { appId: string; id: string; state: 'accepted' | 'rejected'; note: string | null }

/** The outcome of one score, and its player, so that the response needs no second query. */
export type ScoreResult = {
  outcome: Outcome
  createdAt: string | null
  updatedAt: string | null
  displayName: string | null
  imageUrl: string | null
  userId: string | null
  username: string | null
}
/** `item` is the place in the batch, from 0; null: the fault is the session's. */
export type BatchResult = ScoreResult & { item: number | null }

/** `score` is that of the session, and unchanged if the new one is held; `reviewId` is the review of a held one. */
export type JudgedResult = Omit<BatchResult, 'outcome'> & {
  outcome: Outcome | 'held' | 'held_full' | 'held_too_many'
  score: number
  reviewId: string | null
}

/** What a write did to a player's best on the board of a period. */
type PeriodMove = { board: string; from: number | null; to: number | null; version: number }
type Moved = {
  type_key: string
  old_best: number | null
  new_best?: number | null
  version: number
  xid: string | null
  periods?: PeriodMove[] | null
}
type ItemRow = Moved & ScoreResult & { n: number | null }

const moved = 's.outcome, s.type_key, s.old_best, s.new_best, s.version, s.xid, s.periods'
const times = 's.created_at as "createdAt", s.updated_at as "updatedAt"'
const player = 'p.display_name as "displayName", p.image_url as "imageUrl", p.user_id as "userId", p.username'
/** Looked up row by row (`offset 0` keeps the planner from scanning all players to join them). */
const whose = (app: string, id: string) => `
  left join lateral (
    select p.display_name, p.image_url, p.user_id, u.username from players p left join users u on u.id = p.user_id
     where p.app_id = ${app} and p.id = ${id} offset 0) p on true`

const saveOne = `select ${moved}, ${times}, ${player} from save_score($1, $2, $3, $4) s ${whose('$1', '$3')}`
const saveGroup = `
  select s.n, ${moved}, ${times}, ${player} from save_scores_group($1::uuid[], $2, $3::uuid[], $4) s
  ${whose('($1::uuid[])[s.n]', '($3::uuid[])[s.n]')} order by s.n`
const saveBatch = `
  select s.n, ${moved}, ${times}, ${player} from save_scores($1, $2, $3::uuid[], $4) s
  ${whose('$1', '($3::uuid[])[s.n]')} order by s.n`
const saveJudged = `
  select s.n, s.held_id as "reviewId", s.score, ${moved}, ${times}, ${player}
    from save_judged_scores($1, $2, $3::uuid[], $4, $5, $6, $7) s
  ${whose('$1', '($3::uuid[])[s.n]')} order by s.n`

type Deps = { connections: ScoreConnections; boards: Pick<RankKeeper, 'ready' | 'apply' | 'unload'> }
/** The player whose best a row changes. */
type Whose = { appId: string; playerId: string }

/**
 * The statements that move players' bests. Each applies what it did to the boards before it answers, and unloads the
 * boards it may have touched when its outcome is not known.
 */
export function scoreRepository({ connections, boards }: Deps) {
  const underWay = new Set<Promise<unknown>>()

  function call<Row extends Moved>(statement: Statement, appIds: string[], whose: (row: Row) => Whose): Promise<Row[]> {
    const answer = (async () => {
      try {
        const ready = boards.ready()
        if (ready) await ready
        const rows = await connections.run<Row>(statement)
        const changes: BoardChange[] = []
        for (const row of rows) {
          if (row.xid === null) continue // nothing was written for this row
          const { appId, playerId } = whose(row)
          const { type_key: boardKey, old_best: from, new_best: to = null, version } = row
          const xid = Number(row.xid)
          changes.push({ appId, boardKey, playerId, from, to, xid, version })
          for (const { board, ...move } of row.periods ?? [])
            changes.push({ appId, boardKey: board, playerId, ...move, xid })
        }
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
    /** One score in a transaction of its own. */
    async save(item: ScoreItem): Promise<ScoreResult> {
      const { appId, sessionId, playerId, score } = item
      const values = [appId, sessionId, playerId, score]
      const [row] = await call<ItemRow>({ name: 'save_score', text: saveOne, values }, [appId], () => item)
      return row!
    },

    /** Scores of any apps in one transaction; one result an item, in the same order. */
    async saveGroup(items: ScoreItem[]): Promise<ScoreResult[]> {
      const values = [
        items.map((item) => item.appId),
        items.map((item) => item.sessionId),
        items.map((item) => item.playerId),
        items.map((item) => item.score),
      ]
      const statement = { name: 'save_scores_group', text: saveGroup, values }
      return call<ItemRow>(statement, values[0] as string[], (row) => items[row.n! - 1]!)
    },

    /** Scores of one session, all or nothing: all results are `ok`, or they name what is at fault. Players must not repeat. */
    async saveBatch(
      appId: string,
      sessionId: string,
      scores: { playerId: string; score: number }[],
    ): Promise<BatchResult[]> {
      const values = [appId, sessionId, scores.map((item) => item.playerId), scores.map((item) => item.score)]
      const rows = await call<ItemRow>({ name: 'save_scores', text: saveBatch, values }, [appId], (row) => ({
        appId,
        playerId: scores[row.n! - 1]!.playerId,
      }))
      return rows.map((row) => ({ ...row, item: row.n === null ? null : row.n - 1 }))
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
        column(({ metadata }) => (metadata ? JSON.stringify(metadata) : null)),
        quota.app,
        quota.player,
      ]
      const statement = { name: 'save_judged_scores', text: saveJudged, values }
      const rows = await call<Moved & JudgedResult & { n: number | null }>(statement, [appId], (row) => ({
        appId,
        playerId: scores[row.n! - 1]!.playerId,
      }))
      return rows.map((row) => ({ ...row, item: row.n === null ? null : row.n - 1 }))
    },

    /** Accepts or rejects a held score. @returns the outcome of `review_score` */
    async review({ appId, id, state, note, actor, address }: ReviewedScore): Promise<string> {
      const text = 'select * from review_score($1, $2, $3, $4, $5, $6)'
      const statement = { name: 'review_score', text, values: [appId, id, state, note, actor, address] }
      const [row] = await call<Moved & { outcome: string; player_id: string }>(statement, [appId], (reviewed) => ({
        appId,
        playerId: reviewed.player_id,
      }))
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
      const statement = {
        name: 'delete_player',
        text: 'select * from delete_player($1, $2)',
        values: [appId, playerId],
      }
      await call<Moved>(statement, [appId], () => ({ appId, playerId }))
    },

    /** Resolves when every statement now under way has been answered and its changes applied. */
    async settled(): Promise<void> {
      await Promise.allSettled(underWay)
    },
  }
}
