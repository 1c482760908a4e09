/** Times in milliseconds since 1970, by the database's clock. */
export type Clock = { now: () => number }

export type DatabaseClock = ReturnType<typeof databaseClock>

/**
 * The database's clock, extrapolated between queries. Expiry is decided by it and not by this machine's clock, which
 * may be wrong or changed at any time, so that processes on several machines agree. Until the first response it is this
 * machine's clock.
 */
export function databaseClock() {
  /** Offset of the database's clock to this process's monotonic clock, in milliseconds: lower and upper bound. */
  let ahead: { least: number; most: number } | undefined

  return {
    /** Never behind the database's clock, and ahead by no more than the fastest response took. */
    now: (): number => (ahead ? performance.now() + ahead.most : Date.now()),

    /**
     * Learns from a response of the database's clock. @param asked, answered times of the query and its response, by
     * `performance.now()`
     */
    learn(databaseMs: number, asked: number, answered: number): void {
      const seen = { least: databaseMs - answered, most: databaseMs - asked }
      const both = ahead && {
        least: Math.max(seen.least, ahead.least),
        most: Math.min(seen.most, ahead.most),
      }
      // If the bounds contradict, a clock was set or they have drifted apart: the newer response counts.
      ahead = both && both.least <= both.most ? both : seen
    },
  }
}
