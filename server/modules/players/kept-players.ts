import { LRUCache } from 'lru-cache'
import type { ChangeFeed } from '../../platform/changes/feed.ts'
import type { Player } from './schema.ts'

/** Memory of all, by estimate: some 25,000 players. */
const MAX_BYTES = 16 * 2 ** 20
/** A player without attributes. */
const PLAYER_BYTES = 640

export type KeptPlayers = ReturnType<typeof keepPlayers>

/**
 * Keeps the players read last in memory, in a process that no other serves beside: it forgets what a request changes
 * before the request is answered. The change feed reports what other programs change, such as commands
 * (0105_kept_players.sql).
 */
export function keepPlayers(changes: Pick<ChangeFeed, 'listen'>) {
  const players = new LRUCache<string, Player>({ maxSize: MAX_BYTES, sizeCalculation: bytesOf })
  /** How often any player was forgotten. */
  let forgotten = 0

  const forget = (appId: string, id: string) => {
    forgotten++
    players.delete(keyOf(appId, id))
  }
  const forgetApp = (appId: string) => {
    forgotten++
    for (const key of players.keys()) if (key.startsWith(appId)) players.delete(key)
  }
  const forgetAll = () => {
    forgotten++
    players.clear()
  }
  const forgetThose = (keys: string[]) => {
    for (const [appId, id] of keys.map((key) => key.split(' '))) forget(appId!, id!)
  }
  changes.listen('shown_player', forgetThose, forgetAll)
  changes.listen('deleted_players', (appIds) => appIds.forEach(forgetApp))

  return {
    /** The player from memory, or else what `load` returns. Callers must not change it. */
    async read(appId: string, id: string, load: () => Promise<Player | undefined>): Promise<Player | undefined> {
      const key = keyOf(appId, id)
      const known = players.get(key)
      if (known) return known
      const before = forgotten
      const player = await load()
      // A player that changes while it is read may arrive as it was before.
      if (player && forgotten === before) players.set(key, player)
      return player
    },
    forget,
    forgetAll,
  }
}

const keyOf = (appId: string, id: string) => `${appId} ${id.toLowerCase()}`

const bytesOf = ({ attributes, standingNote }: Player): number =>
  PLAYER_BYTES + 2 * (JSON.stringify(attributes).length + (standingNote?.length ?? 0))
