import type { CsvUpload } from '@cairn/sdk'
import { Button, Checkbox } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notifyError, notifySuccess } from '../../components/feedback/notify.ts'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'

const texts = messages.imports.remove

/** Deletes an import and, optionally, the points it created. */
export function DeleteImport({ record }: { record: CsvUpload }) {
  const { id, zoneId, fileName, dryRun } = record
  const cairn = useCairn()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(false)
  const [points, setPoints] = useState(false)
  const remove = useMutation({
    mutationFn: () => cairn.csvUploads.delete(zoneId, id, { deleteGcps: points }),
    onSuccess: async () => {
      notifySuccess(texts.done(fileName))
      await navigate({ to: '/import', search: { zone: zoneId } })
      await queries.invalidateQueries({ queryKey: ['imports', zoneId] })
    },
    onError: (error) => notifyError(error, texts.not),
  })
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{messages.imports.head.remove}</Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={texts.title(fileName)}
        verb={texts.verb}
        onConfirm={() => remove.mutate()}
        isBusy={remove.isPending}
      >
        <p>{texts.text}</p>
        {!dryRun && (
          <Checkbox
            label={texts.points}
            checked={points}
            onChange={({ currentTarget: { checked } }) => setPoints(checked)}
          />
        )}
      </Confirm>
    </>
  )
}
