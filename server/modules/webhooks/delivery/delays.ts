/** Longest delay between attempts, in seconds. */
const LONGEST = 6 * 60 * 60
const GROWTH = 4
/** Longest delay that a receiver can request with Retry-After, in seconds. */
const LONGEST_ASKED = 60 * 60

/**
 * Seconds until the next attempt after the n-th failure: the first delay, four times as long each time, at most six
 * hours, with 20 % jitter. @param random from 0 to 1
 */
export function delayAfter(failures: number, first: number, random: number): number {
  const delay = Math.min(LONGEST, first * GROWTH ** Math.min(failures - 1, 20))
  return delay * (0.8 + 0.4 * random)
}

/**
 * Seconds that a receiver requests with Retry-After (RFC 9110 §10.2.3: seconds or a date), at most an hour; 0 without
 * it.
 */
export function askedDelay(retryAfter: string | undefined, now: Date): number {
  if (!retryAfter) return 0
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now.getTime()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), LONGEST_ASKED) : 0
}
