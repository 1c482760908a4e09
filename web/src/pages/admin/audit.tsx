import { TextInput } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { COUNTED_UP_TO } from '../../components/data/format.ts'
import { Empty } from '../../components/feedback/empty-state.tsx'
import { NotAllowed } from '../../components/feedback/failure.tsx'
import { PageBody, PageHead } from '../../components/layout/page-header.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { Grown, useGrowing } from '../../components/query/paged-list.tsx'
import { words } from '../../messages/index.ts'
import { useCairn, useRoles } from '../../session/session.tsx'
import classes from './audit.module.css'
import { AuditTable } from './audit-table.tsx'

const texts = words.box.audit
const FILTERS = ['actor', 'action', 'subject', 'since', 'until'] as const

/** The audit log, filtered by who, what and when; the filters are in the address. */
export function Audit() {
  const { isOps } = useRoles()
  return (
    <PageBody>
      <PageHead title={texts.title} sub={texts.sub} crumbs={[{ name: words.box.group }]} />
      {isOps ? <Log /> : <NotAllowed>{words.states.notAllowedText(words.box.onlyOps)}</NotAllowed>}
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
    ...(since ? { since: momentOf(since) } : {}),
    ...(until ? { until: momentOf(until) } : {}),
  }
  const isFiltered = Object.keys(search).length > 0
  const list = useGrowing(['audit', query], () => cairn.auditLog.list(query), {
    stopsAt: isFiltered ? COUNTED_UP_TO : undefined,
  })
  return (
    <Panel flush title={texts.list}>
      <search className={classes.filters} aria-label={texts.filter}>
        {FILTERS.map((name) => (
          <TextInput
            key={name}
            {...(name === 'subject' ? { 'data-find': true } : {})}
            label={texts[name]}
            description={name === 'actor' ? texts.actorHelp : undefined}
            inputWrapperOrder={['label', 'input', 'description']}
            type={name === 'since' || name === 'until' ? 'datetime-local' : 'text'}
            value={search[name] ?? ''}
            onChange={({ currentTarget: { value } }) =>
              void navigate({ to: '/audit', search: { ...search, [name]: value || undefined }, replace: true })
            }
          />
        ))}
      </search>
      <Grown list={list} rows={8} none={<Empty icon={IconHistory} title={isFiltered ? texts.noneFound : texts.none} />}>
        {(items) => <AuditTable entries={items} label={texts.title} />}
      </Grown>
    </Panel>
  )
}

/** What a field of the browser says, in its own time zone, as ISO 8601 in UTC. */
const momentOf = (local: string): string => {
  const moment = new Date(local)
  // The service says what is wrong with it.
  return Number.isNaN(moment.getTime()) ? local : moment.toISOString()
}
