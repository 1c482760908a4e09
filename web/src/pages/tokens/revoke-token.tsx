import type { PersonalToken } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notifyError, notifySuccess } from '../../components/feedback/notify.ts'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'

const texts = messages.tokens

/** A button that revokes a token after a confirmation. */
export function RevokeToken({ token: { id, name } }: { token: PersonalToken }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [isAsked, setIsAsked] = useState(false)
  const revocation = useMutation({
    mutationFn: () => cairn.user.tokens.delete(id),
    onSuccess: () => notifySuccess(texts.revoked(name)),
    onError: (error) => notifyError(error, texts.notRevoked),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
  })
  return (
    <>
      <Button size="xs" aria-label={texts.revokeOf(name)} onClick={() => setIsAsked(true)}>
        {texts.revoke}
      </Button>
      <Confirm
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={texts.revokeTitle(name)}
        verb={texts.doRevoke}
        onConfirm={() => revocation.mutate()}
        isBusy={revocation.isPending}
      >
        <p className="dim">{texts.revokeText}</p>
      </Confirm>
    </>
  )
}
