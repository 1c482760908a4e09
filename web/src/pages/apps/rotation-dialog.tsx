import { Button, Group, Modal, SegmentedControl } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../../components/feedback/failure.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { messages } from '../../messages/index.ts'

/** In seconds. */
const DEFAULT_GRACE_SECONDS = 259_200
const CHOICES = Object.entries(messages.app.key.graces).map(([value, label]) => ({ value, label }))

/** Selects how long a replaced key or secret keeps working. */
const GracePeriod = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: number
  onChange: (seconds: number) => void
}) => (
  <div>
    <div className="small strong dim" aria-hidden>
      {label}
    </div>
    <SegmentedControl
      aria-label={label}
      data={CHOICES}
      value={String(value)}
      onChange={(next) => onChange(Number(next))}
    />
  </div>
)

type Props<Rotated> = {
  isOpen: boolean
  onClose: () => void
  /** `noGrace` warns before a rotation without a grace period. */
  texts: { title: string; rotateText: string; grace: string; doRotate: string; noGrace?: string }
  rotate: (graceSeconds: number) => Promise<Rotated>
  onRotated: (rotated: Rotated) => void | Promise<void>
}

/** Replaces a key or a secret after asking for the grace period of the old one. */
export function RotationDialog<Rotated>({ isOpen, onClose, texts, rotate, onRotated }: Props<Rotated>) {
  const [grace, setGrace] = useState(DEFAULT_GRACE_SECONDS)
  const rotation = useMutation({ mutationFn: () => rotate(grace), onSuccess: onRotated })
  return (
    <Modal opened={isOpen} onClose={onClose} title={texts.title}>
      <div className="stack">
        <p className="dim">{texts.rotateText}</p>
        <GracePeriod label={texts.grace} value={grace} onChange={setGrace} />
        {grace === 0 && texts.noGrace && <Notice tone="warn">{texts.noGrace}</Notice>}
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
