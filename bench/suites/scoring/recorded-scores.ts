import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openRanks } from '../../../server/modules/scoring/ranks/ranks.ts'
import { runSql, withTemporaryDatabase } from '../../databases/temporary-database.ts'
import { bestOfTwo, closedLoop, eachOnce } from '../../load/closed-loop.ts'
import type { Comparison } from '../../record/comparison.ts'
import { boardsOf, keepHistory, keepWindows, type Place, places, seedPlaces } from './score-places.ts'

const BOARDS = 'boards of day, week and month'
/** What is kept of scores, and how much of the rate of scores without it is left. */
const kinds = [
  { kept: 'history', days: 400, hasBoards: false, target: '≥ 0.8' },
  { kept: BOARDS, days: 0, hasBoards: true, target: '≥ 0.7' },
  { kept: `history and ${BOARDS}`, days: 400, hasBoards: true, target: '≥ 0.7' },
]

/**
 * Score writes with history, with three further boards, and with both, beside score writes without either: a statement a
 * score, and through the group writer. Then what a score with both adds to the tables and to the log of PostgreSQL.
 * @param url a PostgreSQL that may create databases @param ms length of each measurement
 */
export function benchRecordedScores(url: string, players = 20_000, ms = 1500): Promise<Comparison[]> {
  return withTemporaryDatabase(url, async (own) => {
    const pool = new pg.Pool({ connectionString: own, max: 64 })
    pool.on('error', () => {}) // a connection that ends while the database is dropped
    const fail = (error: unknown) => {
      throw error
    }
    const ranks = openRanks({ url: own, processId: randomUUID(), onError: fail, onMismatch: fail })

    async function appOf({ days, hasBoards }: { days: number; hasBoards: boolean }) {
      const app = randomUUID()
      await runSql(own, seedPlaces(app, app, players) + keepHistory(app, days))
      if (hasBoards) await runSql(own, keepWindows(app))
      for (const key of await boardsOf(own, app)) await ranks.load(app, key)
      const of = await places(own, app)
      return {
        of,
        single: () => save(some(of)),
        writer: () => ranks.writer.save({ ...some(of), score: Math.random() * 1000 }),
      }
    }

    const save = ({ appId, sessionId, playerId }: Place) =>
      pool.query({
        name: 'single',
        text: 'select * from save_score($1, $2, $3, $4)',
        values: [appId, sessionId, playerId, Math.random() * 1000],
      })

    /** What a score adds to the history, and to the log. */
    async function bytesOf(of: Place[]) {
      const read = async () =>
        (
          await pool.query<{ history: number; wal: number }>(
            `select pg_total_relation_size('score_history')::float8 as history,
                    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal`,
          )
        ).rows[0]!
      await runSql(own, 'vacuum')
      await runSql(own, 'checkpoint')
      await eachOnce(16, of, save) // the first change of a page after a checkpoint logs all of it
      const before = await read()
      await eachOnce(16, of, save)
      const after = await read()
      return {
        historyBytes: (after.history - before.history) / of.length,
        walBytes: (after.wal - before.wal) / of.length,
      }
    }

    try {
      const plain = await appOf({ days: 0, hasBoards: false })
      const compared: Comparison[] = []
      for (const { kept, target, ...kind } of kinds) {
        const app = await appOf(kind)
        await Promise.all([closedLoop(32, ms, app.writer), closedLoop(32, ms, app.single)]) // connections and plans
        const best = await bestOfTwo({
          plain: () => closedLoop(16, ms, plain.single),
          single: () => closedLoop(16, ms, app.single),
          plainWriter: () => closedLoop(64, ms, plain.writer),
          writer: () => closedLoop(64, ms, app.writer),
        })
        for (const [way, ours, peer] of [
          ['save_score', best.single, best.plain],
          ['score writer', best.writer, best.plainWriter],
        ] as const)
          compared.push({
            name: `${way} with ${kept} / without, ${way === 'save_score' ? 16 : 64} clients`,
            ours,
            peer,
            ratio: ours.perSecond / peer.perSecond,
            target,
          })
        if (kind.days > 0 && kind.hasBoards) {
          const [ours, peer] = [await bytesOf(app.of), await bytesOf(plain.of)]
          const name = `bytes a score with ${kept} / without, in the log`
          compared.push({ name, ours, peer, ratio: ours.walBytes / peer.walBytes, target: 'none: what it costs' })
        }
      }
      return compared
    } finally {
      await ranks.stop()
      await pool.end()
    }
  })
}

const some = (of: Place[]): Place => of[Math.floor(Math.random() * of.length)]!
