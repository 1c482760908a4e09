import type { Webhook } from '@cairn/sdk'
import { Button, Group, Modal } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { fieldErrors, formError, useFocusOnError } from '../../../components/feedback/field-errors.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { WebhookFieldInputs, type WebhookFields } from './webhook-fields.tsx'

const texts = messages.app.hooks
type Props = { appId: string; hook: Webhook; isOpen: boolean; onClose: () => void }

/** Edits the URL, description and events of a webhook. */
export const EditWebhook = ({ isOpen, onClose, ...rest }: Props) => (
  <Modal opened={isOpen} onClose={onClose} title={texts.edit.replace('…', '')} size="lg">
    <Form {...rest} onClose={onClose} />
  </Modal>
)

function Form({ appId, hook, onClose }: Omit<Props, 'isOpen'>) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const { url, description, eventTypes } = hook
  const [fields, setFields] = useState<WebhookFields>({ url, description: description ?? '', eventTypes })
  const change = useMutation({
    mutationFn: () => cairn.webhooks.update(appId, hook.id, { ...fields, description: fields.description || null }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['hooks', appId] })
      onClose()
    },
  })
  useFocusOnError(form, change.error)
  const rest = formError(change.error, Object.keys(fields))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <form className="stack" ref={form} onSubmit={submit} noValidate>
      {rest && <Notice tone="err" title={rest} />}
      <WebhookFieldInputs
        fields={fields}
        set={(more) => setFields({ ...fields, ...more })}
        wrong={fieldErrors(change.error)}
      />
      <Group justify="flex-end" gap={8}>
        <Button onClick={onClose}>{messages.states.cancel}</Button>
        <Button type="submit" variant="filled" loading={change.isPending}>
          {texts.save}
        </Button>
      </Group>
    </form>
  )
}
