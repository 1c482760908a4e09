import type { AppUsage } from '@cairn/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { formatNumber } from '../../../components/data/format.ts'
import { Table } from '../../../components/data/table.tsx'
import { ApiCallButton } from '../../../components/layout/api-call.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import classes from '../app-page.module.css'
import { AppPage } from '../app-page.tsx'
import { CallsPanel } from './calls-panel.tsx'
import { RefusalsPanel } from './refusals-panel.tsx'
import { answeredOf, bucketName, useUsage } from './use-usage.ts'

const texts = messages.app.usage
const route = getRouteApi('/shell/apps/$appId/usage')

/** Calls of up to 90 days as a chart and a table, and failed calls. */
export function Usage() {
  const { appId } = route.useParams()
  const { days = 7 } = route.useSearch()
  const navigate = route.useNavigate()
  const usage = useUsage(appId, days)
  return (
    <AppPage appId={appId} tab="usage">
      {() => (
        <div className={classes.tiles}>
          <CallsPanel
            isLong
            usage={usage}
            days={days}
            choices={[1, 7, 30, 90]}
            onDays={(next) => void navigate({ search: { days: next }, replace: true })}
          />
          <RefusalsPanel appId={appId} usage={usage} />
          <Panel
            flush
            title={texts.table}
            actions={<ApiCallButton path={`/api/v1/apps/${appId}/usage?days=${days}`} auth="session" />}
          >
            <QueryResult query={usage}>{(found) => <Buckets usage={found} />}</QueryResult>
          </Panel>
          <p className="small faint">{messages.app.calls.counted}</p>
        </div>
      )}
    </AppPage>
  )
}

/** The chart data as a table, latest first. */
function Buckets({ usage: { buckets, step, totals } }: { usage: AppUsage }) {
  return (
    <Table label={texts.table}>
      <thead>
        <tr>
          <th>{texts.from}</th>
          <th className="num">{texts.calls}</th>
          <th className="num wide-only">{texts.answered}</th>
          <th className="num">{texts.refused}</th>
          <th className="num wide-only">{texts.limited}</th>
          <th className="num">{texts.failed}</th>
        </tr>
      </thead>
      <tbody>
        <Line name={<span className="strong">{texts.total}</span>} counts={totals} />
        {buckets.toReversed().map(({ at, ...counts }) => (
          <Line
            key={at}
            name={
              <time dateTime={at} className={classes.bucket}>
                {bucketName(at, step)}
              </time>
            }
            counts={counts}
          />
        ))}
      </tbody>
    </Table>
  )
}

function Line({ name, counts }: { name: React.ReactNode; counts: AppUsage['totals'] }) {
  return (
    <tr>
      <td>{name}</td>
      <td className="num">{formatNumber(counts.calls)}</td>
      <td className="num wide-only">{formatNumber(answeredOf(counts))}</td>
      <td className="num">{formatNumber(counts.refused)}</td>
      <td className="num wide-only">{formatNumber(counts.limited)}</td>
      <td className="num">{formatNumber(counts.failed)}</td>
    </tr>
  )
}
