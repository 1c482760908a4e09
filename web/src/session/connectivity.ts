/** Milliseconds until the service is looked for again: after the first look that failed, and at most. */
const FIRST_WAIT = 5_000
const LONGEST_WAIT = 30_000
/** Milliseconds after which no answer will come. */
const PATIENCE = 5_000

/** What waits longer than this is told, with the time, in place of waiting in silence. */
export const RETRY = { longestWait: 3_000 }

/** `lostAt`: since when the service does not answer; null while it does. `nextTryAt`: when it is looked for next, in milliseconds since 1970. */
export type Reached = { lostAt: Date | null; nextTryAt: number }

export type Reach = ReturnType<typeof createReach>

/** Knows whether the service answers. Whoever gets no answer says so; then it is looked for until it is there again. @param onFound it answers again */
export function createReach(onFound: () => void) {
  let now: Reached = { lostAt: null, nextTryAt: 0 }
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isLooking = false
  const listeners = new Set<() => void>()

  const become = (next: Reached) => {
    now = next
    for (const tell of listeners) tell()
  }

  async function look() {
    if (isLooking) return
    isLooking = true
    clearTimeout(timer)
    const isThere = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) }).then(
      (response) => response.ok,
      () => false,
    )
    isLooking = false
    if (isThere) return found()
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures++)
    become({ lostAt: now.lostAt ?? new Date(), nextTryAt: Date.now() + wait })
    timer = setTimeout(look, wait)
  }

  function found() {
    failures = 0
    if (!now.lostAt) return
    become({ lostAt: null, nextTryAt: 0 })
    onFound()
  }

  return {
    now: () => now,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** A request got no answer: one alone may have its own cause. Once that is known, the next look has its time. */
    missed: () => {
      if (!now.lostAt) void look()
    },
    /** A request was answered. */
    answered: () => {
      if (now.lostAt) found()
    },
    /** Looks at once. */
    tryNow: () => void look(),
    /** Ends the looking. */
    end: () => clearTimeout(timer),
  }
}

/** Asks as `fetch` does, and says so when there is no answer. */
export const watchedFetch =
  (reach: Reach): typeof fetch =>
  (...request) =>
    fetch(...request).then(
      (response) => {
        reach.answered()
        return response
      },
      (error) => {
        // As fetch says it.
        if (error instanceof TypeError) reach.missed()
        throw error
      },
    )
