import { Badge } from '../../components/data/badge.tsx'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { Table } from '../../components/data/table.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../components/query/paged-list.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'

const health = messages.admin.health
const texts = health.alerts

/** The alerts of this installation, newest first, with when they opened and ended. */
export function BoxAlerts() {
  const cairn = useCairn()
  const list = usePagedList(['health', 'alerts'], () => cairn.box.alerts({ limit: 10 }))
  return (
    <Panel flush title={texts.title}>
      <PagedListView list={list} rows={3} empty={<p className="dim pad">{texts.none}</p>}>
        {(alerts) => (
          <Table label={texts.title}>
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
                    {texts.kinds[kind]}
                    {subject && <div className="faint small">{health.names[subject] ?? subject}</div>}
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
