import { Badge } from '../data/badge.tsx'
import { RelativeTime } from '../data/relative-time.tsx'
import { Table } from '../data/table.tsx'
import { Panel } from '../layout/panel.tsx'
import { PagedListView, type usePagedList } from './paged-list.tsx'

type Alert<Kind> = { id: string; kind: Kind; subject: string | null; openedAt: string; endedAt: string | null }
type Props<Kind extends string> = {
  title: string
  texts: { none: string; what: string; opened: string; ended: string; open: string }
  list: ReturnType<typeof usePagedList<Alert<Kind>>>
  kinds: Record<Kind, string>
  subjects: Record<string, string>
}

/** A list of alerts, newest first, with when they opened and ended. */
export const AlertPanel = <Kind extends string>({ title, texts, list, kinds, subjects }: Props<Kind>) => (
  <Panel flush title={title}>
    <PagedListView list={list} rows={3} empty={<p className="dim pad">{texts.none}</p>}>
      {(alerts) => (
        <Table label={title}>
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
                  {kinds[kind]}
                  {subject && <div className="faint small">{subjects[subject] ?? subject}</div>}
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
