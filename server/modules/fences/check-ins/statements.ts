import type { Actor } from '../../../platform/database/audit.ts'
import type { Proof } from '../../localization/index.ts'
import type { Statement } from '../../scoring/index.ts'
import type { Fix } from '../matching/movement.ts'
import type { CheckInRule } from '../records/schema.ts'
import type { CheckIn } from './schema.ts'

export type NewRecord = {
  id: string
  appId: string
  playerId: string
  fenceId: string
  /** The version of the player's position that the judgement is based on. */
  version: number
  fix: Fix
  plausible: Fix
  heldFor: string | undefined
  mark: string
  rule: CheckInRule
  award: { sessionId: string; points: number } | undefined
  proof: Proof | undefined
}

export type Recorded = {
  outcome: 'recorded' | 'same' | 'used' | 'changed' | 'already' | 'pending' | 'no_player' | 'no_fence'
  nextAt: string | null
  checkIn: CheckIn | null
}
export type Reviewed = { outcome: 'reviewed' | 'not_found' | 'not_held'; checkIn: CheckIn | null; playerId: string }

/** A fix is held if this many other players have sent it within a day. */
const SHARED_BY = 3

const moved = 'type_key, old_best, new_best, version, xid, periods'

/** Photos whose corners differ by less are the same: a copy in another format or size moves them by less. */
const SAME_CORNERS = 8

/** The statement that records a check-in with its award, and with its proof if it has one. */
export function recordStatement({
  appId,
  playerId,
  fenceId,
  id,
  fix,
  rule,
  award,
  proof,
  ...judged
}: NewRecord): Statement {
  const cooldown = typeof rule.once === 'number' ? rule.once : null
  const name = proof ? 'record_proven_check_in' : 'record_check_in'
  const values = [
    ...[appId, playerId, fenceId, id, new Date(fix.at).toISOString(), judged.version],
    ...[JSON.stringify(judged.plausible), judged.heldFor ?? null, judged.mark],
    ...[cooldown === null ? rule.once : 'cooldown', cooldown, rule.timeZone],
    ...[award?.sessionId ?? null, award?.points ?? null, SHARED_BY],
    ...(proof ? [proof.gcpIds, proof.accuracy, proof.tagIds, proof.corners, SAME_CORNERS] : []),
  ]
  return {
    name,
    text: `select outcome, next_at as "nextAt", check_in as "checkIn", ${moved}
             from ${name}(${values.map((_, at) => `$${at + 1}`).join(', ')})`,
    values,
  }
}

type Review = {
  appId: string
  id: string
  accepts: boolean
  note: string | null
  award: NewRecord['award']
  actor: Actor
}

/** The statement that accepts or rejects a held check-in. */
export const reviewStatement = ({ appId, id, accepts, note, award, actor }: Review): Statement => ({
  name: 'review_check_in',
  text: `select outcome, check_in as "checkIn", player_id as "playerId", ${moved}
           from review_check_in($1, $2, $3, $4, $5, $6, $7, $8)`,
  values: [
    ...[appId, id, accepts, note, award?.sessionId ?? null, award?.points ?? null],
    ...[actor.actor, actor.address],
  ],
})
