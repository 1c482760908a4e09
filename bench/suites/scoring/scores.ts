import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openRanks } from '../../../server/modules/scoring/ranks/ranks.ts'
import type { ScoreItem } from '../../../server/modules/scoring/scores/score-writes.ts'
import { defaultGame } from '../../../server/modules/scoring/types/store.ts'
import { runSql, withTemporaryDatabase } from '../../databases/temporary-database.ts'
import { bestOfTwo, closedLoop, type Throughput } from '../../load/closed-loop.ts'
import { places, seedPlaces } from './score-places.ts'

export type ScoreBench = {
  name: string
  ours: Throughput
  peer: Throughput
  /** Ours to the peer's writes per second; for one client the peer's latency to ours. */
  ratio: number
  target: string
}

/**
 * Score writes on one app of 20,000 players and 1,000 sessions, with random scores: through the group writer (with the rank
 * index and the names in the response), through `save_score` alone, and as a bare one-row UPDATE without best scores and
 * ranks. In one process with one connection a client (the writer: two lanes).
 * @param url a PostgreSQL that may create databases @param ms length of each measurement
 */
export function benchScores(url: string, ms = 1500): Promise<ScoreBench[]> {
  return withTemporaryDatabase(url, async (own) => {
    const app = randomUUID()
    await runSql(own, seedPlaces(app))
    const items = await places(own, app)
    const pool = new pg.Pool({ connectionString: own, max: 64 })
    const fail = (error: unknown) => {
      throw error
    }
    const ranks = openRanks({ url: own, processId: randomUUID(), onError: fail, onMismatch: fail })
    try {
      await ranks.load(app, defaultGame)
      const some = (): ScoreItem => ({
        ...items[Math.floor(Math.random() * items.length)]!,
        score: Math.random() * 1000,
      })
      const statement = (name: string, text: string) => () => {
        const { appId, sessionId, playerId, score } = some()
        return pool.query({ name, text, values: [appId, sessionId, playerId, score] })
      }
      const bare = statement('bare', bareUpdate)
      const single = statement('single', 'select * from save_score($1, $2, $3, $4)')
      const writer = () => ranks.writer.save(some())
      const measure = (clients: number) =>
        bestOfTwo({
          bare: () => closedLoop(clients, ms, bare),
          single: () => closedLoop(clients, ms, single),
          writer: () => closedLoop(clients, ms, writer),
        })
      await closedLoop(64, ms, bare) // connections and plans
      await closedLoop(64, ms, single)
      await closedLoop(64, ms, writer)
      const [at1, at16, at64] = [await measure(1), await measure(16), await measure(64)]
      const rate = (name: string, ours: Throughput, peer: Throughput, target: string): ScoreBench => ({
        name,
        ours,
        peer,
        ratio: ours.perSecond / peer.perSecond,
        target,
      })
      return [
        rate('save_score / bare UPDATE, 16 clients', at16.single, at16.bare, '≥ 0.5'),
        rate('score writer / save_score, 16 clients', at16.writer, at16.single, '≥ 0.8'),
        rate('score writer / save_score, 64 clients', at64.writer, at64.single, '≥ 2'),
        rate('score writer / bare UPDATE, 64 clients', at64.writer, at64.bare, '≥ 1'),
        {
          ...rate('score writer / save_score, one client', at1.writer, at1.single, '≥ 0.91 (latency ≤ 1.1 of it)'),
          ratio: at1.single.p50Ms / at1.writer.p50Ms,
        },
      ]
    } finally {
      await ranks.stop()
      await pool.end()
    }
  })
}

const bareUpdate = `
  update session_players set score = $4, updated_at = clock_timestamp()
   where app_id = $1 and session_id = $2 and player_id = $3`
