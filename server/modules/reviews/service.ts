import type { Actor } from '../../platform/database/audit.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import type { Page, PageQuery } from '../../platform/http/pages.ts'
import type { Fences } from '../fences/index.ts'
import type { Scoring } from '../scoring/index.ts'
import type { Review, ReviewDecision, ReviewFilter } from './schema.ts'
import type { ReviewStore } from './store.ts'

type Deps = { store: ReviewStore } & Pick<Scoring, 'reviewScore' | 'typeKeyOf'> & Pick<Fences, 'reviseCheckIn'>

export type ReviewService = ReturnType<typeof reviewService>

const STATES = { accept: 'accepted', reject: 'rejected' } as const

/** The rules of reviews of held scores and check-ins. */
export function reviewService({ store, typeKeyOf, reviewScore, reviseCheckIn }: Deps) {
  const find = async (appId: string, id: string): Promise<Review> => {
    const found = await store.get(appId, id)
    if (!found) throw notFound('Review')
    return found
  }

  /** @throws 404; 409 if the score is outside the bounds by now, or a later score makes the decision final */
  async function decideScore(appId: string, id: string, { decision, note }: ReviewDecision, actor: Actor) {
    const outcome = await reviewScore({ appId, id, state: STATES[decision], note: note ?? null, ...actor })
    if (outcome === 'no_review') throw notFound('Review')
    if (outcome === 'written_since')
      throw conflict(
        'A later score was written in the session, so this one can no longer be taken back: set the score instead',
      )
    if (outcome === 'out_of_bounds')
      throw conflict('The score lies outside the bounds of its mini game type by now: change the bounds, or reject it')
    if (outcome !== 'ok' && outcome !== 'same')
      throw conflict('The score can no longer be written: its game session or its player is gone')
  }

  return {
    /** Newest first. @throws 404 for an unknown type */
    async page(
      appId: string,
      { miniGameTypeId, miniGameTypeName, limit, cursor, ...filter }: PageQuery & ReviewFilter,
    ): Promise<Page<Review>> {
      const typeKey = await typeKeyOf(appId, { miniGameTypeId, miniGameTypeName })
      return store.page(appId, { ...filter, typeKey }, { limit, cursor })
    },

    /** @throws 404 */
    get: find,

    /**
     * Accepts or rejects what is held. The same decision again changes nothing.
     * @throws 404; 409 if the score or award cannot be written or taken back
     */
    async decide(appId: string, id: string, given: ReviewDecision, actor: Actor): Promise<Review> {
      const { kind } = await find(appId, id)
      if (kind === 'score') await decideScore(appId, id, given, actor)
      else await reviseCheckIn(appId, id, given, actor)
      return find(appId, id)
    },
  }
}
