import type { CsvUpload } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconChecklist, IconDatabaseImport, IconFileImport } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Badge, type Tone } from '../../components/data/badge.tsx'
import { formatNumber } from '../../components/data/format.ts'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { Table } from '../../components/data/table.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../components/query/paged-list.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'

const texts = messages.imports.history

const TONES: Record<CsvUpload['status'], Tone> = {
  PENDING: 'plain',
  PROCESSING: 'note',
  COMPLETED: 'ok',
  FAILED: 'err',
}

/** Whether the record is a check or an import. */
export const KindBadge = ({ dryRun }: { dryRun: boolean }) => (
  <Badge icon={dryRun ? IconChecklist : IconDatabaseImport}>{dryRun ? texts.check : texts.import}</Badge>
)

/** @param isUseless no row of the checked file can be applied */
export function StatusBadge({
  record: { status, dryRun },
  isUseless = false,
}: {
  record: CsvUpload
  isUseless?: boolean
}) {
  const isChecked = status === 'COMPLETED' && dryRun
  if (isChecked && isUseless) return <Badge tone="err">{messages.imports.checkedUseless}</Badge>
  return <Badge tone={TONES[status]}>{isChecked ? messages.imports.checked : messages.imports.states[status]}</Badge>
}

/** Checks and imports of a zone, newest first. */
export function History({ zone, onChooseFile }: { zone: number; onChooseFile: () => void }) {
  const cairn = useCairn()
  const list = usePagedList(['imports', zone], () => cairn.csvUploads.ofZone(zone, { limit: 50 }), {
    refetchInterval: 15_000,
  })
  const { count } = list
  return (
    <Panel flush title={texts.title} beside={count}>
      <PagedListView
        list={list}
        rows={4}
        empty={
          <EmptyState
            icon={IconFileImport}
            title={texts.empty}
            action={<Button onClick={onChooseFile}>{messages.imports.drop.choose}</Button>}
          >
            {texts.emptyHow}
          </EmptyState>
        }
      >
        {(items) => (
          <Table label={texts.title}>
            <thead>
              <tr>
                <th>{texts.file}</th>
                <th className="wide-only">{texts.kind}</th>
                <th>{texts.state}</th>
                <th className="num wide-only">{texts.rows}</th>
                <th>{texts.when}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <tr key={item.id}>
                  <td>
                    <Link data-row to="/import/$uploadId" params={{ uploadId: item.id }}>
                      {item.fileName}
                    </Link>
                    <div className="narrow-only faint small">{item.dryRun ? texts.check : texts.import}</div>
                  </td>
                  <td className="wide-only">
                    <KindBadge dryRun={item.dryRun} />
                  </td>
                  <td>
                    <StatusBadge record={item} />
                  </td>
                  <td className="num wide-only">{item.rowCount === null ? '–' : formatNumber(item.rowCount)}</td>
                  <td className="dim">
                    <RelativeTime at={item.createdAt} />
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
