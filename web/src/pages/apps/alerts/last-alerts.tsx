import { Badge } from '../../../components/data/badge.tsx'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'

const texts = messages.app.alerts
const quotas = messages.app.today.attention.quotas

/** The alerts of an app, newest first, with when they opened and ended. */
export function LastAlerts({ appId }: { appId: string }) {
  const cairn = useCairn()
  const list = usePagedList(['app', appId, 'alerts'], () => cairn.alerts.list(appId, { limit: 10 }))
  return (
    <Panel flush title={texts.last}>
      <PagedListView list={list} rows={3} empty={<p className="dim pad">{texts.none}</p>}>
        {(alerts) => (
          <Table label={texts.last}>
            <thead>
              <tr>
                <th>{texts.what}</th>
                <th>{texts.opened}</th>
                <th>{texts.ended}</th>
              </tr>
            </thead>
            <tbody>
              {alerts.map(({ id, kind, subject, openedAt, endedAt }) => (
                <tr key={id}>
                  <td>
                    {texts.kindNames[kind]}
                    {subject && <div className="faint small">{quotas[subject] ?? subject}</div>}
                  </td>
                  <td className="dim">
                    <RelativeTime at={openedAt} />
                  </td>
                  <td className="dim">
                    {endedAt ? <RelativeTime at={endedAt} /> : <Badge tone="warn">{texts.open}</Badge>}
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </PagedListView>
    </Panel>
  )
}
