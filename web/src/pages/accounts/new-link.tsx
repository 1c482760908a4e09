import type { AccountLink, LocalAccount } from '@cairn/sdk'
import { Button, Group, Modal } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../../components/feedback/failure.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { MadeLink } from './made-link.tsx'

const texts = messages.accounts
type Props = { account: LocalAccount; isOpen: boolean; onClose: () => void }

/** Creates a link that sets the password of an account, then shows it. */
export function NewLink({ account: { id, login }, isOpen, onClose }: Props) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [made, setMade] = useState<AccountLink>()
  const creation = useMutation({
    mutationFn: () => cairn.accounts.createLink(id),
    onSuccess: async (link) => {
      setMade(link)
      await queries.invalidateQueries({ queryKey: ['accounts'] })
    },
  })
  const forget = () => {
    setMade(undefined)
    creation.reset()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={forget}
      title={made ? texts.linkTitle(login) : texts.newLinkTitle(login)}
    >
      {made ? (
        <MadeLink login={login} link={made} onClose={onClose} />
      ) : (
        <div className="stack">
          <p className="dim">{texts.newLinkText}</p>
          {creation.error && <Notice tone="err">{errorMessage(creation.error)}</Notice>}
          <Group justify="flex-end" gap={8}>
            <Button onClick={onClose}>{messages.common.cancel}</Button>
            <Button variant="filled" loading={creation.isPending} onClick={() => creation.mutate()}>
              {texts.doNewLink}
            </Button>
          </Group>
        </div>
      )}
    </Modal>
  )
}
