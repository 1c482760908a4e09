import { IconUsers } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { Table } from '../../components/data/table.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { NotAllowed } from '../../components/feedback/failure.tsx'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { SearchList } from '../../components/query/search-list.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn, useRoles } from '../../session/session.tsx'
import { RoleBadges, userLabel } from './user-label.tsx'

const texts = messages.admin.users

/** All users, searchable by name. */
export function Users() {
  const { isOps } = useRoles()
  return (
    <PageBody>
      <PageHeader title={texts.title} sub={texts.sub} breadcrumbs={[{ name: messages.admin.group }]} />
      {isOps ? <List /> : <NotAllowed>{messages.common.notAllowedText(messages.admin.onlyOps)}</NotAllowed>}
    </PageBody>
  )
}

function List() {
  const cairn = useCairn()
  const navigate = useNavigate()
  const { q = '' } = useSearch({ from: '/shell/users' })
  return (
    <SearchList
      title={texts.list}
      searchLabel={texts.find}
      search={q}
      onSearch={(q) => void navigate({ to: '/users', search: q ? { q } : {}, replace: true })}
      queryKey={['users']}
      load={(query) => cairn.users.list({ limit: 50, ...(query && { query }) })}
      empty={(query) => <EmptyState icon={IconUsers} title={query ? texts.noneFound(query) : texts.none} />}
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
    </SearchList>
  )
}
