/** Runs the work of a key, or joins a run of it. */
type Share<Result> = (key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Shares work among concurrent callers and keeps what they see current: a caller that comes while the work of its key
 * runs waits for the next run, with all others that came meanwhile. Every run begins after all callers it answers, so
 * each sees what was committed before it called. A failed run rejects only the callers it answers.
 * @returns runs the work of a key; of callers that share a run, the first one's `work` is called
 */
export function coalesce<Result>(): Share<Result> {
  const running = new Map<string, Promise<Result>>()
  const next = new Map<string, Promise<Result>>()

  const share: Share<Result> = (key, work) => {
    const current = running.get(key)
    if (!current) {
      const started = work().finally(() => running.delete(key))
      running.set(key, started)
      return started
    }
    const waiting =
      next.get(key) ??
      current
        .catch(() => {})
        .then(() => {
          next.delete(key)
          return share(key, work)
        })
    next.set(key, waiting)
    return waiting
  }
  return share
}

/** {@link coalesce} for a single piece of work: it never runs twice at a time. */
export function coalesceRuns<Result>(work: () => Promise<Result>): () => Promise<Result> {
  const share = coalesce<Result>()
  return () => share('', work)
}

/** Shares work among concurrent callers: a caller that comes while the work of its key runs gets the result of that run. */
export function singleFlight<Result>(): Share<Result> {
  const running = new Map<string, Promise<Result>>()
  return (key, work) => {
    const current = running.get(key) ?? work().finally(() => running.delete(key))
    running.set(key, current)
    return current
  }
}
