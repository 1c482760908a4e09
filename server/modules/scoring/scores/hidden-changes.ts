import pg from 'pg'
import { forbidden } from '../../../platform/errors.ts'
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

/** @throws 403 if the error says that a player is banned, else the error */
export function refuseBanned(error: unknown): never {
  if (error instanceof pg.DatabaseError && error.code === BANNED)
    throw forbidden(`Nothing was written, because ${error.message}: set its standing to normal or hidden first`)
  throw error
}
