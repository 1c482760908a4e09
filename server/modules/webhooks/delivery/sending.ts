import type { Secrets } from '../../../platform/credentials/secrets.ts'
import type { GuardedPosts } from '../../../platform/outbound/guarded-post.ts'
import { FetchRefused } from '../../../platform/outbound/https-request.ts'
import { signedHeaders } from '../../../platform/outbound/signature.ts'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import { askedDelay, delayAfter } from './delays.ts'
import type { Claimed, Settled } from './outbox-store.ts'

export const SECRETS = 'webhook-secrets'

type Deps = {
  posts: Pick<GuardedPosts, 'post'>
  secrets: Pick<Secrets, 'open'>
  /** Writes URLs of own files out in a payload. */
  writtenIn: OwnUrls['writtenIn']
  /** The first retry delay. */
  retrySeconds: number
}

/** Makes one attempt and returns its result; never throws. @param stop aborts the attempt: the delivery is returned */
export const sendDelivery = ({ posts, secrets, writtenIn, retrySeconds }: Deps) => {
  // Most events name no file.
  const written = (data: string) => (data.includes('"/files/') ? JSON.stringify(writtenIn(JSON.parse(data))) : data)
  return async function send(delivery: Claimed, stop: AbortSignal): Promise<Settled> {
    const { seq, id, type, createdAt, data, failures, url, secret, oldSecret } = delivery
    const at = new Date()
    const started = performance.now()
    const base = { seq, wait: 0, pause: 0 }
    const attempt = (status: number | null, answer: string | null, error: string | null) => {
      const durationMs = Math.round(performance.now() - started)
      return { at: at.toISOString(), status, durationMs, answer: answer && inJson(answer), error }
    }
    const nextDelay = () => delayAfter(failures + 1, retrySeconds, Math.random())
    try {
      stop.throwIfAborted()
      const opened = [secret, oldSecret].filter((one) => one !== null).map((one) => secrets.open(SECRETS, one))
      const body = `{"type":${JSON.stringify(type)},"timestamp":"${createdAt}","data":${written(data)}}`
      const headers = { 'content-type': 'application/json', ...signedHeaders(id, at, body, opened) }
      const { status, headers: answered, text } = await posts.post(url, headers, Buffer.from(body), stop)
      const logged = attempt(status, text, null)
      if (status >= 200 && status < 300) return { ...base, outcome: 'DELIVERED', attempt: logged }
      if (status === 410) return { ...base, outcome: 'GONE', wait: nextDelay(), attempt: logged }
      const pause = askedDelay(answered['retry-after'], new Date())
      return { ...base, outcome: 'FAILED', wait: Math.max(pause, nextDelay()), pause, attempt: logged }
    } catch (error) {
      if (stop.aborted) return { ...base, outcome: 'RETURNED', attempt: null }
      const why = error instanceof FetchRefused ? error.message : 'The service failed to send the request'
      return { ...base, outcome: 'FAILED', wait: nextDelay(), attempt: attempt(null, null, why) }
    }
  }
}

/** jsonb cannot store U+0000. */
const inJson = (text: string) => text.replaceAll('\0', '\uFFFD')
