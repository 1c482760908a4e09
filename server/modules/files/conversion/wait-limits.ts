import type { Sender } from '../../../platform/credentials/guards.ts'
import { HttpError, unavailable } from '../../../platform/errors.ts'

/** How many requests can wait for conversions: per caller, and in all. */
const BOUNDS = { app: 200, user: 50, anonymous: 20, inAll: 500 }
const RETRY_SECONDS = 10

/** Counts requests that wait for conversions. */
export function waitLimits() {
  const ofCaller = new Map<string, number>()
  let inAll = 0
  const keyOf = ({ kind, id }: Sender) => `${kind} ${id}`
  const isFull = () => inAll >= BOUNDS.inAll
  const hasMost = (caller: Sender) => (ofCaller.get(keyOf(caller)) ?? 0) >= BOUNDS[caller.kind]

  return {
    /** Whether another request of this caller may wait. */
    hasRoomFor: (caller: Sender): boolean => !isFull() && !hasMost(caller),

    /**
     * Takes a place. @returns a function that releases it @throws 429 if the caller has too many; 503 if all places are
     * taken
     */
    take(caller: Sender): () => void {
      if (isFull()) throw unavailable('Too many requests are waiting for conversions: try again later', RETRY_SECONDS)
      if (hasMost(caller)) {
        const whose = { app: 'of this app', user: 'of yours', anonymous: 'from this address' }[caller.kind]
        const message = `${BOUNDS[caller.kind]} requests ${whose} are waiting for conversions: wait for some to complete`
        throw new HttpError(429, message, { 'retry-after': String(RETRY_SECONDS) })
      }
      const key = keyOf(caller)
      inAll++
      ofCaller.set(key, (ofCaller.get(key) ?? 0) + 1)
      return () => {
        inAll--
        const rest = ofCaller.get(key)! - 1
        if (rest === 0) ofCaller.delete(key)
        else ofCaller.set(key, rest)
      }
    },
  }
}
