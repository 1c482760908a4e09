import type { ChangeFeed } from '../../platform/changes/feed.ts'
import { keptRecords } from '../../platform/concurrency/kept-records.ts'
import type { Player } from './schema.ts'

/** Some 25,000 players. */
const MAX_BYTES = 16 * 2 ** 20
/** A player without its texts and attributes. */
const PLAYER_BYTES = 640

export type KeptPlayers = ReturnType<typeof keepPlayers>

/**
 * Keeps the players read last in memory, in a process that no other serves beside: it forgets what a request changes
 * before the request is answered. The change feed reports what other programs change, such as commands
 * (0105_kept_players.sql).
 */
export function keepPlayers(changes: Pick<ChangeFeed, 'listen'>) {
  const players = keptRecords<Player>({ maxBytes: MAX_BYTES, bytesOf })
  const forgetAll = () => players.forgetAll('')
  changes.listen('player', (keys) => keys.forEach(players.forget), forgetAll)
  changes.listen('players_deleted', (appIds) => appIds.forEach(players.forgetAll))

  return {
    /** The player from memory, or else what `load` returns. Callers must not change it. */
    read: (appId: string, id: string, load: () => Promise<Player | undefined>): Promise<Player | undefined> =>
      players.read(keyOf(appId, id), load),
    forget: (appId: string, id: string): void => players.forget(keyOf(appId, id)),
    forgetAll,
  }
}

/** As the change feed names players. */
const keyOf = (appId: string, id: string) => `${appId} ${id.toLowerCase()}`

const bytesOf = ({ displayName, imageUrl, attributes, standingNote }: Player): number =>
  PLAYER_BYTES + 2 * `${displayName}${imageUrl}${standingNote}${JSON.stringify(attributes)}`.length
