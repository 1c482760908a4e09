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

/** Deletes a zone. If it is not empty, the user must type its name to delete its contents too. */
export function DeleteZone({ zone, onDeleted }: { zone: Zone; onDeleted: () => void }) {
  const cairn = useCairn()
  const [isOpen, setIsOpen] = useState(false)
  const remove = useMutation({
    mutationFn: (cascade: boolean) => cairn.zones.delete(zone.id, { cascade }),
    onSuccess: () => {
      setIsOpen(false)
      notifySuccess(texts.done(zone.title))
      onDeleted()
    },
  })
  const isFull = remove.error instanceof CairnError && remove.error.status === 409
  return (
    <>
      <Button size="xs" onClick={() => setIsOpen(true)}>
        {messages.common.delete}
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => {
          remove.reset()
          setIsOpen(false)
        }}
        title={texts.title(zone.title)}
        verb={isFull ? texts.withAll : texts.verb}
        {...(isFull ? { typeName: zone.title } : {})}
        onConfirm={() => remove.mutate(isFull)}
        isBusy={remove.isPending}
      >
        {remove.error ? <p role="alert">{errorMessage(remove.error)}</p> : <p>{texts.text}</p>}
      </Confirm>
    </>
  )
}
