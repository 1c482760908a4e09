import { Button, Group, Modal, TextInput } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifySuccess } from '../../../components/feedback/notify.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'

const texts = messages.app.deliveries
const DAY_MS = 86_400_000

/** Redelivers all failed events since a date. */
export function RedeliverFailed({ appId, hookId }: { appId: string; hookId: string }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const [day, setDay] = useState(() => dayOf(Date.now() - 7 * DAY_MS))
  const redelivery = useMutation({
    mutationFn: () => cairn.webhooks.redeliverFailed(appId, hookId, { since: new Date(`${day}T00:00`).toISOString() }),
    onSuccess: async ({ deliveries }) => {
      setIsOpen(false)
      notifySuccess(texts.redelivered(deliveries))
      await queries.invalidateQueries({ queryKey: ['deliveries', hookId] })
    },
  })
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        leftSection={<IconRepeat size={14} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {texts.redeliverFailed}
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={texts.redeliverFailed}>
        <div className="stack">
          <p className="dim">{texts.redeliverText}</p>
          <TextInput
            type="date"
            label={texts.redeliverSince}
            value={day}
            max={dayOf(Date.now())}
            onChange={({ currentTarget: { value } }) => setDay(value)}
          />
          {redelivery.error && <Notice tone="err">{errorMessage(redelivery.error)}</Notice>}
          <Group justify="flex-end" gap={8}>
            <Button onClick={() => setIsOpen(false)} data-autofocus>
              {messages.common.cancel}
            </Button>
            <Button variant="filled" disabled={!day} loading={redelivery.isPending} onClick={() => redelivery.mutate()}>
              {texts.redeliver}
            </Button>
          </Group>
        </div>
      </Modal>
    </>
  )
}

/** Formats a date for a date field, in local time. */
function dayOf(moment: number): string {
  const at = new Date(moment)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
