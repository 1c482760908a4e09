import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from './confirm.tsx'
import { errorMessage } from './failure.tsx'
import { Notice } from './notice.tsx'
import { notifySuccess } from './notify.ts'

export type DeleteTexts = {
  button: string
  title: (name: string) => string
  /** What the deletion affects. */
  text: string
  done: (name: string) => string
  not: string
}

type Props = {
  /** The display name of the record. */
  name: string
  texts: DeleteTexts
  onDelete: () => Promise<unknown>
  /** Called after the deletion, to navigate and clear caches. */
  onDone: () => Promise<unknown>
}

/** A button that deletes a record after confirmation. */
export function DeleteRecord(props: Props) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <Button leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setIsAsked(true)}>
        {props.texts.button}
      </Button>
      <DeleteDialog {...props} isOpen={isAsked} onClose={() => setIsAsked(false)} />
    </>
  )
}

/** Deletes a record after confirmation. Errors appear in the dialog. */
export function DeleteDialog({
  name,
  texts,
  onDelete,
  onDone,
  isOpen,
  onClose,
}: Props & { isOpen: boolean; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: onDelete,
    onSuccess: async () => {
      notifySuccess(texts.done(name))
      await onDone()
    },
  })
  const close = () => {
    onClose()
    remove.reset()
  }
  return (
    <Confirm
      isOpen={isOpen}
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
  )
}
