import type { Secrets } from '../../../platform/credentials/secrets.ts'
import type { GuardedPosts } from '../../../platform/outbound/guarded-post.ts'
import { FetchRefused } from '../../../platform/outbound/https-request.ts'
import { signedHeaders } from '../../../platform/outbound/signature.ts'
import { type Decision, decisionsIn, UnusableAnswer } from './decisions.ts'

export const HOOK_SECRETS = 'score-hook-secrets'

/** Scores in one question. */
const BATCH = 100
/** Questions of this process that wait for a response. More fail at once. */
const MOST_ASKED = 512
/** How often a failure of a hook is written down. */
const NOTED_MS = 10_000

/** A hook, as scores need it. */
export type AskedHook = {
  id: string
  url: string
  onFailure: 'accept' | 'hold'
  secret: string
  oldSecret: string | null
  /** Milliseconds since 1970. */
  oldSecretUntil: number
}
/** What is decided about. */
export type Question = {
  appId: string
  gameSessionId: string
  miniGameTypeId: string | null
  submittedBy: 'server' | 'player'
  scores: { playerId: string; score: number; metadata?: object | undefined }[]
}

type Deps = {
  posts: Pick<GuardedPosts, 'post'>
  secrets: Pick<Secrets, 'open'>
  newId: () => string
  /** Writes down why a hook gave no usable response. */
  noteFailure: (appId: string, id: string, error: string) => Promise<void>
  /** Called for each question with its outcome. */
  count: (outcome: 'answered' | 'failed') => void
  onError: (error: unknown) => void
}

/** What takes the place of a decision that there is none of. */
const IN_PLACE: Record<AskedHook['onFailure'], Decision> = {
  accept: { decision: 'accept' },
  hold: { decision: 'hold', note: 'The score hook gave no usable response' },
}

/** Asks hooks about scores. A question that fails is not repeated: the policy of the hook decides. */
export function hookQuestions({ posts, secrets, newId, noteFailure, count, onError }: Deps) {
  const stopping = new AbortController()
  const notedAt = new Map<string, number>()
  let asked = 0

  /** @throws FetchRefused, UnusableAnswer */
  async function ask(hook: AskedHook, question: Question): Promise<Decision[]> {
    if (asked >= MOST_ASKED) throw new UnusableAnswer('too many scores wait for responses of hooks')
    asked++
    try {
      const at = new Date()
      const sealed = [hook.secret, ...(hook.oldSecret && hook.oldSecretUntil > at.getTime() ? [hook.oldSecret] : [])]
      const opened = sealed.map((secret) => secrets.open(HOOK_SECRETS, secret))
      const body = JSON.stringify({ type: 'score.before', timestamp: at.toISOString(), data: question })
      const headers = { 'content-type': 'application/json', ...signedHeaders(newId(), at, body, opened) }
      const response = await posts.post(hook.url, headers, Buffer.from(body), stopping.signal)
      return decisionsIn(response, question.scores.length)
    } finally {
      asked--
    }
  }

  function note(appId: string, { id }: AskedHook, error: string): void {
    const now = performance.now()
    if (now - (notedAt.get(id) ?? Number.NEGATIVE_INFINITY) < NOTED_MS) return
    if (notedAt.size >= 10_000) notedAt.clear()
    notedAt.set(id, now)
    noteFailure(appId, id, error).catch(onError)
  }

  /** The decisions about a part of the scores; the policy of the hook takes the place of a failed question. */
  async function decided(hook: AskedHook, question: Question): Promise<Decision[]> {
    try {
      const decisions = await ask(hook, question)
      count('answered')
      return decisions
    } catch (error) {
      count('failed')
      const isItsFault = error instanceof FetchRefused || error instanceof UnusableAnswer
      if (!isItsFault) onError(error)
      note(question.appId, hook, isItsFault ? error.message : 'The service failed to send the request')
      return question.scores.map(() => IN_PLACE[hook.onFailure])
    }
  }

  return {
    /** One decision for each score, in their order. Resolves within the time that hooks have, whatever the hook does. */
    async decide(hook: AskedHook, question: Question): Promise<Decision[]> {
      const parts = Array.from({ length: Math.ceil(question.scores.length / BATCH) }, (_, i) =>
        question.scores.slice(i * BATCH, (i + 1) * BATCH),
      )
      return (await Promise.all(parts.map((scores) => decided(hook, { ...question, scores })))).flat()
    },

    /** Ends the questions under way, as failed ones. */
    stop: () => stopping.abort(new FetchRefused('the service was stopped')),
  }
}
export type HookQuestions = ReturnType<typeof hookQuestions>
