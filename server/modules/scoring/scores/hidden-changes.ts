import pg from 'pg'
import { forbidden, invalid } from '../../../platform/errors.ts'
import type { BoardChange } from '../ranks/rank-provider.ts'

/** What is subtracted from versions while a player is hidden (0038_player_standing.sql). */
const HIDDEN = 2 ** 52

/** The change of a hidden player's best: whatever a score would have done, no board has it. */
export const withoutScore = (change: BoardChange): BoardChange => ({
  ...change,
  to: null,
  version: change.version < 0 ? change.version + HIDDEN : change.version,
})

/** What hide_best (0038_player_standing.sql) raises for a score of a banned player. */
const BANNED = 'ZB403'
/** What check_summand (0067_score_modes.sql) raises for a score that could make a total exceed a double. */
const TOO_LARGE = 'ZS400'
/** The largest score, positive or negative, of a type whose scores are added. */
export const MOST_SUMMAND = 1e300

/** @throws 403 if the error says that a player is banned, 400 if a score is too large for a sum, else the error */
export function refuseScore(error: unknown): never {
  if (!(error instanceof pg.DatabaseError)) throw error
  if (error.code === BANNED)
    throw forbidden(`Nothing was written, because ${error.message}: set its standing to normal or hidden first`)
  if (error.code === TOO_LARGE) {
    const message = `With scoreMode sum, a score must lie between -${MOST_SUMMAND} and ${MOST_SUMMAND}`
    throw invalid([{ code: 'score_out_of_bounds', message, path: ['score'] }])
  }
  throw error
}
