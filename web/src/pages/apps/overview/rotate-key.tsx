import type { App } from '@cairn/sdk'
import { Button, Group, Modal } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifySuccess } from '../../../components/feedback/notify.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { DEFAULT_GRACE_SECONDS, GracePeriod } from '../grace-period.tsx'

const texts = messages.app.key

/** Creates a new key after asking for the grace period of the old one. */
export function RotateKey({ app, isOpen, onClose }: { app: App; isOpen: boolean; onClose: () => void }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [grace, setGrace] = useState(DEFAULT_GRACE_SECONDS)
  const rotation = useMutation({
    mutationFn: () => cairn.apps.rotateKey(app.id, { graceSeconds: grace }),
    onSuccess: async (rotated) => {
      queries.setQueryData(['api-key', app.id], rotated.apiKey)
      onClose()
      notifySuccess(texts.rotated)
      await queries.invalidateQueries({ queryKey: ['app', app.id] })
      await queries.invalidateQueries({ queryKey: ['apps'] })
    },
  })
  return (
    <Modal opened={isOpen} onClose={onClose} title={texts.rotateTitle(app.name)}>
      <div className="stack">
        <p className="dim">{texts.rotateText}</p>
        <GracePeriod label={texts.grace} value={grace} onChange={setGrace} />
        {grace === 0 && <Notice tone="warn">{texts.noGrace}</Notice>}
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
