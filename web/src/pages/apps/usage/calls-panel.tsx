import type { AppUsage } from '@cairn/sdk'
import { SegmentedControl } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { BarChart } from '../../../components/data/bar-chart.tsx'
import { formatNumber, formatPercent } from '../../../components/data/format.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import classes from '../app-page.module.css'
import type { Days } from '../search-params.ts'
import { chartOf, comparisonOf, SERIES } from './use-usage.ts'

const texts = messages.app.calls
type Props = {
  usage: UseQueryResult<AppUsage>
  days: Days
  choices: Days[]
  onDays: (days: Days) => void
  /** Labels the choices by number of days. */
  isLong?: boolean
}

/** Call counts by result, as figures and as a chart. */
export function CallsPanel({ usage, days, choices, onDays, isLong }: Props) {
  const names: Partial<Record<Days, string>> = isLong ? texts.longPeriods : texts.periods
  return (
    <Panel
      title={texts.title}
      beside={<span className="wide-only">{texts.last[days]}</span>}
      actions={
        <SegmentedControl
          aria-label={texts.period}
          data={choices.map((choice) => ({ value: String(choice), label: names[choice] ?? '' }))}
          value={String(days)}
          onChange={(value) => onDays(Number(value) as Days)}
        />
      }
    >
      <QueryResult query={usage}>{(found) => <Calls usage={found} />}</QueryResult>
    </Panel>
  )
}

function Calls({ usage }: { usage: AppUsage }) {
  const { totals, medianMs } = usage
  const facts = [
    [texts.calls, formatNumber(totals.calls), comparisonOf(usage)],
    [
      texts.refused,
      totals.calls === 0 ? formatNumber(0) : formatPercent((totals.refused + totals.limited) / totals.calls),
    ],
    [texts.failed, formatNumber(totals.failed)],
    [texts.median, medianMs === null ? '–' : texts.ms(formatNumber(medianMs))],
  ]
  return (
    <>
      <dl className={classes.stats}>
        {facts.map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
            {note && <dd className={classes.compared}>{note}</dd>}
          </div>
        ))}
      </dl>
      {totals.calls === 0 ? (
        <p className="dim">
          <span className="strong">{texts.none}.</span> {texts.noneText}
        </p>
      ) : (
        <BarChart {...chartOf(usage)} series={SERIES} />
      )}
    </>
  )
}
