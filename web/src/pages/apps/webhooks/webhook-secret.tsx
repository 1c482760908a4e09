import type { WebhookSecret } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { SecretField } from '../../../components/copy/secret-field.tsx'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { notifyError } from '../../../components/feedback/notify.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { RotationDialog } from '../rotation-dialog.tsx'
import classes from './webhooks.module.css'

const texts = messages.app.hooks

/** The signing secret. It is loaded only on demand because each read is audited. */
export function WebhookSecretPanel({ appId, hookId }: { appId: string; hookId: string }) {
  const cairn = useCairn()
  const [secret, setSecret] = useState<WebhookSecret>()
  const [isRotating, setIsRotating] = useState(false)
  const showing = useMutation({
    mutationFn: () => cairn.webhooks.secret(appId, hookId),
    onSuccess: setSecret,
    onError: (error) => notifyError(error, messages.common.failed),
  })
  return (
    <div className="stack">
      {secret && <SecretField key={secret.secret} value={secret.secret} what={texts.secret} isOpen />}
      {secret?.previousUntil && (
        <span className="small dim">
          {texts.previous} <RelativeTime at={secret.previousUntil} />
        </span>
      )}
      <div className={classes.buttons}>
        {!secret && (
          <Button size="xs" loading={showing.isPending} onClick={() => showing.mutate()}>
            {texts.showSecret}
          </Button>
        )}
        <Button size="xs" onClick={() => setIsRotating(true)}>
          {texts.rotateSecret}
        </Button>
      </div>
      <RotationDialog
        isOpen={isRotating}
        onClose={() => setIsRotating(false)}
        texts={{ ...texts, title: texts.rotateQuestion }}
        rotate={(graceSeconds) => cairn.webhooks.rotateSecret(appId, hookId, { graceSeconds })}
        onRotated={(rotated) => {
          setSecret(rotated)
          setIsRotating(false)
        }}
      />
    </div>
  )
}
