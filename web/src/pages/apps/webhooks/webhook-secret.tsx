import type { WebhookSecret } from '@cairn/sdk'
import { Button, Group, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { SecretField } from '../../../components/copy/secret-field.tsx'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { errorMessage } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifyError } from '../../../components/feedback/notify.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { DEFAULT_GRACE_SECONDS, GracePeriod } from '../grace-period.tsx'
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
      <Rotation
        isOpen={isRotating}
        onClose={() => setIsRotating(false)}
        rotate={(graceSeconds) => cairn.webhooks.rotateSecret(appId, hookId, { graceSeconds })}
        onRotated={setSecret}
      />
    </div>
  )
}

function Rotation({
  isOpen,
  onClose,
  rotate,
  onRotated,
}: {
  isOpen: boolean
  onClose: () => void
  rotate: (graceSeconds: number) => Promise<WebhookSecret>
  onRotated: (secret: WebhookSecret) => void
}) {
  const [grace, setGrace] = useState(DEFAULT_GRACE_SECONDS)
  const rotation = useMutation({
    mutationFn: () => rotate(grace),
    onSuccess: (rotated) => {
      onRotated(rotated)
      onClose()
    },
  })
  return (
    <Modal opened={isOpen} onClose={onClose} title={texts.rotateQuestion}>
      <div className="stack">
        <p className="dim">{texts.rotateText}</p>
        <GracePeriod label={texts.grace} value={grace} onChange={setGrace} />
        {rotation.error && <Notice tone="err">{errorMessage(rotation.error)}</Notice>}
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose} data-autofocus>
            {messages.common.cancel}
          </Button>
          <Button variant="filled" loading={rotation.isPending} onClick={() => rotation.mutate()}>
            {texts.doRotate}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
