import { runSql } from '../../databases/temporary-database.ts'
import { bestOfTwo, closedLoop } from '../../load/closed-loop.ts'
import { send } from '../../load/http-client.ts'
import { withAppService } from '../../processes/board-service.ts'
import type { Comparison } from '../../record/comparison.ts'
import { addPlaces, keepHistory, keepWindows, places } from './score-places.ts'

/**
 * A score as a game sends it, over HTTP, in a type with history and boards of day, week and month, beside one in a type with
 * neither.
 * @param url a PostgreSQL that may create databases @param ms length of each measurement
 */
export function benchRecordedScoreRequests(url: string, players: number, ms = 5000): Promise<Comparison[]> {
  return withAppService(url, async ({ service, databaseUrl, app, newApp }) => {
    async function writerOf({ id, apiKey }: typeof app, kept: { days: number; hasBoards: boolean }) {
      await runSql(databaseUrl, addPlaces(id, id, players) + keepHistory(id, kept.days))
      if (kept.hasBoards) await runSql(databaseUrl, keepWindows(id))
      const of = await places(databaseUrl, id)
      const headers = { 'x-app-api-key': apiKey, 'content-type': 'application/json' }
      return () => {
        const { sessionId, playerId } = of[Math.floor(Math.random() * of.length)]!
        return send(`${service.url}/api/v1/apps/game-sessions/${sessionId}/players/${playerId}`, {
          method: 'PATCH',
          headers,
          body: JSON.stringify({ score: Math.random() * 1000 }),
        })
      }
    }

    const plain = await writerOf(app, { days: 0, hasBoards: false })
    const recorded = await writerOf(await newApp(), { days: 400, hasBoards: true })
    const compared: Comparison[] = []
    for (const clients of [16, 64]) {
      await Promise.all([closedLoop(clients, ms / 2, plain), closedLoop(clients, ms / 2, recorded)])
      const { ours, peer } = await bestOfTwo({
        peer: () => closedLoop(clients, ms, plain),
        ours: () => closedLoop(clients, ms, recorded),
      })
      compared.push({
        name: `PATCH score with history and boards of day, week and month / without, ${clients} clients`,
        ours,
        peer,
        ratio: ours.perSecond / peer.perSecond,
        target: '≥ 0.7',
      })
    }
    return compared
  })
}
