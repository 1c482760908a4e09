import type { AppUsage } from '@cairn/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Bar } from '../../../components/data/bar-chart.tsx'
import { formatNumber, formatPercent } from '../../../components/data/format.ts'
import { currentLocale } from '../../../language/language.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import type { Days } from '../search-params.ts'

const texts = messages.app.calls

/** Call counts of the last `days` days, refetched twice a minute. */
export function useUsage(appId: string, days: Days) {
  const cairn = useCairn()
  return useQuery({
    queryKey: ['usage', appId, days],
    queryFn: ({ signal }) => cairn.apps.usage(appId, { days }, { signal }),
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
  })
}

/** The series of the chart, from bottom to top. */
export const SERIES = [
  { name: texts.answered, colour: 'var(--chart)' },
  { name: texts.refused, colour: 'var(--note)' },
  { name: texts.limited, colour: 'var(--warn)' },
  { name: texts.failed, colour: 'var(--err)' },
]

type Counts = AppUsage['totals']
export const answeredOf = ({ calls, refused, limited, failed }: Counts): number => calls - refused - limited - failed

/** Beyond it, a percentage says only that there were few before. It stands beside their number, unlike that of a day, and may be larger. */
const MAX_GROWTH = 10

/** The calls beside those of the same time before, in words; undefined if those are not kept. */
export function comparisonOf({ totals: { calls }, previous }: AppUsage): string | undefined {
  if (previous === null) return undefined
  const before = previous.calls
  if (before === 0 || before === calls) return texts.before(formatNumber(before))
  const change = (calls - before) / before
  if (change > MAX_GROWTH) return texts.before(formatNumber(before))
  return (change > 0 ? texts.more : texts.fewer)(formatPercent(Math.abs(change)), formatNumber(before))
}

/** The label of a bucket: a local time for hours, a UTC date for days. */
export const bucketName = (at: string, step: AppUsage['step']): string =>
  step === 'hour'
    ? new Date(at).toLocaleTimeString(currentLocale(), { hour: '2-digit', minute: '2-digit' })
    : new Date(at).toLocaleDateString(currentLocale(), { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The bars, tick labels and text summary of the chart. */
export function chartOf({ buckets, step, totals }: AppUsage): {
  bars: Bar[]
  ticks: { at: number; name: string }[]
  summary: string
} {
  const name = (at: string) => bucketName(at, step)
  const bars = buckets.map(({ at, ...counts }) => ({
    label: texts.bar(name(at), formatNumber(counts.calls)),
    parts: [answeredOf(counts), counts.refused, counts.limited, counts.failed],
  }))
  const most = buckets.reduce((top, bucket) => (bucket.calls > top.calls ? bucket : top))
  // Few bars are all named; of many, four are.
  const every = buckets.length <= 8 ? 1 : Math.ceil(buckets.length / 4)
  const last = buckets.length - 1
  const ticks = buckets.flatMap(({ at }, n) =>
    n === last
      ? [{ at: n, name: texts.now }]
      : n % every === 0 && n <= last - every / 2
        ? [{ at: n, name: name(at) }]
        : [],
  )
  return {
    bars,
    ticks,
    summary:
      totals.calls === 0
        ? texts.summaryNone
        : texts.summary(formatNumber(totals.calls), formatNumber(most.calls), name(most.at)),
  }
}
