import type { CreatedLocalAccount } from '@cairn/sdk'
import { Modal, Radio, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormActions } from '../../components/feedback/form-actions.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { useForm } from '../../components/feedback/use-form.ts'
import { messages } from '../../messages/index.ts'
import { useCairn, useRoles } from '../../session/session.tsx'
import { MadeLink } from './made-link.tsx'

const texts = messages.accounts
const ROLES = ['user', 'ops', 'admin'] as const

/** Creates an account, then shows the link with which its owner sets a password. */
export function NewAccount({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [made, setMade] = useState<CreatedLocalAccount>()
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => setMade(undefined)}
      title={made ? texts.created(made.login) : texts.new}
    >
      {made ? (
        <MadeLink login={made.login} link={made.link} onClose={onClose} />
      ) : (
        <AccountForm onMade={setMade} onCancel={onClose} />
      )}
    </Modal>
  )
}

function AccountForm({ onMade, onCancel }: { onMade: (made: CreatedLocalAccount) => void; onCancel: () => void }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const { isAdmin } = useRoles()
  const [login, setLogin] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<(typeof ROLES)[number]>('user')
  const creation = useMutation({
    mutationFn: () =>
      cairn.accounts.create({
        login,
        ...(email.trim() && { email: email.trim() }),
        ...(role !== 'user' && { roles: [role] }),
      }),
    onSuccess: async (account) => {
      onMade(account)
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['accounts'] }),
        queries.invalidateQueries({ queryKey: ['users'] }),
      ])
    },
  })
  const { form, wrong, rest } = useForm(creation, ['login', 'email'])
  return (
    <form className="stack" {...form} noValidate>
      {rest && <Notice tone="err" title={rest} />}
      <TextInput
        label={texts.login}
        description={texts.loginHint}
        required
        data-autofocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={login}
        error={creation.error && login.trim() === '' ? messages.common.needed : wrong.login}
        onChange={(event) => {
          setLogin(event.currentTarget.value)
          creation.reset()
        }}
      />
      <TextInput
        label={texts.email}
        type="email"
        autoComplete="off"
        value={email}
        error={wrong.email}
        onChange={(event) => {
          setEmail(event.currentTarget.value)
          creation.reset()
        }}
      />
      {isAdmin && (
        <Radio.Group label={texts.role} value={role} onChange={(next) => setRole(next as typeof role)}>
          <div className="stack">
            {ROLES.map((one) => (
              <Radio key={one} value={one} label={texts.roles[one]} description={texts.roleTexts[one]} />
            ))}
          </div>
        </Radio.Group>
      )}
      <FormActions submitLabel={texts.create} isBusy={creation.isPending} onCancel={onCancel} />
    </form>
  )
}
