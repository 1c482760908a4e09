import type { WebhookWithSecret } from '@cairn/sdk'
import { Button, Group, Modal } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { SecretField } from '../../../components/copy/secret-field.tsx'
import { fieldErrors, formError, useFocusOnError } from '../../../components/feedback/field-errors.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { NEW_WEBHOOK, WebhookFieldInputs } from './webhook-fields.tsx'

const texts = messages.app.hooks
type Props = { appId: string; isOpen: boolean; onClose: (made?: WebhookWithSecret) => void }

/** Creates a webhook, then shows its signing secret. */
export function AddWebhook({ appId, isOpen, onClose }: Props) {
  const [made, setMade] = useState<WebhookWithSecret>()
  const close = () => {
    onClose(made)
    setMade(undefined)
  }
  return (
    <Modal opened={isOpen} onClose={close} title={made ? texts.created : texts.addOne} size="lg">
      {made ? (
        <div className="stack">
          <h3>{texts.secretTitle}</h3>
          <p className="dim">{texts.secretText}</p>
          <SecretField value={made.secret} what={texts.secret} isOpen />
          <Group justify="flex-end">
            <Button variant="filled" onClick={close}>
              {texts.done}
            </Button>
          </Group>
        </div>
      ) : (
        <Form appId={appId} onMade={setMade} onCancel={close} />
      )}
    </Modal>
  )
}

function Form({
  appId,
  onMade,
  onCancel,
}: {
  appId: string
  onMade: (made: WebhookWithSecret) => void
  onCancel: () => void
}) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [fields, setFields] = useState(NEW_WEBHOOK)
  const creation = useMutation({
    mutationFn: () => cairn.webhooks.create(appId, { ...fields, description: fields.description || null }),
    onSuccess: async (made) => {
      onMade(made)
      await queries.invalidateQueries({ queryKey: ['hooks', appId] })
    },
  })
  useFocusOnError(form, creation.error)
  const rest = formError(creation.error, Object.keys(fields))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creation.mutate()
  }
  return (
    <form className="stack" ref={form} onSubmit={submit} noValidate>
      {rest && <Notice tone="err" title={rest} />}
      <WebhookFieldInputs
        fields={fields}
        set={(change) => setFields({ ...fields, ...change })}
        wrong={fieldErrors(creation.error)}
      />
      <Group justify="flex-end" gap={8}>
        <Button onClick={onCancel}>{messages.states.cancel}</Button>
        <Button type="submit" variant="filled" loading={creation.isPending}>
          {texts.create}
        </Button>
      </Group>
    </form>
  )
}
