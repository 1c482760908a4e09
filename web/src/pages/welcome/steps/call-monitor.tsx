import type { App, AppUsage } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../../components/data/badge.tsx'
import { formatNumber } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import classes from './call-monitor.module.css'

const texts = messages.welcome.call
/** Milliseconds between refetches. */
const EVERY_MS = 2000

/** Today's calls with the app's keys, refetched every two seconds. */
export function CallMonitor({ app }: { app: App }) {
  const cairn = useCairn()
  const { data } = useQuery({
    queryKey: ['calls', app.id],
    queryFn: async ({ signal }) => {
      const usage = await cairn.apps.usage(app.id, { days: 1 }, { signal })
      const { apiKeys } = await cairn.apps.apiKeys(app.id, { signal })
      const lastAt = apiKeys.map(({ lastUsedAt }) => lastUsedAt ?? '').sort()
      return { usage, lastAt: lastAt.at(-1) || null }
    },
    refetchInterval: EVERY_MS,
  })
  const calls = data?.usage.totals.calls ?? 0
  return (
    <Panel
      flush
      title={texts.listening(app.name)}
      beside={<span className={`${classes.dot} drawn`} aria-hidden />}
      actions={
        <span className={classes.count} role="status">
          {texts.calls(calls, formatNumber(calls))}
        </span>
      }
    >
      {data && calls > 0 ? (
        <Calls {...data} />
      ) : (
        <div className={classes.none}>
          <p className="dim">{texts.none}</p>
          <p className="small faint">{texts.noneWrong}</p>
        </div>
      )}
    </Panel>
  )
}

function Calls({ usage: { totals, refusals }, lastAt }: { usage: AppUsage; lastAt: string | null }) {
  const answered = totals.calls - totals.refused - totals.limited - totals.failed
  return (
    <Table label={texts.table}>
      <thead className="visually-hidden">
        <tr>
          <th>{texts.columns.last}</th>
          <th>{texts.columns.call}</th>
          <th>{texts.columns.status}</th>
          <th>{texts.columns.why}</th>
        </tr>
      </thead>
      <tbody>
        {answered > 0 && (
          <tr>
            <td className={`faint ${classes.when}`}>
              <RelativeTime at={lastAt} />
            </td>
            <td>
              {texts.answered(answered, formatNumber(answered))}
              <div className="narrow-only small dim">{texts.arrived}</div>
            </td>
            <td>
              <Badge tone="ok">{texts.answeredBadge}</Badge>
            </td>
            <td className="wide-only dim">{texts.arrived}</td>
          </tr>
        )}
        {refusals.map(({ method, route, status, reason, times, lastAt: at }) => (
          <tr key={`${method} ${route} ${status} ${reason}`}>
            <td className={`faint ${classes.when}`}>
              <RelativeTime at={at} />
            </td>
            <td>
              <code>
                {method} {route.replace('/api/v1/apps', '')}
              </code>
              <div className="narrow-only small dim">{reason}</div>
            </td>
            <td>
              <Badge tone={status === 429 ? 'warn' : 'err'}>{String(status)}</Badge>
            </td>
            <td className="wide-only dim">
              {reason}
              {times > 1 && <span className="faint"> {texts.times(formatNumber(times))}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
