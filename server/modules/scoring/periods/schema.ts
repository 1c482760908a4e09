import { z } from 'zod'

/** Periods that repeat by the calendar. */
export const WINDOWS = ['day', 'week', 'month'] as const
export type Window = (typeof WINDOWS)[number]

/** An IANA time zone. */
export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin')
  .meta({ example: 'Europe/Berlin' })

function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z][\w+/-]*$/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** The parameters of leaderboards that leaderboards of all time, and of sessions, do not have. */
export const OF_ALL_TIME = {
  values: { window: ['all'], season: [], segment: [], at: [] },
  message:
    'is not available for this leaderboard: use GET /api/v1/apps/leaderboards/mini-game, or …/players/{id}/global-ranking for one player',
}
