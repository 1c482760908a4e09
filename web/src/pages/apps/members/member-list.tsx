import type { App, AppMember, AppRole } from '@cairn/sdk'
import { Button, Select } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { notifyError, notifySuccess } from '../../../components/feedback/notify.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn, useSignedIn } from '../../../session/session.tsx'
import { hasRole } from '../../../session/use-app.tsx'
import { MemberName } from './member-name.tsx'
import { ROLE_CHOICES } from './roles.ts'

const texts = messages.app.members

/** The members of an app, and what the user may do with each. */
export function MemberList({ app }: { app: App }) {
  const cairn = useCairn()
  const members = useQuery({
    queryKey: ['app', app.id, 'members'],
    queryFn: async ({ signal }) => (await cairn.apps.members(app.id, { signal })).members,
  })
  const [removed, setRemoved] = useState<AppMember>()
  return (
    <Panel flush title={texts.title}>
      <QueryResult query={members}>
        {(found) => (
          <Table label={texts.title}>
            <thead>
              <tr>
                <th>{texts.member}</th>
                <th className="roomy-only">{texts.role}</th>
                <th className="wide-only">{texts.since}</th>
                <th>
                  <span className="visually-hidden">{texts.remove}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {found.map((member) => (
                <Row key={member.userId} app={app} member={member} onRemove={() => setRemoved(member)} />
              ))}
            </tbody>
          </Table>
        )}
      </QueryResult>
      <RemoveMember app={app} member={removed} onClose={() => setRemoved(undefined)} />
    </Panel>
  )
}

/** Only owners change owners; admins change the others. */
const mayChange = (app: App, { role }: AppMember) => hasRole(app, role === 'owner' ? 'owner' : 'admin')

function Row({ app, member, onRemove }: { app: App; member: AppMember; onRemove: () => void }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const { userId } = useSignedIn()
  const isSelf = member.userId === userId
  const change = useMutation({
    mutationFn: (role: AppRole) => cairn.apps.setRole(app.id, member.userId, role),
    onSuccess: () => notifySuccess(texts.changed),
    onError: (error) => notifyError(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['app', app.id] }),
  })
  const role = mayChange(app, member) ? (
    <Select
      aria-label={texts.roleOf(isSelf ? texts.you : member.userId)}
      data={ROLE_CHOICES.filter(({ value }) => value !== 'owner' || hasRole(app, 'owner'))}
      value={member.role}
      miw="8.5rem"
      maw={220}
      allowDeselect={false}
      disabled={change.isPending}
      onChange={(role) => role && role !== member.role && change.mutate(role as AppRole)}
    />
  ) : (
    texts.roles[member.role]
  )
  return (
    <tr>
      <td>
        <MemberName userId={member.userId} />
        {/* A tight table has no room for it beside a name. */}
        <div className="tight-only" style={{ paddingBlock: 8 }}>
          {role}
        </div>
      </td>
      <td className="roomy-only">{role}</td>
      <td className="wide-only dim">
        <RelativeTime at={member.createdAt} />
      </td>
      <td className="num">
        {(isSelf || mayChange(app, member)) && (
          <Button size="xs" onClick={onRemove}>
            {isSelf ? texts.leave : texts.remove}
          </Button>
        )}
      </td>
    </tr>
  )
}

function RemoveMember({ app, member, onClose }: { app: App; member: AppMember | undefined; onClose: () => void }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { userId } = useSignedIn()
  const isSelf = member?.userId === userId
  const removal = useMutation({
    mutationFn: () => cairn.apps.removeMember(app.id, member!.userId),
    onSuccess: async () => {
      onClose()
      if (isSelf) await navigate({ to: '/apps' })
      await queries.invalidateQueries({ queryKey: isSelf ? ['apps'] : ['app', app.id] })
    },
    onError: (error) => notifyError(error),
  })
  return (
    <Confirm
      isOpen={member !== undefined}
      onClose={onClose}
      title={isSelf ? texts.leaveTitle(app.name) : texts.removeTitle}
      verb={isSelf ? texts.leave : texts.removeVerb}
      onConfirm={() => removal.mutate()}
      isBusy={removal.isPending}
    >
      <p className="dim">{isSelf ? texts.leaveText : texts.removeText}</p>
    </Confirm>
  )
}
