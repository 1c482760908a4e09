import type { WebhookDelivery } from '@cairn/sdk'
import { SegmentedControl } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { COUNT_LIMIT, formatNumber } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { OpenableRow, Table } from '../../../components/data/table.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import type { Status, WebhooksSearch } from '../search-params.ts'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { RedeliverFailed } from './redeliver-failed.tsx'
import classes from './webhooks.module.css'

const texts = messages.app.deliveries
const route = getRouteApi('/shell/apps/$appId/webhooks')
const FILTERS = Object.entries(texts.statuses).map(([value, label]) => ({ value, label }))

/** Deliveries of a webhook, latest first. */
export function Deliveries({ appId, hookId }: { appId: string; hookId: string }) {
  const { status, delivery } = route.useSearch()
  const navigate = route.useNavigate()
  const cairn = useCairn()
  const list = usePagedList(
    ['deliveries', hookId, status],
    () => cairn.webhooks.deliveries(appId, hookId, { limit: 50, ...(status ? { status } : {}) }),
    { refetchInterval: 5000, countLimit: status ? COUNT_LIMIT : undefined },
  )
  const change = (more: Partial<Record<keyof WebhooksSearch, string | undefined>>) =>
    void navigate({ search: (was) => ({ ...was, ...more }) as never })
  return (
    <Panel flush title={texts.title} actions={<RedeliverFailed appId={appId} hookId={hookId} />}>
      <div className={classes.filter}>
        <SegmentedControl
          aria-label={texts.filter}
          data={FILTERS}
          value={status ?? 'all'}
          onChange={(value) => change({ status: value === 'all' ? undefined : (value as Status) })}
        />
      </div>
      <PagedListView
        list={list}
        rows={4}
        empty={
          status ? <EmptyState title={texts.noneSo} /> : <EmptyState title={texts.none}>{texts.noneText}</EmptyState>
        }
      >
        {(items) => <Rows deliveries={items} onOpen={(id) => change({ delivery: id })} />}
      </PagedListView>
      <DeliveryDrawer
        appId={appId}
        hookId={hookId}
        deliveryId={delivery}
        onClose={() => change({ delivery: undefined })}
      />
    </Panel>
  )
}

function Rows({ deliveries, onOpen }: { deliveries: WebhookDelivery[]; onOpen: (id: string) => void }) {
  const { columns } = texts
  return (
    <Table label={texts.title}>
      <thead>
        <tr>
          <th className="roomy-only">{columns.at}</th>
          <th>{columns.event}</th>
          <th className="roomy-only">{columns.subject}</th>
          <th>{columns.status}</th>
          <th className="num">{columns.attempts}</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map(({ id, eventType, subject, status, attempts, lastStatus, createdAt }) => (
          <OpenableRow key={id} onOpen={() => onOpen(id)}>
            <td className="roomy-only faint">
              <RelativeTime at={createdAt} />
            </td>
            <td>
              <Link to="." search={(was) => ({ ...was, delivery: id }) as never} resetScroll={false}>
                <code>{eventType}</code>
              </Link>
              <div className="tight-only small faint">
                <RelativeTime at={createdAt} />
              </div>
            </td>
            <td className="roomy-only">
              <code className="faint">{subject}</code>
            </td>
            <td>
              <span className="row wrap">
                <DeliveryStatus status={status} />
                {status !== 'DELIVERED' && lastStatus !== null && (
                  <span className="small faint">{texts.http(lastStatus)}</span>
                )}
              </span>
            </td>
            <td className="num">{formatNumber(attempts)}</td>
          </OpenableRow>
        ))}
      </tbody>
    </Table>
  )
}
