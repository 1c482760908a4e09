import type { LocalAccount } from '@cairn/sdk'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notifyError, notifySuccess } from '../../components/feedback/notify.ts'
import { messages } from '../../messages/index.ts'
import { useCairn, useRoles, useSignedIn } from '../../session/session.tsx'
import { ChangeEmail } from './change-email.tsx'
import { NewLink } from './new-link.tsx'

const texts = messages.accounts

/** What the user may do with an account. */
export function AccountActions({ account }: { account: LocalAccount }) {
  const { id, login, roles, state } = account
  const cairn = useCairn()
  const queries = useQueryClient()
  const { isAdmin } = useRoles()
  const isSelf = useSignedIn().userId === id
  const [asked, setAsked] = useState<'email' | 'link' | 'disable' | 'delete'>()
  const close = () => setAsked(undefined)
  const settled = () => {
    close()
    return Promise.all([
      queries.invalidateQueries({ queryKey: ['accounts'] }),
      queries.invalidateQueries({ queryKey: ['users'] }),
    ])
  }
  const switching = useMutation({
    mutationFn: (disabled: boolean) => cairn.accounts.update(id, { disabled }),
    onSuccess: (_done, disabled) => notifySuccess(disabled ? texts.disabled(login) : texts.enabled(login)),
    onError: (error) => notifyError(error, texts.notDone),
    onSettled: settled,
  })
  const deletion = useMutation({
    mutationFn: () => cairn.accounts.delete(id),
    onSuccess: () => notifySuccess(texts.deleted(login)),
    onError: (error) => notifyError(error, texts.notDone),
    onSettled: settled,
  })
  const mayChange = isAdmin || !roles.includes('admin')
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon size={32} aria-label={texts.actionsOf(login)}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to={`/users/${id}`}>
            {texts.details}
          </Menu.Item>
          {mayChange && (
            <>
              <Menu.Item onClick={() => setAsked('email')}>{texts.changeEmail}</Menu.Item>
              <Menu.Item disabled={state === 'disabled'} onClick={() => setAsked('link')}>
                {texts.newLink}
              </Menu.Item>
              {!isSelf && (
                <>
                  <Menu.Divider />
                  {state === 'disabled' ? (
                    <Menu.Item onClick={() => switching.mutate(false)}>{texts.enable}</Menu.Item>
                  ) : (
                    <Menu.Item onClick={() => setAsked('disable')}>{texts.disable}</Menu.Item>
                  )}
                  <Menu.Item color="var(--err)" onClick={() => setAsked('delete')}>
                    {texts.delete}
                  </Menu.Item>
                </>
              )}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <ChangeEmail account={account} isOpen={asked === 'email'} onClose={close} />
      <NewLink account={account} isOpen={asked === 'link'} onClose={close} />
      <Confirm
        isOpen={asked === 'disable'}
        onClose={close}
        title={texts.disableTitle(login)}
        verb={texts.doDisable}
        onConfirm={() => switching.mutate(true)}
        isBusy={switching.isPending}
      >
        <p className="dim">{texts.disableText}</p>
      </Confirm>
      <Confirm
        isOpen={asked === 'delete'}
        onClose={close}
        title={texts.deleteTitle(login)}
        verb={texts.doDelete}
        typeName={login}
        onConfirm={() => deletion.mutate()}
        isBusy={deletion.isPending}
      >
        <p className="dim">{texts.deleteText}</p>
      </Confirm>
    </>
  )
}
