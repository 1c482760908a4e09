import type { ApiKeyWithSecret } from '@cairn/sdk'
import { Button, Group, Modal, Radio, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SecretField } from '../../../components/copy/secret-field.tsx'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useForm } from '../../../components/feedback/use-form.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'

const texts = messages.app.keys
const KINDS = ['client', 'server'] as const

/** Creates an additional key, then shows it this once. */
export function AddKey({ appId, isOpen, onClose }: { appId: string; isOpen: boolean; onClose: () => void }) {
  const [made, setMade] = useState<ApiKeyWithSecret>()
  const close = () => {
    onClose()
    setMade(undefined)
  }
  return (
    <Modal opened={isOpen} onClose={close} title={made ? texts.created(made.name) : texts.addTitle}>
      {made ? (
        <div className="stack">
          <p className="dim">{texts.once}</p>
          <SecretField value={made.apiKey} what={messages.app.key.what} isOpen />
          <Group justify="flex-end">
            <Button variant="filled" onClick={close}>
              {messages.app.hooks.done}
            </Button>
          </Group>
        </div>
      ) : (
        <KeyForm appId={appId} onMade={setMade} onCancel={close} />
      )}
    </Modal>
  )
}

type Props = { appId: string; onMade: (key: ApiKeyWithSecret) => void; onCancel: () => void }

function KeyForm({ appId, onMade, onCancel }: Props) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<(typeof KINDS)[number]>('client')
  const creation = useMutation({
    mutationFn: () => cairn.apps.createKey(appId, { kind, name }),
    onSuccess: async (key) => {
      onMade(key)
      await queries.invalidateQueries({ queryKey: ['app', appId, 'keys'] })
    },
  })
  const { form, wrong, rest } = useForm(creation, ['name'])
  return (
    <form className="stack" {...form} noValidate>
      {rest && <Notice tone="err" title={rest} />}
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        required
        data-autofocus
        value={name}
        error={creation.error && name === '' ? messages.common.needed : wrong.name}
        onChange={(event) => {
          setName(event.currentTarget.value)
          creation.reset()
        }}
      />
      <Radio.Group label={texts.kind} value={kind} onChange={(next) => setKind(next as typeof kind)}>
        <div className="stack">
          {KINDS.map((one) => (
            <Radio key={one} value={one} label={texts.kinds[one]} description={texts.kindTexts[one]} />
          ))}
        </div>
      </Radio.Group>
      <FormActions submitLabel={texts.create} isBusy={creation.isPending} onCancel={onCancel} />
    </form>
  )
}
