import type { AppActivity } from '@cairn/sdk'
import { BarChart } from '../../../../components/data/bar-chart.tsx'
import { formatNumber } from '../../../../components/data/format.ts'
import { messages } from '../../../../messages/index.ts'
import classes from './today.module.css'
import { dayName } from './use-activity.ts'

const texts = messages.app.today
const SERIES = [{ name: texts.playersOf, colour: 'var(--chart)' }]

/** Players of each of the last 14 days. Today and the same day of last week stand out. */
export function PlayerDays({ activity: { players } }: { activity: AppActivity }) {
  const { days, today } = players
  const last = days.length - 1
  const isCompared = (n: number) => n === last || n === last - 7
  const most = days.reduce((top, day) => (day.players > top.players ? day : top))
  return (
    <div className={classes.part}>
      <h3>
        {texts.days} <span>{texts.daysText}</span>
      </h3>
      <BarChart
        height={112}
        summary={texts.daysSummary(formatNumber(today), formatNumber(most.players), dayName(most.day))}
        series={SERIES}
        bars={days.map((day, n) => ({
          label: dayName(day.day),
          parts: [day.players],
          isMuted: !isCompared(n),
        }))}
        ticks={days.flatMap(({ day }, n) => (isCompared(n) || n === 0 ? [{ at: n, name: dayName(day) }] : []))}
      />
    </div>
  )
}
