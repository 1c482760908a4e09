import type { Viewer } from '../../../platform/credentials/callers.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Page, PageQuery } from '../../../platform/http/pages.ts'
import type { PlayerScore, ScoreFilter } from '../schema.ts'
import type { GameTypes } from '../types/service.ts'
import type { PlayerScoreStore } from './player-score-store.ts'

type Deps = { store: PlayerScoreStore; types: GameTypes }

/** What one player reached in all its sessions. */
export function playerScoreService({ store, types }: Deps) {
  return {
    /** Written scores, newest session first. @throws 404 for an unknown player or type */
    async page(
      appId: string,
      playerId: string,
      { miniGameTypeId, miniGameTypeName, ...page }: PageQuery & ScoreFilter,
      viewer: Viewer,
    ): Promise<Page<PlayerScore>> {
      const typeKey = await types.keyOf(appId, { miniGameTypeId, miniGameTypeName })
      const found = await store.page(appId, playerId, typeKey, page, viewer)
      if (found.total === 0 && !(await store.hasPlayer(appId, playerId))) throw notFound('Player')
      return found
    },
  }
}
export type PlayerScoreService = ReturnType<typeof playerScoreService>
