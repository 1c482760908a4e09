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
