import { CairnError, type Zone } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { errorMessage } from '../../../components/feedback/failure.tsx'
import { notifySuccess } from '../../../components/feedback/notify.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'

const texts = messages.map.zoneDelete

type Props = { zone: Pick<Zone, 'id' | 'title'>; onDeleted: () => void }

/** A button that deletes a zone after confirmation. */
export function DeleteZone(props: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button size="xs" onClick={() => setIsOpen(true)}>
        {messages.common.delete}
      </Button>
      <DeleteZoneDialog {...props} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  )
}

type DialogProps = Props & { isOpen: boolean; onClose: () => void }

/** Deletes a zone. If it is not empty, the user must type its name to delete its contents too. */
export function DeleteZoneDialog({ zone, onDeleted, isOpen, onClose }: DialogProps) {
  const cairn = useCairn()
  const remove = useMutation({
    mutationFn: (cascade: boolean) => cairn.zones.delete(zone.id, { cascade }),
    onSuccess: () => {
      onClose()
      notifySuccess(texts.done(zone.title))
      onDeleted()
    },
  })
  const isFull = remove.error instanceof CairnError && remove.error.status === 409
  return (
    <Confirm
      isOpen={isOpen}
      onClose={() => {
        remove.reset()
        onClose()
      }}
      title={texts.title(zone.title)}
      verb={isFull ? texts.withAll : texts.verb}
      {...(isFull ? { typeName: zone.title } : {})}
      onConfirm={() => remove.mutate(isFull)}
      isBusy={remove.isPending}
    >
      {remove.error ? <p role="alert">{errorMessage(remove.error)}</p> : <p>{texts.text}</p>}
    </Confirm>
  )
}
