import { createConcurrencyLimiter } from '../../../../platform/concurrency/concurrency-limiter.ts'
import { unavailable } from '../../../../platform/errors.ts'
import type { CheckInCounts, Span } from './count-schema.ts'

/** Counts that wait while one runs. */
const WAITING = 20

type Deps = {
  store: { ofApp: (appId: string, span: Span, limit: number) => Promise<Omit<CheckInCounts, keyof Span>> }
}

export type CheckInCountService = ReturnType<typeof checkInCountService>

/**
 * Counts one app's check-ins at a time: a count may read many millions, on connections that searches share. Apps take turns.
 */
export function checkInCountService({ store }: Deps) {
  const limited = createConcurrencyLimiter({
    maxConcurrent: 1,
    maxWaiting: WAITING,
    full: () => unavailable('Too many counts are waiting: try again', 5),
  })
  return {
    /** @throws 503 */
    ofApp: async (appId: string, span: Span, limit: number): Promise<CheckInCounts> => ({
      ...span,
      ...(await limited(() => store.ofApp(appId, span, limit), { sender: appId })),
    }),
  }
}
