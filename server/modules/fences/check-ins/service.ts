import type { Actor } from '../../../platform/database/audit.ts'
import { conflict, forbidden, invalid, notFound, unavailable } from '../../../platform/errors.ts'
import type { Page, PageQuery } from '../../../platform/http/pages.ts'
import type { Localizations, Proof } from '../../localization/index.ts'
import type { Scoring, Statement } from '../../scoring/index.ts'
import type { FenceSets } from '../matching/fence-sets.ts'
import type { Fix } from '../matching/fix.ts'
import { nextPlausible, settled } from '../matching/plausible.ts'
import { fixOf } from '../positions/fix.ts'
import { assertNotAhead } from '../positions/service.ts'
import type { PlayerOfApp, PositionStore } from '../positions/store.ts'
import type { CheckInRule, FenceRecord } from '../records/schema.ts'
import { judge } from './judge.ts'
import {
  type CheckIn,
  type CheckInAnswer,
  type CheckInFilter,
  type CheckInReview,
  type NewCheckIn,
  REFUSALS,
  REJECTED,
  type Refusal,
} from './schema.ts'
import {
  type NewRecord,
  type Recorded,
  type Reviewed,
  recordStatement,
  reviewStatement,
  revisionStatement,
} from './statements.ts'
import type { CheckInStore } from './store.ts'

type Deps = {
  store: CheckInStore
  positions: Pick<PositionStore, 'read'>
  sets: FenceSets
  fence: (appId: string, id: string) => Promise<FenceRecord>
  newId: () => string
  /** A keyed hash of a fix. */
  markOf: (appId: string, fix: Fix) => string
  readProof: Localizations['readProof']
  scoring: Pick<Scoring, 'moveBest' | 'createSession' | 'removeSession' | 'defaultGame'>
}

const MAX_ATTEMPTS = 20
/** Raised by award_points (0044_check_ins.sql). */
const AWARD_REFUSED = 'CA001'

const refused = (reason: Refusal, nextAt: string | null = null): CheckInAnswer => ({
  ...{ state: 'refused', id: null, reason, message: REFUSALS[reason] },
  ...{ nextAt: nextAt && new Date(nextAt).toISOString(), awards: [] },
})

const answerOf = ({ id, state, reason, awards }: CheckIn): CheckInAnswer => ({
  ...{ state: state === 'rejected' ? 'refused' : state, id, reason: state === 'accepted' ? null : reason },
  ...{ message: state === 'rejected' ? REJECTED : null, nextAt: null, awards },
})

type Award = NewRecord['award']
type Decision = Pick<CheckInReview, 'decision' | 'note'>
const NO_RULE = { once: 'ever', timeZone: 'UTC' } as const

export type CheckInService = ReturnType<typeof checkInService>

/** The rules of check-ins. */
export function checkInService({ store, positions, sets, fence, newId, markOf, readProof, scoring }: Deps) {
  /** Where the points of a rule go; the session is created with the first. */
  async function awardOf(appId: string, { award }: CheckInRule) {
    if (!award) return undefined
    const typeKey = award.miniGameTypeId ?? scoring.defaultGame
    const known = await store.awardSession(appId, typeKey)
    if (known) return { sessionId: known, points: award.points }
    const made = await scoring.createSession(appId, {
      name: 'Check-ins',
      description: 'Holds the points that check-ins are awarded',
      miniGameTypeId: award.miniGameTypeId ?? null,
      status: 'ACTIVE',
    })
    const sessionId = await store.keepAwardSession(appId, typeKey, made.id)
    if (sessionId !== made.id) await scoring.removeSession(appId, made.id)
    if (!sessionId) throw unavailable('The game session of the awards was just deleted: try again', 1)
    return { sessionId, points: award.points }
  }

  /** @throws 409 if the award cannot be scored */
  async function awarding<Row>(work: Promise<Row>): Promise<Row> {
    return work.catch((error) => {
      if (error?.code !== AWARD_REFUSED) throw error
      const reasons: Record<string, string> = {
        out_of_bounds:
          'the score would leave the bounds of its mini game type: change the bounds, or the points of the fence',
        not_running: 'its game session is paused or completed: set it to ACTIVE, or delete it to begin another one',
        banned: 'the player is banned: set its standing to normal or hidden first',
        no_session: 'its game session was just deleted: try again',
      }
      throw conflict(`The points of this fence cannot be scored: ${reasons[error.message] ?? error.message}`)
    })
  }

  /** What a proof says, or why it does not count. @throws 400 */
  async function proofOf(appId: string, sealed: string | undefined): Promise<Proof | Refusal | undefined> {
    if (sealed === undefined) return undefined
    const proof = readProof(sealed, Date.now())
    if (!proof) {
      const message = 'is not a proof of this service: send the "proof" of a localization as it is'
      throw invalid([{ code: 'custom', message, path: ['proof'] }])
    }
    if (proof === 'expired') return 'proof_expired'
    return (await store.ownsPoints(appId, proof.gcpIds)) ? proof : 'proof_foreign'
  }

  /** @param statementOf decides about the check-in, with an audit entry @throws 404, 409 if its award cannot be scored */
  async function decide(
    appId: string,
    id: string,
    { decision, note }: Decision,
    statementOf: (review: {
      accepts: boolean
      note: string | null
      award: Award
      rule: CheckInRule | null
    }) => Statement,
  ): Promise<Reviewed & { checkIn: CheckIn }> {
    const before = await store.get(appId, id)
    if (!before) throw notFound('Check-in')
    const accepts = decision === 'accept'
    const { checkIn: rule } = await fence(appId, before.fenceId)
    const award = accepts && rule ? await awardOf(appId, rule) : undefined
    const statement = statementOf({ accepts, note: note ?? null, award, rule })
    const [row] = await awarding(scoring.moveBest<Reviewed>(statement, appId, { column: 'playerId' }))
    const { outcome, checkIn } = row!
    if (outcome === 'not_found') throw notFound('Check-in')
    return { ...row!, checkIn: checkIn! }
  }

  return {
    /**
     * Judges a check-in and, if it is accepted, scores its award in the same transaction. The same fix again gets the
     * same answer. @throws 400 for a time in the future, 403 if the player is banned by now, 404, 409 if the award cannot be scored
     */
    async checkIn(
      { appId, playerId }: PlayerOfApp,
      { fenceId, fix: given, proof: sealed }: NewCheckIn,
    ): Promise<CheckInAnswer> {
      const fix = fixOf(given)
      assertNotAhead([{ at: fix.at, path: ['fix', 'at'] }])
      const known = await store.ofFix(appId, playerId, fenceId, given.at)
      if (known) return answerOf(known)
      const proof = await proofOf(appId, sealed)
      if (typeof proof === 'string') return refused(proof)
      const camera = proof && { ...fix, lat: proof.lat, lon: proof.lon, accuracy: proof.accuracy }
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const [held] = await positions.read([{ appId, playerId }])
        const there = (await sets.of(appId, held!.fences)).get(fenceId)
        if (!there) throw notFound('Fence')
        const rule = there.checkIn
        const [plausible, now] = [held!.plausible ?? undefined, Date.now()]
        const judged = judge(there, rule, { fix, camera }, plausible, now)
        if ('refused' in judged) return refused(judged.refused)
        const [row] = await awarding(
          scoring.moveBest<Recorded>(
            recordStatement({
              ...{ id: newId(), appId, playerId, fenceId, version: held!.version, fix },
              ...{ plausible: settled(nextPlausible(plausible, camera ?? fix, now)), heldFor: judged.heldFor },
              ...{ mark: markOf(appId, fix), rule: rule!, award: await awardOf(appId, rule!), proof },
            }),
            appId,
            { id: playerId },
          ),
        )
        const { outcome, checkIn, nextAt } = row!
        if (outcome === 'recorded' || outcome === 'same') return answerOf(checkIn!)
        if (outcome === 'already' || outcome === 'pending') return refused(outcome, nextAt)
        if (outcome === 'used') return refused('proof_used')
        if (outcome === 'no_fence') throw notFound('Fence')
        // Its token was valid when the request came.
        if (outcome === 'no_player')
          throw (await store.isBanned(appId, playerId)) ? forbidden('This player is banned') : notFound('Player')
      }
      throw unavailable('Several devices are writing the position of this player: try again', 1)
    },

    page: (appId: string, query: CheckInFilter & PageQuery): Promise<Page<CheckIn>> => store.page(appId, query),

    /** @throws 404 */
    async get(appId: string, id: string): Promise<CheckIn> {
      const found = await store.get(appId, id)
      if (!found) throw notFound('Check-in')
      return found
    },

    /** Decides on a held check-in, with an audit entry. @throws 404, 409 if it is not held, or its award cannot be scored */
    async review(appId: string, id: string, given: CheckInReview, actor: Actor): Promise<CheckIn> {
      const { outcome, checkIn } = await decide(appId, id, given, (review) =>
        reviewStatement({ ...review, appId, id, actor }),
      )
      if (outcome === 'not_held') throw conflict(`This check-in is not held: it was already ${checkIn.state}`)
      return checkIn
    },

    /**
     * Decides on a check-in that was held, also once it is decided otherwise: its points are taken back then, or scored.
     * @throws 404, 409 if its award cannot be scored or taken back, or the player has checked in since
     */
    async revise(appId: string, id: string, given: Decision, actor: Actor): Promise<void> {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const { outcome } = await decide(appId, id, given, ({ rule, ...review }) =>
          revisionStatement({ ...review, rule: rule ?? NO_RULE, appId, id, actor }),
        )
        if (outcome === 'already')
          throw conflict(
            'The player has another check-in at this fence that is accepted or held: reject that one first',
          )
        if (outcome === 'reviewed') return
      }
      throw unavailable('Several reviews are deciding on this check-in: try again', 1)
    },
  }
}
