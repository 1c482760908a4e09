import type { App, Cairn, Fence } from '@cairn/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { notifyError } from '../../../components/feedback/notify.ts'
import { messages } from '../../../messages/index.ts'

const texts = messages.game.fences
type Props = { app: App; cairn: Cairn; fence: Fence | undefined; onClose: () => void }

/** Deletes a fence after confirmation. */
export function DeleteFence({ app, cairn, fence, onClose }: Props) {
  const queries = useQueryClient()
  const deletion = useMutation({
    mutationFn: () => cairn.fences.delete(fence!.id),
    onSuccess: onClose,
    onError: (error) => notifyError(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['fences', app.id] }),
  })
  return (
    <Confirm
      isOpen={fence !== undefined}
      onClose={onClose}
      title={fence ? texts.deleteTitle(fence.name) : ''}
      verb={texts.deleteVerb}
      onConfirm={() => deletion.mutate()}
      isBusy={deletion.isPending}
    >
      <p className="dim">{texts.deleteText}</p>
    </Confirm>
  )
}
