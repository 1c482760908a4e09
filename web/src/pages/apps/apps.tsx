import type { App } from '@cairn/sdk'
import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { IconApps, IconSearch } from '@tabler/icons-react'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { CopyableId } from '../../components/copy/copy-button.tsx'
import { Badge, badgeIcons } from '../../components/data/badge.tsx'
import { COUNT_LIMIT } from '../../components/data/format.ts'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { OpenableRow, Table } from '../../components/data/table.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { MakeButton } from '../../components/layout/make-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../components/query/paged-list.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn, useRoles } from '../../session/session.tsx'
import classes from './apps.module.css'

const texts = messages.app.list
const route = getRouteApi('/shell/apps')

/** The user's apps, or all apps for ops and admins. */
export function Apps() {
  const { all, find = '' } = route.useSearch()
  const setSearch = route.useNavigate()
  const navigate = useNavigate()
  const cairn = useCairn()
  const { isOps } = useRoles()
  const isAll = all === true && isOps
  const list = usePagedList(
    ['apps', 'list', isAll],
    () => cairn.apps.list({ limit: 100, maskKeys: true, ...(isAll ? { all: true } : {}) }),
    { countLimit: COUNT_LIMIT },
  )

  const newApp = (
    <MakeButton onClick={() => void navigate({ to: '/welcome/$step', params: { step: 'app' } })}>
      {texts.new}
    </MakeButton>
  )
  return (
    <PageBody>
      <PageHeader title={messages.app.apps} sub={texts.lead} actions={newApp} />
      <div className={classes.bar}>
        <TextInput
          aria-label={texts.find}
          placeholder={texts.find}
          data-find
          leftSection={<IconSearch size={16} aria-hidden />}
          value={find}
          onChange={({ currentTarget: { value } }) =>
            void setSearch({ search: (was) => ({ ...was, find: value || undefined }) as never, replace: true })
          }
        />
        {isOps && (
          <SegmentedControl
            aria-label={texts.whose}
            data={[
              { value: 'mine', label: texts.mine },
              { value: 'all', label: texts.all },
            ]}
            value={isAll ? 'all' : 'mine'}
            onChange={(value) =>
              void setSearch({ search: (was) => ({ ...was, all: value === 'all' || undefined }) as never })
            }
          />
        )}
      </div>
      <Panel flush>
        <PagedListView
          list={list}
          rows={4}
          empty={
            <EmptyState icon={IconApps} title={texts.empty} action={newApp}>
              {texts.emptyText}
            </EmptyState>
          }
        >
          {(apps) => <Found apps={apps} find={find} isAll={isAll} onClear={() => void setSearch({ search: {} })} />}
        </PagedListView>
      </Panel>
    </PageBody>
  )
}

type FoundProps = { apps: App[]; find: string; isAll: boolean; onClear: () => void }

function Found({ apps, find, isAll, onClear }: FoundProps) {
  const found = apps.filter(({ name, id }) => name.toLowerCase().includes(find.toLowerCase()) || id === find)
  if (found.length === 0)
    return (
      <EmptyState title={texts.noneFound(find)} action={<Button onClick={onClear}>{messages.common.clear}</Button>}>
        {texts.noneFoundText(apps.length)}
      </EmptyState>
    )
  const { columns } = texts
  return (
    <Table label={messages.app.apps}>
      <thead>
        <tr>
          <th>{columns.app}</th>
          <th>{columns.visibility}</th>
          {isAll && <th className="roomy-only">{columns.owner}</th>}
          <th className="wide-only">{columns.made}</th>
          <th className="roomy-only">{columns.id}</th>
        </tr>
      </thead>
      <tbody>
        {found.map((app) => (
          <Line key={app.id} app={app} isAll={isAll} />
        ))}
      </tbody>
    </Table>
  )
}

function Line({ app, isAll }: { app: App; isAll: boolean }) {
  const navigate = useNavigate()
  const { id, name, description, visibility, createdAt, ownerId } = app
  return (
    <OpenableRow onOpen={() => void navigate({ to: '/apps/$appId', params: { appId: id } })}>
      <td className={classes.app}>
        <div className="row">
          <span className={classes.tile} aria-hidden>
            {name[0]?.toUpperCase()}
          </span>
          <div className="grow">
            <Link to="/apps/$appId" params={{ appId: id }} className="strong">
              {name}
            </Link>
            <div className="small faint truncate">{description}</div>
          </div>
        </div>
      </td>
      <td>
        <Badge icon={visibility === 'PUBLIC' ? badgeIcons.world : badgeIcons.lock}>
          {messages.app.visibility[visibility]}
        </Badge>
      </td>
      {isAll && <td className="roomy-only">{ownerId ? <CopyableId value={ownerId} /> : texts.noOwner}</td>}
      <td className="wide-only dim">
        <RelativeTime at={createdAt} />
      </td>
      <td className="roomy-only">
        <CopyableId value={id} />
      </td>
    </OpenableRow>
  )
}
