import type { Service } from '../service.ts'
import { sqlOn } from '../sql.ts'

const TIMES = {
  session_players: ['updated_at', 'scored_at'],
  player_best: ['achieved_at'],
  period_best: ['achieved_at', 'written_at'],
  period_boards: ['starts_at', 'ends_at'],
}

/** Makes the scores of an app and its boards older, as if so many days had passed. */
export async function letTimePass(service: Service, appId: string, days: number): Promise<void> {
  for (const [table, columns] of Object.entries(TIMES)) {
    const earlier = columns.map((name) => `${name} = ${name} - interval '${days} days'`)
    await sqlOn(service)(`update ${table} set ${earlier} where app_id = $1`, [appId])
  }
}
