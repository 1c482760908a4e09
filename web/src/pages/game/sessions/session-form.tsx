import type { App, Cairn } from '@cairn/sdk'
import { Modal, Select, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useForm } from '../../../components/feedback/use-form.ts'
import { messages } from '../../../messages/index.ts'
import { useMiniGameTypes } from '../mini-games/mini-games.tsx'

const texts = messages.game.sessions
type Props = { app: App; cairn: Cairn; isOpen: boolean; onClose: () => void }

/** Creates a game session. */
export function SessionForm({ isOpen, onClose, ...rest }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={texts.new}>
      <Form onClose={onClose} {...rest} />
    </Modal>
  )
}

function Form({ app, cairn, onClose }: Omit<Props, 'isOpen'>) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { data: types } = useMiniGameTypes(app, cairn)
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [typeId, setTypeId] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: () =>
      cairn.gameSessions.create({ name: name || null, description: description || null, miniGameTypeId: typeId }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['sessions', app.id] })
      onClose()
      await navigate({ to: '/apps/$appId/sessions/$sessionId', params: { appId: app.id, sessionId: id } })
    },
  })
  const { form, wrong, rest } = useForm(save, ['name', 'description', 'miniGameTypeId'])
  return (
    <form className="stack" {...form}>
      <TextInput
        data-autofocus
        label={texts.name}
        value={name}
        error={wrong.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={texts.game}
        placeholder={messages.common.defaultGame}
        data={(types ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={typeId}
        error={wrong.miniGameTypeId}
        onChange={setTypeId}
        clearable
      />
      <Textarea
        label={texts.description}
        value={description}
        error={wrong.description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      {rest && <Notice tone="err">{rest}</Notice>}
      <FormActions submitLabel={texts.make} isBusy={save.isPending} onCancel={onClose} />
    </form>
  )
}
