import pg from 'pg'
import { forbidden } from '../../../platform/errors.ts'
import type { StandingChange } from '../../players/schema.ts'
import type { BoardChange, RankKeeper } from '../ranks/rank-provider.ts'
import { type ScoreConnections, type Statement, UnknownOutcome } from './score-connections.ts'

export type ScoreItem = { appId: string; sessionId: string; playerId: string; score: number }
export type Outcome = 'ok' | 'no_session' | 'not_running' | 'out_of_bounds' | 'not_registered'

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

/** What is subtracted from versions while a player is hidden (0038_player_standing.sql). */
const HIDDEN = 2 ** 52

/** The change of a hidden player's best: whatever a score would have done, no board has it. */
const withoutScore = (change: BoardChange): BoardChange => ({
  ...change,
  to: null,
  version: change.version < 0 ? change.version + HIDDEN : change.version,
})

/** What hide_best (0038_player_standing.sql) raises for a score of a banned player. */
const BANNED = 'ZB403'

/** @throws 403 if the error says that a player is banned, else the error */
function refuseBanned(error: unknown): never {
  if (error instanceof pg.DatabaseError && error.code === BANNED)
    throw forbidden(`Nothing was written, because ${error.message}: set its standing to normal or hidden first`)
  throw error
}

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
          const isHidden = version < 0
          const add = (change: BoardChange) => changes.push(isHidden ? withoutScore(change) : change)
          add({ appId, boardKey, playerId, from, to, xid, version })
          for (const { board, ...move } of row.periods ?? []) add({ appId, boardKey: board, playerId, ...move, xid })
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
    /** One score in a transaction of its own. @throws 403 for a banned player */
    async save(item: ScoreItem): Promise<ScoreResult> {
      const { appId, sessionId, playerId, score } = item
      const values = [appId, sessionId, playerId, score]
      const statement = { name: 'save_score', text: saveOne, values }
      const [row] = await call<ItemRow>(statement, [appId], () => item).catch(refuseBanned)
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

    /** Scores of one session, all or nothing: all results are `ok`, or they name what is at fault. Players must not repeat. @throws 403 for a banned player */
    async saveBatch(
      appId: string,
      sessionId: string,
      scores: { playerId: string; score: number }[],
    ): Promise<BatchResult[]> {
      const values = [appId, sessionId, scores.map((item) => item.playerId), scores.map((item) => item.score)]
      const rows = await call<ItemRow>({ name: 'save_scores', text: saveBatch, values }, [appId], (row) => ({
        appId,
        playerId: scores[row.n! - 1]!.playerId,
      })).catch(refuseBanned)
      return rows.map((row) => ({ ...row, item: row.n === null ? null : row.n - 1 }))
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

    /** Sets the standing of a player, takes its scores off boards or brings them back, and writes the audit entry. */
    async setStanding({ appId, playerId, standing, note, actor, address }: StandingChange): Promise<void> {
      const statement = {
        name: 'set_standing',
        text: 'select * from set_standing($1, $2, $3, $4, $5, $6)',
        values: [appId, playerId, standing, note, actor, address],
      }
      await call<Moved>(statement, [appId], () => ({ appId, playerId }))
    },

    /** Resolves when every statement now under way has been answered and its changes applied. */
    async settled(): Promise<void> {
      await Promise.allSettled(underWay)
    },
  }
}
