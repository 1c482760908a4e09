import type { LeaderboardPeriod } from '@cairn/sdk'

type Window = NonNullable<LeaderboardPeriod['window']>
/** Every window, in the order of the choice. One that is missing does not compile. */
const ORDER: Record<Window, number> = { day: 1, week: 2, month: 3 }
export const WINDOWS = Object.keys(ORDER) as Window[]
/** What a leaderboard counts: a window of the calendar, or a season by its ID. Neither: all scores. */
export type Period = { window?: Window | undefined; season?: string | undefined }

/** Invalid values are dropped. */
export function parsePeriod({ window, season }: Record<string, unknown>): Period {
  const known = WINDOWS.find((one) => one === window)
  if (typeof season === 'string' && season !== '') return { season }
  return known ? { window: known } : {}
}

export const isAllTime = ({ window, season }: Period) => window === undefined && season === undefined

/** Search parameters of a leaderboard: a player beside it, the game session it is of, or its period. */
export type BoardSearch = Period & { around?: string | undefined; session?: string | undefined }

/** Invalid and empty values are dropped. */
export const parseBoardSearch = ({ around, session, ...period }: Record<string, unknown>): BoardSearch => ({
  ...(typeof around === 'string' && around !== '' ? { around } : {}),
  ...(typeof session === 'string' && session !== '' ? { session } : {}),
  ...parsePeriod(period),
})
