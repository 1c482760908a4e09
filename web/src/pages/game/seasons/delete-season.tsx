import type { App, Cairn, Season } from '@cairn/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { notifyError } from '../../../components/feedback/notify.ts'
import { messages } from '../../../messages/index.ts'

const texts = messages.game.seasons
type Props = { app: App; cairn: Cairn; season: Season | undefined; onClose: () => void }

/** Deletes a season after confirmation. */
export function DeleteSeason({ app, cairn, season, onClose }: Props) {
  const queries = useQueryClient()
  const deletion = useMutation({
    mutationFn: () => cairn.seasons.delete(season!.id),
    onSuccess: onClose,
    onError: (error) => notifyError(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['seasons', app.id] }),
  })
  return (
    <Confirm
      isOpen={season !== undefined}
      onClose={onClose}
      title={season ? texts.deleteTitle(season.name) : ''}
      verb={texts.deleteVerb}
      onConfirm={() => deletion.mutate()}
      isBusy={deletion.isPending}
    >
      <p className="dim">{texts.deleteText}</p>
    </Confirm>
  )
}
