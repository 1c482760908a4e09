import { CairnError } from './error.ts'

/** How often and how patiently a request is tried again. */
export type RetryPlan = {
  /** Tries in all; 1: none again. Default 4. */
  attempts: number
  /** Milliseconds before the second try, doubled for each further one. Default 300. */
  firstWait: number
  /** Milliseconds at most between two tries. Who is told to wait longer than this gets the error. Default 30,000. */
  longestWait: number
}

export const usualPlan: RetryPlan = { attempts: 4, firstWait: 300, longestWait: 30_000 }

/** Failures that may be over in a moment: no answer, too many requests, and a service that is away or in between. */
const mayPass = ({ status }: CairnError) => [0, 408, 429, 502, 503, 504].includes(status)

/** The answer to a repeat that overtook the first request with its Idempotency-Key. */
const isUnderWay = ({ status, error }: CairnError) =>
  status === 409 && typeof error === 'string' && error.includes('is still being answered')

/** Carries work out, and again while its failure may pass. Work must be safe to repeat.
 * @throws the last failure; the reason of `signal` once it is aborted */
export async function attempt<Result>(
  work: (number: number) => Promise<Result>,
  plan: RetryPlan,
  signal?: AbortSignal,
): Promise<Result> {
  for (let number = 1; ; number++) {
    try {
      return await work(number)
    } catch (error) {
      const isWorthIt = error instanceof CairnError && (mayPass(error) || (number > 1 && isUnderWay(error)))
      if (!isWorthIt || number >= plan.attempts) throw error
      const wait = waitAfter(number, plan, error.retryAfter)
      if (wait > plan.longestWait) throw error
      await pause(wait, signal)
    }
  }
}

/** Milliseconds to wait after this many failures: growing, with chance in it so that many clients do not come back at once; never less than the service asked for. */
export function waitAfter(failures: number, { firstWait, longestWait }: RetryPlan, retryAfter: number | null): number {
  const growing = Math.min(longestWait, firstWait * 2 ** (failures - 1))
  return Math.max(growing * (0.5 + Math.random() / 2), (retryAfter ?? 0) * 1000)
}

/** Waits. @throws the reason of `signal` as soon as it is aborted */
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
