import type { LocalAccount } from '@cairn/sdk'
import { Modal, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormActions } from '../../components/feedback/form-actions.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { notifySuccess } from '../../components/feedback/notify.ts'
import { useForm } from '../../components/feedback/use-form.ts'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'

const texts = messages.accounts
type Props = { account: LocalAccount; isOpen: boolean; onClose: () => void }

/** Changes the email address of an account, or removes it. */
export const ChangeEmail = ({ account, isOpen, onClose }: Props) => (
  <Modal opened={isOpen} onClose={onClose} title={texts.emailTitle(account.login)}>
    <EmailForm account={account} onClose={onClose} />
  </Modal>
)

function EmailForm({ account: { id, login, email }, onClose }: Omit<Props, 'isOpen'>) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [written, setWritten] = useState(email ?? '')
  const saving = useMutation({
    mutationFn: () => cairn.accounts.update(id, { email: written.trim() || null }),
    onSuccess: async () => {
      notifySuccess(texts.emailChanged(login))
      onClose()
      await Promise.all(['accounts', 'users', 'me'].map((key) => queries.invalidateQueries({ queryKey: [key] })))
    },
  })
  const { form, wrong, rest } = useForm(saving, ['email'])
  return (
    <form className="stack" {...form} noValidate>
      {rest && <Notice tone="err" title={rest} />}
      <TextInput
        label={texts.email}
        description={texts.emailHint}
        type="email"
        data-autofocus
        autoComplete="off"
        value={written}
        error={wrong.email}
        onChange={(event) => {
          setWritten(event.currentTarget.value)
          saving.reset()
        }}
      />
      <FormActions submitLabel={messages.common.save} isBusy={saving.isPending} onCancel={onClose} />
    </form>
  )
}
