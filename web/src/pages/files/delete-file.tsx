import type { UserFile } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirm } from '../../parts/confirm.tsx'
import { sentenceOf } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { told } from '../../parts/notify.ts'
import { useCairn } from '../../session/session.tsx'
import { words } from '../../words/index.ts'

const texts = words.files.remove

/** Takes a file away, after a question. What still shows it is named in the dialog. */
export function DeleteFile({ file }: { file: UserFile }) {
  const cairn = useCairn()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isAsked, setIsAsked] = useState(false)
  const remove = useMutation({
    mutationFn: () => cairn.files.delete(file.fileId),
    onSuccess: async () => {
      told(texts.done(file.fileName))
      await navigate({ to: '/files' })
      queries.removeQueries({ queryKey: ['file', file.fileId] })
      await queries.invalidateQueries({ queryKey: ['files'] })
    },
  })
  return (
    <>
      <Button leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setIsAsked(true)}>
        {texts.button}
      </Button>
      <Confirm
        isOpen={isAsked}
        onClose={() => {
          setIsAsked(false)
          remove.reset()
        }}
        title={texts.title(file.fileName)}
        verb={texts.button}
        onConfirm={() => remove.mutate()}
        isBusy={remove.isPending}
      >
        {remove.error ? (
          <Notice tone="err" title={texts.not}>
            {sentenceOf(remove.error)}
          </Notice>
        ) : (
          <p>{texts.text}</p>
        )}
      </Confirm>
    </>
  )
}
