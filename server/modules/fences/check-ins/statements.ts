import type { Actor } from '../../../platform/database/audit.ts'
import type { Proof } from '../../localization/index.ts'
import type { Statement } from '../../scoring/index.ts'
import type { Fix } from '../matching/fix.ts'
import type { Plausible } from '../matching/plausible.ts'
import { SHARED_BY } from '../positions/shared-fixes.ts'
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
  plausible: Plausible
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
export type Reviewed = {
  outcome: 'reviewed' | 'not_found' | 'not_held' | 'already' | 'changed'
  checkIn: CheckIn | null
  playerId: string
}

const moved = 'type_key, old_best, new_best, version, xid, periods'

/** Photos whose corners differ by less are the same: a copy in another format or size moves them by less. */
const SAME_CORNERS = 8

const onceOf = ({ once, timeZone }: Once) =>
  typeof once === 'number' ? ['cooldown', once, timeZone] : [once, null, timeZone]

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
  const name = proof ? 'record_proven_check_in' : 'record_check_in'
  const values = [
    ...[appId, playerId, fenceId, id, new Date(fix.at).toISOString(), judged.version],
    ...[JSON.stringify(judged.plausible), judged.heldFor ?? null, judged.mark],
    ...onceOf(rule),
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

type Once = Pick<CheckInRule, 'once' | 'timeZone'>
type Review = {
  appId: string
  id: string
  accepts: boolean
  note: string | null
  award: NewRecord['award']
  actor: Actor
}

const reviewOf = (name: string, { actor, address }: Actor, values: unknown[]): Statement => ({
  name,
  text: `select outcome, check_in as "checkIn", player_id as "playerId", ${moved}
           from ${name}(${[...values, actor, address].map((_, at) => `$${at + 1}`).join(', ')})`,
  values: [...values, actor, address],
})

/** The statement that accepts or rejects a held check-in. */
export const reviewStatement = ({ appId, id, accepts, note, award, actor }: Review): Statement =>
  reviewOf('review_check_in', actor, [appId, id, accepts, note, award?.sessionId ?? null, award?.points ?? null])

/** The statement that accepts or rejects a check-in that is held, or was decided otherwise. @param rule that of the fence now */
export const revisionStatement = ({
  appId,
  id,
  accepts,
  note,
  award,
  actor,
  rule,
}: Review & { rule: Once }): Statement =>
  reviewOf('revise_check_in', actor, [
    ...[appId, id, accepts, note, award?.sessionId ?? null, award?.points ?? null],
    ...onceOf(rule),
  ])
