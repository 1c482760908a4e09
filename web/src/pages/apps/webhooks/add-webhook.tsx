import type { WebhookWithSecret } from '@cairn/sdk'
import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { SecretField } from '../../../components/copy/secret-field.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { NEW_WEBHOOK } from './webhook-fields.tsx'
import { WebhookForm } from './webhook-form.tsx'

const texts = messages.app.hooks
type Props = { appId: string; isOpen: boolean; onClose: (made?: WebhookWithSecret) => void }

/** Creates a webhook, then shows its signing secret. */
export function AddWebhook({ appId, isOpen, onClose }: Props) {
  const cairn = useCairn()
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
        <WebhookForm
          appId={appId}
          initial={NEW_WEBHOOK}
          submitLabel={texts.create}
          save={(body) => cairn.webhooks.create(appId, body)}
          onSaved={setMade}
          onCancel={close}
        />
      )}
    </Modal>
  )
}
