import { CairnError } from './error.ts'

/** How requests are retried. */
export type RetryPlan = {
  /** Maximum number of attempts. 1 disables retries. Defaults to 4. */
  attempts: number
  /** Milliseconds before the first retry. Doubles with each retry. Defaults to 300. */
  firstWait: number
  /** Maximum wait between attempts in milliseconds. If the service asks for a longer wait, the error is thrown. Defaults to 30,000. */
  longestWait: number
}

export const defaultRetryPlan: RetryPlan = { attempts: 4, firstWait: 300, longestWait: 30_000 }

/** Transient failures: no response, rate limits, and unavailable services or gateways. */
const isTransient = ({ status }: CairnError) => [0, 408, 429, 502, 503, 504].includes(status)

/** The response to a retry while the first request with the same Idempotency-Key is still running. */
const isUnderWay = ({ status, error }: CairnError) =>
  status === 409 && typeof error === 'string' && error.includes('is still being answered')

/** Runs `work`, which must be safe to repeat, and retries transient failures. @throws the last failure; the abort reason if `signal` aborts */
export async function attempt<Result>(
  work: (number: number) => Promise<Result>,
  plan: RetryPlan,
  signal?: AbortSignal,
): Promise<Result> {
  for (let number = 1; ; number++) {
    try {
      return await work(number)
    } catch (error) {
      const isWorthIt = error instanceof CairnError && (isTransient(error) || (number > 1 && isUnderWay(error)))
      if (!isWorthIt || number >= plan.attempts) throw error
      const wait = waitAfter(number, plan, error.retryAfter)
      if (wait > plan.longestWait) throw error
      await pause(wait, signal)
    }
  }
}

/** Milliseconds to wait after a number of failures: exponential with jitter, and at least `retryAfter` seconds. */
export function waitAfter(failures: number, { firstWait, longestWait }: RetryPlan, retryAfter: number | null): number {
  const growing = Math.min(longestWait, firstWait * 2 ** (failures - 1))
  return Math.max(growing * (0.5 + Math.random() / 2), (retryAfter ?? 0) * 1000)
}

/** Waits. @throws the abort reason if `signal` aborts */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
