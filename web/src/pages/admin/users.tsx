import { TextInput } from '@mantine/core'
import { IconSearch, IconUsers } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { SEARCH_LIMIT } from '../../components/data/format.ts'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { Table } from '../../components/data/table.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { NotAllowed } from '../../components/feedback/failure.tsx'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../components/query/paged-list.tsx'
import { useDebounced } from '../../components/query/use-debounced.ts'
import { messages } from '../../messages/index.ts'
import { useCairn, useRoles } from '../../session/session.tsx'
import { RoleBadges, userLabel } from './user-label.tsx'

const texts = messages.box.users

/** Everybody who signed in here, found by name. */
export function Users() {
  const { isOps } = useRoles()
  return (
    <PageBody>
      <PageHeader title={texts.title} sub={texts.sub} breadcrumbs={[{ name: messages.box.group }]} />
      {isOps ? <List /> : <NotAllowed>{messages.states.notAllowedText(messages.box.onlyOps)}</NotAllowed>}
    </PageBody>
  )
}

function List() {
  const cairn = useCairn()
  const navigate = useNavigate()
  const { q = '' } = useSearch({ from: '/shell/users' })
  const query = useDebounced(q)
  const list = usePagedList(['users', query], () => cairn.users.list(query ? { query, limit: 50 } : { limit: 50 }), {
    keepPrevious: true,
    countLimit: query ? SEARCH_LIMIT : undefined,
  })
  const { count } = list
  return (
    <Panel
      flush
      title={texts.list}
      beside={count !== null && texts.count(count)}
      actions={
        <TextInput
          data-find
          aria-label={texts.find}
          placeholder={texts.find}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={q}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ to: '/users', search: value ? { q: value } : {}, replace: true })
          }
        />
      }
    >
      <PagedListView
        list={list}
        rows={6}
        none={<EmptyState icon={IconUsers} title={query ? texts.noneFound(query) : texts.none} />}
      >
        {(items) => (
          <Table label={texts.title}>
            <thead>
              <tr>
                <th>{texts.name}</th>
                <th className="wide-only">{texts.email}</th>
                <th>{texts.roles}</th>
                <th>{texts.since}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((user) => (
                <tr key={user.id}>
                  <td>
                    <Link data-row to="/users/$userId" params={{ userId: user.id }}>
                      {userLabel(user)}
                    </Link>
                  </td>
                  <td className="wide-only dim">{user.email ?? '–'}</td>
                  <td>
                    <RoleBadges roles={user.roles} />
                  </td>
                  <td className="dim">
                    <RelativeTime at={user.createdAt} />
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
