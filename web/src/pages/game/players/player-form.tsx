import type { App, Cairn, Player } from '@cairn/sdk'
import { Modal, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useForm } from '../../../components/feedback/use-form.ts'
import { messages } from '../../../messages/index.ts'

const texts = messages.game.players
type Props = { app: App; cairn: Cairn; player?: Player; isOpen: boolean; onClose: () => void }

/** Creates or edits a player. */
export function PlayerForm({ player, isOpen, onClose, ...rest }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={player ? player.displayName : texts.new}>
      <Form key={player?.updatedAt ?? 'new'} player={player} onClose={onClose} {...rest} />
    </Modal>
  )
}

function Form({ app, cairn, player, onClose }: Omit<Props, 'isOpen' | 'player'> & { player: Player | undefined }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [displayName, setDisplayName] = useState(player?.displayName ?? '')
  const [userId, setUserId] = useState(player?.userId ?? '')
  const save = useMutation({
    mutationFn: () => {
      const fields = { displayName, userId: userId.trim() || null }
      return player ? cairn.players.update(player.id, fields) : cairn.players.create(fields)
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
        value={displayName}
        error={wrong.displayName}
        onChange={(event) => setDisplayName(event.currentTarget.value)}
      />
      <TextInput
        label={texts.user}
        description={texts.userHelp}
        value={userId}
        error={wrong.userId}
        onChange={(event) => setUserId(event.currentTarget.value)}
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
