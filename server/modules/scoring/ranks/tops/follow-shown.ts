import type { ChangeFeed } from '../../../../platform/changes/feed.ts'
import type { KeptTypes } from '../../types/kept-types.ts'
import type { BoardTops } from './board-tops.ts'

type Kept = { tops: BoardTops; types: Pick<KeptTypes, 'forget' | 'forgetAll'> }

/**
 * Follows what boards show beside scores (0060_shown_on_boards.sql). This process learns of its own changes earlier; this
 * is for those of commands, and for a statement that was committed although its answer was lost.
 */
export function followShown(changes: Pick<ChangeFeed, 'listen'>, { tops, types }: Kept): void {
  const playersChanged = (players: string[]) => {
    for (const [appId, playerId] of players.map((player) => player.split(' '))) tops.playerChanged(appId!, playerId!)
  }
  changes.listen('shown_player', playersChanged, tops.discardAll)
  changes.listen('game_type', (appIds) => appIds.forEach(types.forget), types.forgetAll)
}
