import type { OpeningHours } from '../records/schema.ts'

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const SHORT: Record<string, number> = { Mon: 0, Tue: 1, Wed: 2, Thu: 3, Fri: 4, Sat: 5, Sun: 6 }

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

/** Whether a moment, in milliseconds since 1970, is within opening hours in a time zone. */
export function isOpen(hours: readonly OpeningHours[], timeZone: string, moment: number): boolean {
  const { day, minute } = localTime(moment, timeZone)
  return hours.some(({ days = DAYS, from, to }) => {
    const [start, end] = [minutesOf(from), minutesOf(to)]
    const opens = (on: number) => days.includes(DAYS[on]!)
    if (start < end) return opens(day) && start <= minute && minute < end
    // Open across midnight: of today from its start, of yesterday until its end.
    return (opens(day) && minute >= start) || (opens((day + 6) % 7) && minute < end)
  })
}

function localTime(moment: number, timeZone: string): { day: number; minute: number } {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(moment)
  const part = (type: string) => parts.find((one) => one.type === type)!.value
  return { day: SHORT[part('weekday')]!, minute: Number(part('hour')) * 60 + Number(part('minute')) }
}
