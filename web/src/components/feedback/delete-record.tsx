import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from './confirm.tsx'
import { errorMessage } from './failure.tsx'
import { Notice } from './notice.tsx'
import { notifySuccess } from './notify.ts'

type Props = {
  /** The display name of the record. */
  name: string
  texts: {
    button: string
    title: (name: string) => string
    /** What the deletion affects. */
    text: string
    done: (name: string) => string
    not: string
  }
  onDelete: () => Promise<unknown>
  /** Called after the deletion, to navigate and clear caches. */
  onDone: () => Promise<unknown>
}

/** A button that deletes a record after confirmation. Errors appear in the dialog. */
export function DeleteRecord({ name, texts, onDelete, onDone }: Props) {
  const [isAsked, setIsAsked] = useState(false)
  const remove = useMutation({
    mutationFn: onDelete,
    onSuccess: async () => {
      notifySuccess(texts.done(name))
      await onDone()
    },
  })
  const close = () => {
    setIsAsked(false)
    remove.reset()
  }
  return (
    <>
      <Button leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setIsAsked(true)}>
        {texts.button}
      </Button>
      <Confirm
        isOpen={isAsked}
        onClose={close}
        title={texts.title(name)}
        verb={texts.button}
        onConfirm={() => remove.mutate()}
        isBusy={remove.isPending}
      >
        {remove.error ? (
          <Notice tone="err" title={texts.not}>
            <div>{errorMessage(remove.error)}</div>
          </Notice>
        ) : (
          <p>{texts.text}</p>
        )}
      </Confirm>
    </>
  )
}
