import type { App, AppRole } from '@cairn/sdk'
import { Button, Group, Modal, Radio } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { CodeBlock } from '../../../components/copy/code-block.tsx'
import { errorMessage } from '../../../components/feedback/failure.tsx'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { hasRole } from '../../../session/use-app.tsx'
import { ROLE_CHOICES } from './roles.ts'

const texts = messages.app.members
type Props = { app: App; onClose: () => void }

/** Creates an invitation, then shows its link this once. */
export function Invite({ isOpen, onClose, app }: Props & { isOpen: boolean }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={texts.inviteTitle(app.name)}>
      <Form app={app} onClose={onClose} />
    </Modal>
  )
}

function Form({ app, onClose }: Props) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [role, setRole] = useState<AppRole>('moderator')
  const invitation = useMutation({
    mutationFn: () => cairn.apps.invite(app.id, role),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['app', app.id, 'invitations'] }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invitation.mutate()
  }
  if (invitation.data)
    return (
      <div className="stack">
        <p>{texts.linkText}</p>
        {/* After the #, so that the token reaches no server log. */}
        <CodeBlock what={texts.link} text={`${location.origin}/console/invitation#${invitation.data.token}`} />
        <Group justify="flex-end">
          <Button variant="filled" onClick={onClose}>
            {messages.app.hooks.done}
          </Button>
        </Group>
      </div>
    )
  return (
    <form className="stack" onSubmit={submit}>
      <Radio.Group label={texts.role} value={role} onChange={(next) => setRole(next as AppRole)}>
        <div className="stack">
          {ROLE_CHOICES.filter(({ value }) => value !== 'owner' || hasRole(app, 'owner')).map(({ value, label }) => (
            <Radio key={value} value={value} label={label} description={texts.roleTexts[value]} />
          ))}
        </div>
      </Radio.Group>
      {invitation.error && <Notice tone="err">{errorMessage(invitation.error)}</Notice>}
      <FormActions submitLabel={texts.create} isBusy={invitation.isPending} onCancel={onClose} />
    </form>
  )
}
