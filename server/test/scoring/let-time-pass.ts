import type { Service } from '../service.ts'
import { sqlOn } from '../sql.ts'

const TIMES = {
  session_players: ['updated_at', 'scored_at'],
  score_history: ['written_at', 'scored_at', 'replaced_at'],
  player_best: ['achieved_at'],
  period_best: ['achieved_at', 'written_at'],
  period_boards: ['starts_at', 'ends_at'],
}

/** Moves the times of an app's scores and boards into the past by a number of days. */
export async function letTimePass(service: Service, appId: string, days: number): Promise<void> {
  for (const [table, columns] of Object.entries(TIMES)) {
    const earlier = columns.map((name) => `${name} = ${name} - interval '${days} days'`)
    await sqlOn(service)(`update ${table} set ${earlier} where app_id = $1`, [appId])
  }
}
