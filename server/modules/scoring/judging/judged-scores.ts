import { invalid } from '../../../platform/errors.ts'
import type { Decision } from '../hooks/decisions.ts'
import type { HookQuestions } from '../hooks/questions.ts'
import type { JudgedResult, JudgedScore } from '../scores/score-writes.ts'
import { defaultGame } from '../types/store.ts'
import type { Judging } from './rule-cache.ts'

type Deps = {
  decide: HookQuestions['decide']
  saveJudged: (
    appId: string,
    sessionId: string,
    scores: JudgedScore[],
    quota: { app: number; player: number },
  ) => Promise<JudgedResult[]>
  quota: { app: number; player: number }
}
/** Scores of one session, and what judges them. */
export type ToJudge = {
  appId: string
  sessionId: string
  scores: JudgedScore[]
  judging: Judging
  submittedBy: 'server' | 'player'
  /** The place of a score in the request. */
  pathOf: (item: number) => (string | number)[]
}

/** Writes scores that rules or a hook judge, all or none. The hook is asked first, while nothing is locked. */
export function judgedScores({ decide, saveJudged, quota }: Deps) {
  /** The scores as the hook wants them. @throws 400 for those that it refuses */
  async function decided({ appId, sessionId, scores, judging, submittedBy, pathOf }: ToJudge): Promise<JudgedScore[]> {
    const { typeKey, hook } = judging
    if (!hook) return scores
    const miniGameTypeId = typeKey === defaultGame ? null : typeKey
    const decisions = await decide(hook, { appId, gameSessionId: sessionId, miniGameTypeId, submittedBy, scores })
    const refused = decisions.flatMap((decision, i) =>
      decision.decision === 'refuse' ? [{ code: 'score_refused', message: reasonOf(decision), path: pathOf(i) }] : [],
    )
    if (refused.length > 0) throw invalid(refused)
    return scores.map((score, i) => withDecision(score, decisions[i]!))
  }

  return {
    /** @returns the outcomes, and the scores as the hook changed them @throws 400 for scores that the hook refuses */
    async write(judged: ToJudge): Promise<{ results: JudgedResult[]; scores: JudgedScore[] }> {
      const scores = await decided(judged)
      return { results: await saveJudged(judged.appId, judged.sessionId, scores, quota), scores }
    },
  }
}

function withDecision(score: JudgedScore, decision: Decision): JudgedScore {
  if (decision.decision === 'change') return { ...score, score: decision.score }
  if (decision.decision === 'hold') return { ...score, hold: decision.note ?? '' }
  return score
}

const reasonOf = ({ note }: { note?: string | null | undefined }) =>
  note || 'The score hook of the app refused this score'
