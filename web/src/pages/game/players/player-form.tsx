import type { App, Cairn, Player } from '@cairn/sdk'
import { Modal, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useDraft } from '../../../components/feedback/use-draft.ts'
import { useForm } from '../../../components/feedback/use-form.ts'
import { messages } from '../../../messages/index.ts'

const texts = messages.game.players
type Props = { app: App; cairn: Cairn; player?: Player; isOpen: boolean; onClose: () => void }

/** Creates or edits a player. */
export function PlayerForm({ player, isOpen, onClose, ...rest }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={player ? player.displayName : texts.new}>
      <Form key={player?.id ?? 'new'} player={player} onClose={onClose} {...rest} />
    </Modal>
  )
}

function Form({ app, cairn, player, onClose }: Omit<Props, 'isOpen' | 'player'> & { player: Player | undefined }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { fields, set } = useDraft({ displayName: player?.displayName ?? '', userId: player?.userId ?? '' })
  const save = useMutation({
    mutationFn: () => {
      const body = { ...fields, userId: fields.userId.trim() || null }
      return player ? cairn.players.update(player.id, body) : cairn.players.create(body)
    },
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: ['players', app.id] })
      await queries.invalidateQueries({ queryKey: ['player', saved.id] })
      onClose()
      if (!player)
        await navigate({ to: '/apps/$appId/players/$playerId', params: { appId: app.id, playerId: saved.id } })
    },
  })
  const { form, wrong, rest } = useForm(save, ['displayName', 'userId'])
  return (
    <form className="stack" {...form}>
      <TextInput
        data-autofocus
        required
        label={texts.name}
        description={texts.nameHelp}
        value={fields.displayName}
        error={wrong.displayName}
        onChange={(event) => set({ displayName: event.currentTarget.value })}
      />
      <TextInput
        label={texts.user}
        description={texts.userHelp}
        value={fields.userId}
        error={wrong.userId}
        onChange={(event) => set({ userId: event.currentTarget.value })}
      />
      {rest && <Notice tone="err">{rest}</Notice>}
      <FormActions
        submitLabel={player ? messages.game.player.save : texts.make}
        isBusy={save.isPending}
        onCancel={onClose}
      />
    </form>
  )
}
