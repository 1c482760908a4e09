import type { Actor } from '../../../platform/database/audit.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import type { Page, PageQuery } from '../../../platform/http/pages.ts'
import type { ReviewedScore } from '../scores/score-writes.ts'
import type { GameTypes } from '../types/service.ts'
import type { ReviewStore } from './review-store.ts'
import type { Review, ReviewDecision, ReviewFilter } from './schema.ts'

type Deps = {
  store: ReviewStore
  types: Pick<GameTypes, 'keyOf'>
  review: (score: ReviewedScore) => Promise<string>
}

export type ReviewService = ReturnType<typeof reviewService>

/** The rules of reviews of held scores. */
export function reviewService({ store, types, review }: Deps) {
  const find = async (appId: string, id: string): Promise<Review> => {
    const found = await store.get(appId, id)
    if (!found) throw notFound('Review')
    return found
  }

  return {
    /** Newest first. @throws 404 for an unknown type */
    async page(
      appId: string,
      { state, playerId, miniGameTypeId, ...page }: PageQuery & ReviewFilter,
    ): Promise<Page<Review>> {
      const typeKey = await types.keyOf(appId, miniGameTypeId)
      return store.page(appId, { state, playerId, typeKey }, page)
    },

    /** @throws 404 */
    get: find,

    /**
     * Accepts or rejects a held score. The same decision again changes nothing.
     * @throws 404; 409 if the score is outside the bounds by now, or a later score makes the decision final
     */
    async decide(appId: string, id: string, { decision, note }: ReviewDecision, actor: Actor): Promise<Review> {
      const state = decision === 'accept' ? 'accepted' : 'rejected'
      const outcome = await review({ appId, id, state, note: note ?? null, ...actor })
      if (outcome === 'no_review') throw notFound('Review')
      if (outcome === 'written_since')
        throw conflict(
          'A later score was written in the session, so this one can no longer be taken back: set the score instead',
        )
      if (outcome === 'out_of_bounds')
        throw conflict(
          'The score lies outside the bounds of its mini game type by now: change the bounds, or reject it',
        )
      if (outcome !== 'ok' && outcome !== 'same')
        throw conflict('The score can no longer be written: its game session or its player is gone')
      return find(appId, id)
    },
  }
}
