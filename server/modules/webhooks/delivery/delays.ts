/** No wait is longer, in seconds. */
const LONGEST = 6 * 60 * 60
const GROWTH = 4
/** What a receiver may ask for by Retry-After, in seconds. */
const LONGEST_ASKED = 60 * 60

/**
 * Seconds until a delivery is tried again after it failed for the n-th time: the first wait, four times as long each
 * time, six hours at most, a fifth more or less so that not all come back together.
 * @param random from 0 to 1
 */
export function delayAfter(failures: number, first: number, random: number): number {
  const delay = Math.min(LONGEST, first * GROWTH ** Math.min(failures - 1, 20))
  return delay * (0.8 + 0.4 * random)
}

/** Seconds that a receiver asks for (RFC 9110 §10.2.3: seconds or a date), an hour at most; 0 when it does not ask. */
export function askedDelay(retryAfter: string | undefined, now: Date): number {
  if (!retryAfter) return 0
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now.getTime()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), LONGEST_ASKED) : 0
}
