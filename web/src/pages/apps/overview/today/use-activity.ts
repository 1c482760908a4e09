import type { AppActivity } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { formatNumber, formatPercent } from '../../../../components/data/format.ts'
import { currentLocale } from '../../../../language/language.ts'
import { messages } from '../../../../messages/index.ts'
import { useCairn } from '../../../../session/session.tsx'

const texts = messages.app.today

/** What happens in an app, refetched twice a minute. */
export function useActivity(appId: string) {
  const cairn = useCairn()
  return useQuery({
    queryKey: ['app', appId, 'activity'],
    queryFn: ({ signal }) => cairn.apps.activity(appId, { signal }),
    refetchInterval: 30_000,
  })
}

/** Beyond it, a percentage says only that there were few before: their number says more. */
const MAX_GROWTH = 2

const weekday = new Intl.DateTimeFormat(currentLocale(), { weekday: 'long', timeZone: 'UTC' })
const shortWeekday = new Intl.DateTimeFormat(currentLocale(), { weekday: 'short', timeZone: 'UTC' })

/** The name of a day in a chart: its weekday and number. */
export const dayName = (day: string): string => `${shortWeekday.format(new Date(day))} ${new Date(day).getUTCDate()}`

/** The players of today compared with the same day of last week up to the end of this hour, in words. */
export function comparisonOf({ at, players: { today, lastWeekByNow } }: AppActivity): string {
  const { unknown, none, same, from, more, fewer } = texts.compared
  const day = weekday.format(new Date(at))
  const hour = `${new Date(at).getUTCHours() + 1}:00`
  if (lastWeekByNow === null) return unknown(day)
  if (lastWeekByNow === today) return same(day, hour)
  if (lastWeekByNow === 0) return none(day, hour)
  const change = (today - lastWeekByNow) / lastWeekByNow
  if (change > MAX_GROWTH) return from(formatNumber(lastWeekByNow), day, hour)
  return change > 0 ? more(formatPercent(change), day, hour) : fewer(formatPercent(-change), day, hour)
}

/** A count of which the service says no more than that there are 10,000. */
export const cappedNumber = (count: number): string =>
  count >= 10_000 ? texts.orMore(formatNumber(count)) : formatNumber(count)
