import type { App } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { notifyError } from '../../../components/feedback/notify.ts'
import { MakeButton } from '../../../components/layout/make-button.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { Invite } from './invite.tsx'
import { MemberName } from './member-name.tsx'

const texts = messages.app.members

/** Pending invitations to an app. */
export function Invitations({ app }: { app: App }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [isInviting, setIsInviting] = useState(false)
  const invitations = useQuery({
    queryKey: ['app', app.id, 'invitations'],
    queryFn: async ({ signal }) => (await cairn.apps.invitations(app.id, { signal })).invitations,
  })
  const revocation = useMutation({
    mutationFn: (id: string) => cairn.apps.revokeInvitation(app.id, id),
    onError: (error) => notifyError(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['app', app.id, 'invitations'] }),
  })
  const invite = <MakeButton onClick={() => setIsInviting(true)}>{texts.invite}</MakeButton>
  return (
    <Panel flush title={texts.invitations} actions={invite}>
      <QueryResult query={invitations}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={IconMail} title={texts.noInvitations} action={invite}>
              {texts.noInvitationsText}
            </EmptyState>
          ) : (
            <Table label={texts.invitations}>
              <thead>
                <tr>
                  <th>{texts.role}</th>
                  <th>{texts.invitedBy}</th>
                  <th className="wide-only">{texts.expires}</th>
                  <th>
                    <span className="visually-hidden">{texts.revoke}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {found.map(({ id, role, invitedBy, expiresAt }) => (
                  <tr key={id}>
                    <td>{texts.roles[role]}</td>
                    <td>
                      <MemberName userId={invitedBy} />
                    </td>
                    <td className="wide-only dim">
                      <RelativeTime at={expiresAt} />
                    </td>
                    <td className="num">
                      <Button size="xs" disabled={revocation.isPending} onClick={() => revocation.mutate(id)}>
                        {texts.revoke}
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </Table>
          )
        }
      </QueryResult>
      <Invite app={app} isOpen={isInviting} onClose={() => setIsInviting(false)} />
    </Panel>
  )
}
