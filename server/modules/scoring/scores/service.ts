import { conflict, forbidden, invalid, notFound } from '../../../platform/errors.ts'
import { quotaExceeded } from '../../../platform/quotas.ts'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import type { HookQuestions } from '../hooks/questions.ts'
import { judgedScores } from '../judging/judged-scores.ts'
import type { RuleCache } from '../judging/rule-cache.ts'
import type { GameSession, GameSessionPlayer } from '../schema.ts'
import { presentPlayer, type SessionPlayerRow } from '../sessions/present-player.ts'
import type { BatchResult, CorrectedScore, JudgedResult, JudgedScore, ScoreItem, ScoreResult } from './score-writes.ts'

/** Scores of one player that may wait for a review, so that one does not use up the quota of the app. */
const MAX_HELD_OF_PLAYER = 100

type Deps = {
  save: (item: ScoreItem) => Promise<ScoreResult>
  saveBatch: (appId: string, sessionId: string, scores: NewScore[]) => Promise<BatchResult[]>
  saveJudged: (
    appId: string,
    sessionId: string,
    scores: JudgedScore[],
    quota: { app: number; player: number },
  ) => Promise<JudgedResult[]>
  correct: (score: CorrectedScore) => Promise<ScoreResult['outcome']>
  judging: RuleCache['judging']
  /** Asks a hook about scores. */
  decide: HookQuestions['decide']
  /** Held scores that an app may have. */
  mostHeld: number
  session: (appId: string, id: string) => Promise<GameSession>
  written: OwnUrls['written']
}
type NewScore = JudgedScore
/** Whose credential a score is set with. */
export type Submitter = 'server' | 'player'

/** The rules of writing scores. */
export function scoreService({
  save,
  saveBatch,
  saveJudged,
  correct,
  judging,
  decide,
  mostHeld,
  session,
  written,
}: Deps) {
  const shown = shownWith(written)
  const judged = judgedScores({ decide, saveJudged, quota: { app: mostHeld, player: MAX_HELD_OF_PLAYER } })

  /** The bounds that a score violates, for the error. */
  async function outOfBounds(appId: string, sessionId: string, path: (string | number)[]) {
    const type = (await session(appId, sessionId)).miniGameType
    const message = `The score must lie between ${type?.minScore ?? 'any minimum'} and ${type?.maxScore ?? 'any maximum'}`
    return { code: 'score_out_of_bounds', message, path }
  }

  return {
    /** Checks that players may set their scores of this session themselves. @throws 403, 404 */
    async checkSubmitter(appId: string, sessionId: string): Promise<void> {
      if ((await session(appId, sessionId)).miniGameType?.submittedBy !== 'player')
        throw forbidden(
          'Scores of this game session are set with a server key: its mini game type is not submittedBy player',
        )
    },

    /**
     * Sets a registered player's score. Resolves once it is committed and counts in every rank.
     * @throws 403 for a banned player, 404 for an unknown session or a player not in it, 409 unless the session is running, 400 outside the type's bounds, or if a hook refuses it
     */
    async set(
      appId: string,
      sessionId: string,
      item: NewScore,
      submittedBy: Submitter = 'server',
    ): Promise<GameSessionPlayer> {
      const known = judging(appId, sessionId)
      const found = known && (await known)
      const done = found
        ? await judged.write({ judging: found, appId, sessionId, scores: [item], submittedBy, pathOf: () => ['score'] })
        : { results: [await save({ appId, sessionId, ...item })], scores: [item] }
      const result: ScoreResult | JudgedResult = done.results[0]!
      if (result.outcome === 'held') return shownHeld(shown, result as JudgedResult, item.playerId)
      if (result.outcome === 'ok') return shown(result, done.scores[0]!)
      if (result.outcome === 'out_of_bounds') throw invalid([await outOfBounds(appId, sessionId, ['score'])])
      throw failure(result.outcome, mostHeld)
    },

    /**
     * Replaces a score in a session of any state, and audits it. Rules of the type do not apply.
     * @throws 403 for a banned player, 404 for an unknown session or a player not in it, 400 outside the type's bounds
     */
    async correct(score: CorrectedScore): Promise<void> {
      const outcome = await correct(score)
      if (outcome === 'out_of_bounds') throw invalid([await outOfBounds(score.appId, score.sessionId, ['score'])])
      if (outcome !== 'ok') throw failure(outcome, mostHeld)
    },

    /** Sets the scores of several players of one session, all or nothing. @throws as `set`, naming each item at fault with 400 */
    async setAll(appId: string, sessionId: string, scores: NewScore[]): Promise<GameSessionPlayer[]> {
      const first = new Map<string, number>()
      const repeats = scores.flatMap(({ playerId }, i) => {
        const before = first.get(playerId.toLowerCase())
        first.set(playerId.toLowerCase(), before ?? i)
        return before === undefined ? [] : [fault('duplicate_player', `This player is scores[${before}] already`, i)]
      })
      if (repeats.length > 0) throw invalid(repeats)

      const known = judging(appId, sessionId)
      const found = known && (await known)
      const pathOf = (item: number) => ['scores', item, 'score']
      const done: { results: (BatchResult | JudgedResult)[]; scores: NewScore[] } = found
        ? await judged.write({ judging: found, appId, sessionId, scores, submittedBy: 'server', pathOf })
        : { results: await saveBatch(appId, sessionId, scores), scores }
      const { results } = done
      if (results.every(({ outcome }) => outcome === 'ok' || outcome === 'held')) {
        return results.map((result, i) => {
          if (result.outcome === 'held') return shownHeld(shown, result as JudgedResult, scores[i]!.playerId)
          return shown(result, done.scores[i]!)
        })
      }
      const ofSession = results.find((result) => result.item === null)
      if (ofSession) throw failure(ofSession.outcome, mostHeld)
      const issues = results.map(({ item, outcome }) =>
        outcome === 'out_of_bounds'
          ? outOfBounds(appId, sessionId, pathOf(item!))
          : fault('not_registered', 'This player is not registered in the game session', item!),
      )
      throw invalid(await Promise.all(issues))
    },
  }
}
export type ScoreService = ReturnType<typeof scoreService>

const fault = (code: string, message: string, item: number) => ({ code, message, path: ['scores', item, 'playerId'] })

const shownHeld = (
  shown: ReturnType<typeof shownWith>,
  { score, reviewId, ...result }: JudgedResult,
  playerId: string,
): GameSessionPlayer => ({ ...shown(result, { playerId, score }), state: 'held', reviewId: reviewId! })

function failure(outcome: JudgedResult['outcome'], mostHeld: number): Error {
  if (outcome === 'held_full') return quotaExceeded('heldScores', mostHeld)
  if (outcome === 'held_too_many')
    return conflict(`A player can have at most ${MAX_HELD_OF_PLAYER} held scores: review some of them`)
  if (outcome === 'no_session') return notFound('Game session')
  if (outcome === 'not_registered') return notFound('Game session player')
  return conflict('Scores are accepted only while a game session is active: this one is paused or completed')
}

const shownWith =
  (written: OwnUrls['written']) =>
  (result: Omit<ScoreResult, 'outcome'>, { playerId, score, metadata }: NewScore): GameSessionPlayer => {
    // −0 is stored as 0.
    const row = { ...result, score: score + 0, metadata, playerId: playerId.toLowerCase() } as SessionPlayerRow
    return presentPlayer(row, written)
  }
