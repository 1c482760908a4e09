import type { AppUsage } from '@cairn/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../../components/data/badge.tsx'
import { formatNumber } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { reasonText } from '../../../components/feedback/server-text.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import classes from './refusals-panel.module.css'

const texts = messages.app.refusals

/** 4xx responses grouped by cause, most frequent first. @param atMost shows only this many, with a link to all */
export function RefusalsPanel({
  appId,
  usage,
  atMost,
}: {
  appId: string
  usage: UseQueryResult<AppUsage>
  atMost?: number
}) {
  return (
    <Panel
      flush
      title={texts.title}
      actions={
        atMost && (
          <Link to="/apps/$appId/usage" params={{ appId }} className={classes.all}>
            {texts.all}
          </Link>
        )
      }
    >
      <QueryResult query={usage}>
        {({ refusals }) =>
          refusals.length === 0 ? (
            <EmptyState title={texts.none}>{texts.noneText}</EmptyState>
          ) : (
            <Causes refusals={refusals.slice(0, atMost)} />
          )
        }
      </QueryResult>
    </Panel>
  )
}

function Causes({ refusals }: Pick<AppUsage, 'refusals'>) {
  const { columns } = texts
  return (
    <Table label={texts.title}>
      <thead>
        <tr>
          <th className="wide-only">{columns.last}</th>
          <th>{columns.call}</th>
          <th>{columns.status}</th>
          <th className="wide-only">{columns.why}</th>
          <th className="num">{columns.times}</th>
        </tr>
      </thead>
      <tbody>
        {refusals.map(({ method, route, status, reason, times, lastAt }) => {
          const why = reason === 'other' ? texts.other : reasonText(reason)
          return (
            <tr key={`${method} ${route} ${status} ${reason}`}>
              <td className={`wide-only faint ${classes.last}`}>
                <RelativeTime at={lastAt} />
              </td>
              <td className={classes.call}>
                <code>
                  {method} {route.replace('/api/v1/apps', '')}
                </code>
                <div className="narrow-only small dim">{why}</div>
              </td>
              <td>
                <Badge tone={status === 429 ? 'warn' : 'err'}>{String(status)}</Badge>
              </td>
              <td className={`wide-only dim ${classes.why}`}>{why}</td>
              <td className="num">{texts.times(formatNumber(times))}</td>
            </tr>
          )
        })}
      </tbody>
    </Table>
  )
}
