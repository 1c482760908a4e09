import { useEffect, useState } from 'react'
import { currentLocale } from '../../language/language.ts'
import { messages } from '../../messages/index.ts'

const clockFormat = new Intl.DateTimeFormat(currentLocale(), { hour: '2-digit', minute: '2-digit' })
const dayFormat = new Intl.DateTimeFormat(currentLocale(), { day: 'numeric', month: 'short', year: 'numeric' })

/** A timestamp: relative up to one hour, then the time of day, then the date. The tooltip shows ISO 8601. */
export function RelativeTime({ at }: { at: string | null }) {
  const [drawnAt, setNow] = useState(Date.now)
  // Prevents new timestamps from appearing to be in the future.
  const now = Math.max(drawnAt, Date.now())
  const age = at ? now - Date.parse(at) : 0
  useEffect(() => {
    if (!at || Math.abs(age) > 3_600_000) return
    const timer = setInterval(() => setNow(Date.now()), Math.abs(age) < 60_000 ? 5_000 : 30_000)
    return () => clearInterval(timer)
  }, [at, age])
  if (!at) return <>{messages.common.never}</>
  return (
    <time dateTime={at} title={at}>
      {formatRelative(new Date(at), now)}
    </time>
  )
}

/** Formats a timestamp relative to `now`. */
function formatRelative(at: Date, now: number): string {
  const age = now - at.getTime()
  if (age >= 0 && age < 60_000)
    return age < 1000 ? messages.common.now : messages.common.seconds(Math.round(age / 1000))
  if (age >= 0 && age < 3_600_000) return messages.common.minutes(Math.round(age / 60_000))
  if (age < 0 && age > -3_600_000) return messages.common.inMinutes(Math.max(1, Math.round(-age / 60_000)))
  const clock = clockFormat.format(at)
  if (at.toDateString() === new Date(now).toDateString()) return clock
  return `${dayFormat.format(at)}, ${clock}`
}
