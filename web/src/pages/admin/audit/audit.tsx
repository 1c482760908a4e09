import { IconHistory } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { COUNT_LIMIT } from '../../../components/data/format.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { NotAllowed } from '../../../components/feedback/failure.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page-header.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn, useRoles } from '../../../session/session.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { AuditTable } from './audit-table.tsx'

const texts = messages.admin.audit

/** The audit log. Its filters are in the URL. */
export function Audit() {
  const { isOps } = useRoles()
  return (
    <PageBody>
      <PageHeader title={texts.title} sub={texts.sub} breadcrumbs={[{ name: messages.admin.group }]} />
      {isOps ? <Log /> : <NotAllowed>{messages.common.notAllowedText(messages.admin.onlyOps)}</NotAllowed>}
    </PageBody>
  )
}

function Log() {
  const cairn = useCairn()
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/audit' })
  const { since, until, ...rest } = search
  const query = {
    ...rest,
    limit: 100,
    ...(since ? { since: toIsoString(since) } : {}),
    ...(until ? { until: toIsoString(until) } : {}),
  }
  const isFiltered = Object.keys(search).length > 0
  const list = usePagedList(['audit', query], () => cairn.auditLog.list(query), {
    countLimit: isFiltered ? COUNT_LIMIT : undefined,
  })
  return (
    <Panel flush title={texts.list}>
      <AuditFilters
        search={search}
        onChange={(change) => void navigate({ to: '/audit', search: { ...search, ...change }, replace: true })}
      />
      <PagedListView
        list={list}
        rows={8}
        empty={<EmptyState icon={IconHistory} title={isFiltered ? texts.noneFound : texts.none} />}
      >
        {(items) => <AuditTable entries={items} label={texts.title} />}
      </PagedListView>
    </Panel>
  )
}

/** Converts a local datetime field to ISO 8601 in UTC. */
const toIsoString = (local: string): string => {
  const moment = new Date(local)
  // The service reports what is wrong.
  return Number.isNaN(moment.getTime()) ? local : moment.toISOString()
}
