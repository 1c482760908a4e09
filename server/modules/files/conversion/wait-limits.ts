import type { Sender } from '../../../platform/credentials/callers.ts'
import { HttpError, unavailable } from '../../../platform/errors.ts'

/** How many requests can wait for conversions: per caller, and in all. */
const MAX_WAITING = { app: 200, user: 50, anonymous: 20, total: 500 }
const RETRY_SECONDS = 10

/** Counts requests that wait for conversions. */
export function waitLimits() {
  const byCaller = new Map<string, number>()
  let total = 0
  const keyOf = ({ kind, id }: Sender) => `${kind} ${id}`
  const isFull = () => total >= MAX_WAITING.total
  const isCallerFull = (caller: Sender) => (byCaller.get(keyOf(caller)) ?? 0) >= MAX_WAITING[caller.kind]

  return {
    /** Whether another request of this caller may wait. */
    hasRoomFor: (caller: Sender): boolean => !isFull() && !isCallerFull(caller),

    /**
     * Takes a place. @returns a function that releases it @throws 429 if the caller has too many; 503 if all places are
     * taken
     */
    take(caller: Sender): () => void {
      if (isFull()) throw unavailable('Too many requests are waiting for conversions: try again later', RETRY_SECONDS)
      if (isCallerFull(caller)) {
        const whose = { app: 'of this app', user: 'of yours', anonymous: 'from this address' }[caller.kind]
        const message = `${MAX_WAITING[caller.kind]} requests ${whose} are waiting for conversions: wait for some to complete`
        throw new HttpError(429, message, { 'retry-after': String(RETRY_SECONDS) })
      }
      const key = keyOf(caller)
      total++
      byCaller.set(key, (byCaller.get(key) ?? 0) + 1)
      return () => {
        total--
        const rest = byCaller.get(key)! - 1
        if (rest === 0) byCaller.delete(key)
        else byCaller.set(key, rest)
      }
    },
  }
}
