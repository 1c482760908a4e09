import type { Webhook } from '@cairn/sdk'
import { Modal } from '@mantine/core'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { WebhookForm } from './webhook-form.tsx'

const texts = messages.app.hooks
type Props = { appId: string; hook: Webhook; isOpen: boolean; onClose: () => void }

/** Edits the URL, description and events of a webhook. */
export function EditWebhook({ appId, hook, isOpen, onClose }: Props) {
  const cairn = useCairn()
  const { url, description, eventTypes } = hook
  return (
    <Modal opened={isOpen} onClose={onClose} title={texts.edit.replace('…', '')} size="lg">
      <WebhookForm
        appId={appId}
        initial={{ url, description: description ?? '', eventTypes }}
        submitLabel={texts.save}
        save={(body) => cairn.webhooks.update(appId, hook.id, body)}
        onSaved={onClose}
        onCancel={onClose}
      />
    </Modal>
  )
}
