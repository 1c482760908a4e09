import type { Actor } from '../../../platform/database/audit.ts'
import type { ScoreMetadata } from './schema.ts'

/** One score to write. */
export type ScoreItem = {
  appId: string
  sessionId: string
  playerId: string
  score: number
  metadata?: ScoreMetadata | undefined
}
export type Outcome = 'ok' | 'no_session' | 'not_running' | 'out_of_bounds' | 'not_registered'
/** A score that rules of its type, or a hook, judge. `hold` is the note of a hook that holds it; it may be empty. */
export type JudgedScore = {
  playerId: string
  score: number
  metadata?: ScoreMetadata | undefined
  hold?: string | undefined
}
/** The decision about a held score, and who made it. */
export type ReviewedScore = Actor & { appId: string; id: string; state: 'accepted' | 'rejected'; note: string | null }

/** A score that replaces one in a session of any state, and who corrects it. */
export type CorrectedScore = Actor & ScoreItem

/** The outcome of one score, and its player, so that the response needs no second query. */
export type ScoreResult = {
  outcome: Outcome
  createdAt: string | null
  updatedAt: string | null
  displayName: string | null
  imageUrl: string | null
  userId: string | null
  username: string | null
}
/**
 * A score that was reached elsewhere. `at` orders equal scores, and is when it was reached if it is dated; as text, so that
 * no microsecond is lost.
 */
export type ImportedScore = { playerId: string; score: number; at: string; isDated: boolean }
export type ImportOutcome =
  | 'ok'
  | 'not_better'
  | 'out_of_bounds'
  | 'no_player'
  | 'banned'
  | 'no_session'
  | 'not_running'
/** `item` is the place in the batch, from 0; null: the fault is the session's. */
export type BatchResult = ScoreResult & { item: number | null }

/** `score` is that of the session, and unchanged if the new one is held; `reviewId` is the review of a held one. */
export type JudgedResult = Omit<BatchResult, 'outcome'> & {
  outcome: Outcome | 'held' | 'held_full' | 'held_too_many'
  score: number
  reviewId: string | null
}
