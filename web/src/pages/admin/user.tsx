import type { UserWithRoles } from '@cairn/sdk'
import { Button, Checkbox } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { CopyableId } from '../../components/copy/copy-button.tsx'
import { Facts } from '../../components/data/facts.tsx'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { notifySuccess } from '../../components/feedback/notify.ts'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { QueryResult } from '../../components/query/query-result.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn, useRoles } from '../../session/session.tsx'
import { AuditTable } from './audit/audit-table.tsx'
import { RoleBadges, userLabel } from './user-label.tsx'

const texts = messages.admin.user

/** One user: details, roles and recent activity. */
export function UserPage() {
  const { userId } = useParams({ from: '/shell/users/$userId' })
  const cairn = useCairn()
  const query = useQuery({
    queryKey: ['user', userId],
    queryFn: ({ signal }) => cairn.users.get(userId, { signal }),
  })
  return (
    <PageBody>
      <QueryResult query={query}>{(user) => <User user={user} />}</QueryResult>
    </PageBody>
  )
}

function User({ user }: { user: UserWithRoles }) {
  const { isAdmin } = useRoles()
  return (
    <>
      <PageHeader
        title={userLabel(user)}
        beside={<RoleBadges roles={user.roles} />}
        breadcrumbs={[{ name: messages.admin.group }, { name: messages.admin.users.title, to: '/users' }]}
      />
      <div className="columns">
        <RecentActivity userId={user.id} />
        <div className="stack">
          <Panel title={texts.about}>
            <Facts
              facts={{
                [texts.username]: user.username,
                [messages.admin.users.email]: user.email,
                [texts.phone]: user.phoneNumber ?? undefined,
                [messages.admin.users.since]: <RelativeTime at={user.createdAt} />,
                [texts.id]: <CopyableId value={user.id} />,
              }}
            />
          </Panel>
          {isAdmin && <Roles key={user.roles.join()} user={user} />}
        </div>
      </div>
    </>
  )
}

function Roles({ user }: { user: UserWithRoles }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [roles, setRoles] = useState<string[]>(user.roles)
  const save = useMutation({
    mutationFn: () => cairn.users.setRoles(user.id, roles as UserWithRoles['roles']),
    onSuccess: (changed) => {
      queries.setQueryData(['user', user.id], changed)
      void queries.invalidateQueries({ queryKey: ['users'] })
      void queries.invalidateQueries({ queryKey: ['accounts'] })
      notifySuccess(texts.changed(userLabel(changed), changed.roles.join(', ') || messages.admin.users.noRole))
    },
  })
  return (
    <Panel title={texts.roles}>
      <div className="stack">
        <p className="dim small">{texts.rolesText}</p>
        <Checkbox.Group value={roles} onChange={setRoles} aria-label={texts.roles}>
          <div className="stack">
            <Checkbox value="admin" label={texts.admin} />
            <Checkbox value="ops" label={texts.ops} />
          </div>
        </Checkbox.Group>
        <p className="faint small">{texts.claimed}</p>
        {save.error && <Failure error={save.error} title={messages.common.notSaved} />}
        <div>
          <Button onClick={() => save.mutate()} loading={save.isPending}>
            {texts.change}
          </Button>
        </div>
      </div>
    </Panel>
  )
}

function RecentActivity({ userId }: { userId: string }) {
  const cairn = useCairn()
  const query = useQuery({
    queryKey: ['audit', 'by', userId],
    queryFn: ({ signal }) => cairn.auditLog.list({ actor: userId, limit: 20 }, { signal }).first(),
  })
  return (
    <Panel
      flush
      title={texts.did}
      actions={
        <Link to="/audit" search={{ actor: userId }}>
          {texts.all}
        </Link>
      }
    >
      <QueryResult query={query}>
        {({ items }) =>
          items.length > 0 ? (
            <AuditTable isOfOne entries={items} label={texts.did} />
          ) : (
            <p className="dim" style={{ padding: 16 }}>
              {texts.nothing}
            </p>
          )
        }
      </QueryResult>
    </Panel>
  )
}
