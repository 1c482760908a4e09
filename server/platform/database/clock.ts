/** Moments, in milliseconds since 1970, as the database counts them. */
export type Clock = { now: () => number }

export type DatabaseClock = ReturnType<typeof databaseClock>

/**
 * The database's clock, between two questions to it. Whether something has ended is asked of it and not of this
 * machine's clock, which may be wrong and may be set at any time: processes on several machines agree then. Until the
 * first answer came it is this machine's clock.
 */
export function databaseClock() {
  /** How far the database's clock is before the one that runs since this process began, in milliseconds: at least and at most. */
  let ahead: { least: number; most: number } | undefined

  return {
    /** Never behind the database's clock, and before it by no more than the quickest answer took. */
    now: (): number => (ahead ? performance.now() + ahead.most : Date.now()),

    /** What the database's clock said to a question. @param asked, answered when, by `performance.now()` */
    learn(databaseMs: number, asked: number, answered: number): void {
      const seen = { least: databaseMs - answered, most: databaseMs - asked }
      const both = ahead && {
        least: Math.max(seen.least, ahead.least),
        most: Math.min(seen.most, ahead.most),
      }
      // Where the two do not meet, one of the clocks was set, or they have run apart: the newer answer counts.
      ahead = both && both.least <= both.most ? both : seen
    },
  }
}
